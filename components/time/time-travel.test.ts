import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isEndOfDay, toZonedDay } from '#components/format/instants.ts'
import { draws } from '#testing/draws.ts'
import { toDayAgo, toEndOfDay } from './time-travel.ts'

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
