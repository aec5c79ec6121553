import { expect, test } from 'vitest'
import {
  formatCountdown,
  formatDay,
  formatEastern,
  formatEdition,
  formatInZone,
} from './instant.ts'

const at = (iso: string) => Date.parse(iso) / 1000

test('days are those of UTC whatever the zone of the machine', () => {
  expect(formatDay(at('2026-11-20T23:59:59Z'))).toBe('2026-11-20')
})

test('the weekly refresh is named in Eastern time, summer and winter', () => {
  expect(formatEastern(at('2026-11-22T05:00:00Z'))).toBe('Sun 22 Nov 2026, 00:00 ET')
  expect(formatEastern(at('2026-07-05T04:00:00Z'))).toBe('Sun 5 Jul 2026, 00:00 ET')
})

test('a local time carries its own weekday', () => {
  expect(formatInZone(at('2026-11-22T05:00:00Z'), 'America/Los_Angeles')).toBe(
    'Sat 21 Nov 2026, 21:00',
  )
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
