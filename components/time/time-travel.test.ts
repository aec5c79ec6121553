import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEndOfDay, toClock, toZonedDay, toZonedText } from '#components/format/instants.ts'
import { draws } from '#testing/draws.ts'
import { stepDays, stepFrom, toDayAgo, toEndOfDay } from './time-travel.ts'

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'America/Asuncion',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Australia/Lord_Howe',
  'Pacific/Apia',
]
const at = (text: string) => Date.parse(text) / 1000
const zones = fc.constantFrom(...ZONES)
const instants = fc.integer({ min: at('1990-01-01T00:00:00Z'), max: at('2030-01-01T00:00:00Z') })
const sizes = fc.constantFrom(-7, -1, 1, 7)
const HOUR = 3600

describe('a chosen day', () => {
  it('means its last second by the clock of the zone', () => {
    expect(toEndOfDay('2024-08-02', 'UTC')).toBe(at('2024-08-02T23:59:59Z'))
    expect(toEndOfDay('2024-08-02', 'Europe/Berlin')).toBe(at('2024-08-02T21:59:59Z'))
    expect(toEndOfDay('2024-08-02', 'America/New_York')).toBe(at('2024-08-03T03:59:59Z'))
    expect(toEndOfDay('9999-12-31', 'America/New_York')).toBe(at('9999-12-31T23:59:59Z'))
    expect(toEndOfDay('1970-01-01', 'Asia/Kolkata')).toBe(at('1970-01-01T18:29:59Z'))
  })

  it('holds everything of that day and nothing of the next, in every zone', () => {
    fc.assert(
      fc.property(instants, zones, (seconds, zone) => {
        const day = toZonedDay(seconds, zone)
        const end = toEndOfDay(day, zone)
        expect(end).toBeGreaterThanOrEqual(seconds)
        expect(isEndOfDay(end, zone)).toBe(true)
        expect(toZonedDay(end, zone)).toBe(day)
        expect(toZonedDay(end + 1, zone) > day).toBe(true)
      }),
      { numRuns: draws(500) },
    )
  })
})

describe('a step', () => {
  it('over a change of the clocks is one day, of 23 or 25 hours', () => {
    const spring = toEndOfDay('2024-03-30', 'Europe/Berlin')
    expect(stepDays(spring, 1, 'Europe/Berlin') - spring).toBe(23 * HOUR)
    const autumn = toEndOfDay('2024-10-26', 'Europe/Berlin')
    expect(stepDays(autumn, 1, 'Europe/Berlin') - autumn).toBe(25 * HOUR)
    const afternoon = at('2024-03-30T13:30:00Z')
    expect(stepDays(afternoon, 1, 'Europe/Berlin') - afternoon).toBe(23 * HOUR)
  })

  it('leads from the end of a day to the end of a day, and back again', () => {
    fc.assert(
      fc.property(instants, zones, sizes, (seconds, zone, days) => {
        const end = toEndOfDay(toZonedDay(seconds, zone), zone)
        const stepped = stepDays(end, days, zone)
        expect(isEndOfDay(stepped, zone)).toBe(true)
        expect(Math.sign(stepped - end)).toBe(Math.sign(days))
        const hours = Math.abs(stepped - end) / HOUR / 24
        // Samoa skipped a day.
        expect(Math.abs(hours - Math.abs(days))).toBeLessThanOrEqual(
          zone === 'Pacific/Apia' ? 1 : 0.05,
        )
        if (zone !== 'Pacific/Apia') expect(stepDays(stepped, -days, zone)).toBe(end)
      }),
      { numRuns: draws(500) },
    )
  })

  it('keeps the time of day where the other day has it', () => {
    fc.assert(
      fc.property(instants, zones, sizes, (seconds, zone, days) => {
        const stepped = stepDays(seconds, days, zone)
        expect(Math.sign(stepped - seconds)).toBe(Math.sign(days))
        const off = toClock(stepped, zone) - toClock(seconds, zone) - days * 24 * HOUR
        if (zone !== 'Pacific/Apia') expect(Math.abs(off)).toBeLessThanOrEqual(HOUR)
        if (zone === 'UTC') expect(off).toBe(0)
      }),
      { numRuns: draws(500) },
    )
  })

  it('passes over a day that the zone left out', () => {
    const before = toEndOfDay('2011-12-29', 'Pacific/Apia')
    expect(toZonedText(stepDays(before, 1, 'Pacific/Apia'), 'Pacific/Apia')).toBe(
      '2011-12-31 23:59',
    )
    const after = toEndOfDay('2011-12-31', 'Pacific/Apia')
    expect(stepDays(after, -1, 'Pacific/Apia')).toBe(before)
  })

  it('stays within the instants that there are', () => {
    expect(stepDays(0, -1, 'UTC')).toBe(0)
    const last = at('9999-12-31T23:59:59Z')
    expect(stepDays(last, 7, 'Asia/Kolkata')).toBe(last)
  })
})

describe('a step from where a reader stands', () => {
  const now = at('2024-08-05T14:00:00Z')
  const step = (asof: string | null, days: number) => {
    const to = stepFrom({ asof: asof === null ? null : at(asof), now, zone: 'UTC' }, days)
    return to === null ? 'now' : new Date(to * 1000).toISOString()
  }

  it('begins, from now, with the last full day', () => {
    expect(step(null, -1)).toBe('2024-08-04T23:59:59.000Z')
    expect(step(null, -7)).toBe('2024-07-29T23:59:59.000Z')
  })

  it('stops at now, from either side', () => {
    expect(step('2024-08-03T23:59:59Z', 1)).toBe('2024-08-04T23:59:59.000Z')
    expect(step('2024-08-04T23:59:59Z', 1)).toBe('now')
    expect(step('2024-08-01T23:59:59Z', 7)).toBe('now')
    expect(step('2024-08-06T23:59:59Z', -7)).toBe('now')
  })

  it('goes on in the future, where somebody is there already', () => {
    expect(step('2024-08-06T23:59:59Z', 1)).toBe('2024-08-07T23:59:59.000Z')
    expect(step(null, 1)).toBe('2024-08-06T23:59:59.000Z')
  })
})

it.each([
  ['2026-11-22', 'week', '2026-11-15'],
  ['2026-03-31', 'month', '2026-02-28'],
  ['2024-03-31', 'month', '2024-02-29'],
  ['2026-01-15', 'month', '2025-12-15'],
  ['2026-05-31', 'quarter', '2026-02-28'],
  ['2024-02-29', 'year', '2023-02-28'],
] as const)('%s a %s ago is %s', (day, ago, before) => {
  expect(toDayAgo(day, ago)).toBe(before)
})
