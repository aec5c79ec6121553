import { expect, test } from 'vitest'
import { toSucceededPercent, toUptime } from './uptime-strip.tsx'

const NOON = Date.parse('2026-11-25T12:00:00Z') / 1000

const run = (day: string, done: number, failed = 0) => ({ day, done, failed })

test('90 days end today; a day without a run is unknown, and older ones are left out', () => {
  const days = toUptime(
    [
      run('2026-01-01', 5),
      run('2026-08-28', 3),
      run('2026-11-23', 0, 2),
      run('2026-11-24', 9, 1),
      run('2026-11-25', 10),
    ],
    NOON,
  )
  expect(days).toHaveLength(90)
  expect(days[0]).toEqual({ day: '2026-08-28', done: 3, failed: 0, state: 'good' })
  expect(days.slice(-4).map(({ state }) => state)).toEqual(['unknown', 'failed', 'mixed', 'good'])
  expect(toSucceededPercent(days)).toBe(88)
})

test('the share is 100 only if all runs succeeded, and nothing without runs', () => {
  expect(toSucceededPercent(toUptime([run('2026-11-25', 9999, 1)], NOON))).toBe(99.9)
  expect(toSucceededPercent(toUptime([run('2026-11-25', 2)], NOON))).toBe(100)
  expect(toSucceededPercent(toUptime([], NOON))).toBeNull()
})
