import fc from 'fast-check'
import { expect, it } from 'vitest'
import {
  parseAsof,
  parseDay,
  parseInstant,
  parsePeriod,
  toAsofParameter,
  toDateText,
  toInstantProblem,
  toInstantText,
} from './instant-text.ts'
import { LAST_SECOND } from './rating-fields.ts'

it('an instant survives being written and read', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 253_402_300_799 }), (seconds) => {
      expect(parseInstant(toInstantText(seconds))).toBe(seconds)
    }),
  )
})

it('a year, a month and a day are the instant at which they begin', () => {
  expect(parseInstant('2026')).toBe(parseInstant('2026-01-01T00:00:00Z'))
  expect(parseInstant('2026-05')).toBe(parseInstant('2026-05-01T00:00:00Z'))
  expect(parseInstant('2026-05-13')).toBe(parseInstant('2026-05-13T00:00:00Z'))
})

it('a day is one of the calendar in ISO form, and nothing else', () => {
  expect(parseDay('2024-02-29')).toBe(parseInstant('2024-02-29'))
  const refused = [
    '2023-02-29',
    '2024-13-01',
    '2024-1-1',
    '01/02/2024',
    '0202-01-01',
    '2024-02',
    '',
  ]
  expect(refused.filter((text) => parseDay(text) !== null)).toEqual([])
})

it('digits are seconds since 1970 from ten on', () => {
  expect(parseInstant('1704067200')).toBe(1_704_067_200)
  expect(parseInstant('0000000012')).toBe(12)
  expect(parseInstant(String(LAST_SECOND))).toBe(LAST_SECOND)
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 999_999_999 }).map(String), (text) => {
      expect(parseInstant(text)).toBe(parsePeriod(text)?.from ?? null)
    }),
  )
})

it.each([
  ['20260102', 'a day is written 2024-01-31'],
  ['202601', 'a month is written 2024-01'],
  ['1704067200000', 'seconds since 1970 have 10'],
  ['20260102123000', 'a UTC date-time is written 2024-01-31T12:00:00Z'],
  ['0', 'seconds since 1970 (10 digits)'],
  ['123456789', 'seconds since 1970 (10 digits)'],
  ['2026/01/02', 'a day (2024-01-31)'],
  ['2026-1-2', 'a day (2024-01-31)'],
  ['2026-01-02T12:00:00', 'a UTC date-time (2024-01-31T12:00:00Z)'],
  ['2026-01-02T12:00:00+02:00', 'a UTC date-time (2024-01-31T12:00:00Z)'],
  ['now', 'a year (2024)'],
])('%s is no instant, and the problem names the form: %s', (text, form) => {
  expect([parseInstant(text), parseAsof(text)]).toEqual([null, null])
  expect(toInstantProblem(text)).toContain(form)
})

it('a day that does not exist is no instant', () => {
  for (const text of ['2024-02-30', '2023-02-29', '2024-13-01', '2024-00-10', '10000-01-01']) {
    expect(parseInstant(text)).toBeNull()
  }
})

it("the specification's text form is UTC", () => {
  expect(toDateText(1_704_067_199)).toBe('2023-12-31 23:59:59')
})

it('a day, a month or a year as of which one asks is there to its last second', () => {
  expect(parseAsof('2024')).toBe(parseInstant('2024-12-31T23:59:59Z'))
  expect(parseAsof('2024-02')).toBe(parseInstant('2024-02-29T23:59:59Z'))
  expect(parseAsof('2024-08-02')).toBe(parseInstant('2024-08-02T23:59:59Z'))
  expect(parseAsof('9999-12-31')).toBe(LAST_SECOND)
})

it('what is more exact than a day is that instant, midnight too', () => {
  for (const text of ['2024-08-02T00:00:00Z', '2024-08-02T13:30Z', '1722556800']) {
    expect(parseAsof(text)).toBe(parseInstant(text))
  }
})

it('what is no instant is none as of which one asks', () => {
  for (const text of ['2024-02-30', '10000-01-01', 'yesterday', '', '-1']) {
    expect(parseAsof(text)).toBeNull()
  }
})

it('every instant survives being written and read, a day in the shortest form', () => {
  expect(toAsofParameter(86_399)).toBe('1970-01-01')
  expect(toAsofParameter(86_400)).toBe('1970-01-02T00:00:00Z')
  const midnights = fc.integer({ min: 0, max: 30_000 }).map((day) => day * 86_400)
  const near = fc.tuple(midnights, fc.integer({ min: 0, max: 2 })).map(([at, more]) => at + more)
  const instants = fc.oneof(
    fc.integer({ min: 0, max: LAST_SECOND }),
    near,
    near.map((at) => Math.max(0, at - 1)),
  )
  fc.assert(
    fc.property(instants, (seconds) => {
      expect(parseAsof(toAsofParameter(seconds))).toBe(seconds)
    }),
  )
})
