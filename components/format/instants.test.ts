import fc from 'fast-check'
import { DateTime } from 'luxon'
import { describe, expect, it, test } from 'vitest'
import { LAST_SECOND } from '#lib/contract/rating-fields.ts'
import { draws } from '#testing/draws.ts'
import {
  formatCountdown,
  formatDay,
  formatEdition,
  formatRelative,
  isZonedMidnight,
  toClock,
  toNearestMidnight,
  toZonedDay,
  toZonedText,
  zonedMidnight,
} from './instants.ts'

const at = (iso: string) => Date.parse(iso) / 1000

test('days are those of UTC whatever the zone of the machine', () => {
  expect(formatDay(at('2026-11-20T23:59:59Z'))).toBe('2026-11-20')
})

test('a countdown names two units and stops at nothing', () => {
  const now = 1_000_000
  expect(formatCountdown(now + 37 * 3600, now)).toBe('1 d 13 h')
  expect(formatCountdown(now + 3600 + 125, now)).toBe('1 h 2 min')
  expect(formatCountdown(now + 59, now)).toBe('0 min')
  expect(formatCountdown(now - 5, now)).toBe('0 min')
})

test('an edition is named after its Sunday in Eastern time', () => {
  expect(formatEdition('2026-11-15')).toBe('Sun 15 Nov 2026, 00:00 ET')
  expect(formatEdition('unknown')).toBe('unknown')
})

test('distances are told in one unit and never rounded up', () => {
  const now = at('2026-11-20T12:00:00Z')
  expect(formatRelative(now, now)).toBe('just now')
  expect(formatRelative(now + 30, now)).toBe('in a moment')
  expect(formatRelative(now - 179, now)).toBe('2 min ago')
  expect(formatRelative(now + 12 * 86_400 + 5, now)).toBe('in 12 d')
  expect(formatRelative(now + 100 * 86_400, now)).toBe('in 3 mo')
  expect(formatRelative(now - 800 * 86_400, now)).toBe('2 y ago')
})

const DAY = 86_400

const zones = fc.constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC')
const instants = fc.oneof(
  fc.integer({ min: 0, max: 2_200_000_000 }),
  fc.integer({ min: 0, max: LAST_SECOND }),
  fc.constantFrom(0, 1, LAST_SECOND - 1, LAST_SECOND),
)

describe('the clock of a zone', () => {
  it('shows what luxon says it shows, in every zone, from 1970 to 9999', () => {
    fc.assert(
      fc.property(instants, zones, (seconds, zone) => {
        const known = DateTime.fromSeconds(seconds, { zone })
        expect(toZonedText(seconds, zone, 'second')).toBe(known.toFormat('y-MM-dd HH:mm:ss'))
        expect(toZonedText(seconds, zone)).toBe(known.toFormat('y-MM-dd HH:mm'))
        expect(toZonedDay(seconds, zone)).toBe(known.toFormat('y-MM-dd'))
      }),
      { numRuns: draws(2000) },
    )
  })

  it('shows an hour twice in autumn and leaves one out in spring', () => {
    const texts = (iso: string) =>
      [0, 3600].map((later) => toZonedText(at(iso) + later, 'America/New_York'))
    expect(texts('2026-11-01T05:30:00Z')).toEqual(['2026-11-01 01:30', '2026-11-01 01:30'])
    expect(texts('2026-03-08T06:30:00Z')).toEqual(['2026-03-08 01:30', '2026-03-08 03:30'])
  })
})

describe('the beginning of a day', () => {
  it('is its first second: the one before it belongs to an earlier day, in every zone', () => {
    fc.assert(
      fc.property(instants, zones, (seconds, zone) => {
        const day = toZonedDay(seconds, zone)
        const start = zonedMidnight(day, zone)
        const dayOf = (when: number) => DateTime.fromSeconds(when, { zone }).toFormat('y-MM-dd')
        const isEarlier = dayOf(start - 1).length < day.length || dayOf(start - 1) < day
        expect(dayOf(start)).toBe(day)
        expect(isEarlier).toBe(true)
        expect(start).toBeLessThanOrEqual(seconds)
        expect(isZonedMidnight(start, zone)).toBe(true)
        expect(isZonedMidnight(start + 1, zone)).toBe(false)
      }),
      { numRuns: draws(2000) },
    )
  })

  it('is behind the gap where a day has no midnight', () => {
    expect(zonedMidnight('2018-11-04', 'America/Sao_Paulo')).toBe(at('2018-11-04T03:00:00Z'))
    expect(toZonedText(at('2018-11-04T03:00:00Z'), 'America/Sao_Paulo')).toBe('2018-11-04 01:00')
  })

  it('is the first of two where midnight comes twice', () => {
    expect(zonedMidnight('2010-11-07', 'America/St_Johns')).toBe(at('2010-11-07T02:30:00Z'))
  })

  it('of a day that a zone left out is that of the next one', () => {
    const next = zonedMidnight('2011-12-31', 'Pacific/Apia')
    expect(zonedMidnight('2011-12-30', 'Pacific/Apia')).toBe(next)
    expect(next).toBe(at('2011-12-30T10:00:00Z'))
  })

  it('gives days of 23 and 25 hours where clocks change', () => {
    const hours = (day: string, next: string) =>
      (zonedMidnight(next, 'Europe/Berlin') - zonedMidnight(day, 'Europe/Berlin')) / 3600
    expect(hours('2026-03-29', '2026-03-30')).toBe(23)
    expect(hours('2026-10-25', '2026-10-26')).toBe(25)
    expect(hours('2026-10-26', '2026-10-27')).toBe(24)
  })

  it('that lies nearest to an instant is a beginning, and no other is nearer', () => {
    fc.assert(
      fc.property(fc.integer({ min: DAY, max: 2_200_000_000 }), zones, (seconds, zone) => {
        const nearest = toNearestMidnight(seconds, zone)
        expect(isZonedMidnight(nearest, zone)).toBe(true)
        expect(Math.abs(nearest - seconds)).toBeLessThanOrEqual(DAY)
        const own = zonedMidnight(toZonedDay(seconds, zone), zone)
        expect(Math.abs(nearest - seconds)).toBeLessThanOrEqual(seconds - own)
      }),
    )
  })

  it('in UTC is a multiple of a day, and the clock is the instant', () => {
    expect(zonedMidnight('1970-01-01', 'UTC')).toBe(0)
    expect(zonedMidnight('9999-12-31', 'UTC')).toBe(LAST_SECOND + 1 - DAY)
    expect(toClock(1_234_567, 'UTC')).toBe(1_234_567)
  })
})
