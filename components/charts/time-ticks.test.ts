import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toTimeTicks } from './time-ticks.ts'

const at = (text: string) => Date.parse(`${text}T00:00:00Z`) / 1000

describe('the ticks of a time axis', () => {
  test('never are more than asked for, lie inside, and rise', () => {
    const instant = fc.integer({ min: 0, max: 4_000_000_000 })
    fc.assert(
      fc.property(instant, instant, fc.integer({ min: 2, max: 14 }), (a, b, maximum) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const ticks = toTimeTicks(from, to, maximum).map((tick) => tick.at)
        expect(ticks.length).toBeLessThanOrEqual(maximum)
        expect(ticks.every((tick) => tick >= from && tick <= to)).toBe(true)
        expect(ticks).toEqual([...new Set(ticks)].sort((x, y) => x - y))
      }),
    )
  })

  test('name the year where it begins', () => {
    const labels = toTimeTicks(at('2023-12-20'), at('2024-12-28'), 6).map((tick) => tick.label)
    expect(labels).toEqual(['Jan 2024', 'Apr', 'Jul', 'Oct'])
  })

  test('name the year on the first label where none begins', () => {
    const labels = toTimeTicks(at('2024-03-02'), at('2024-06-28'), 6).map((tick) => tick.label)
    expect(labels).toEqual(['Apr 2024', 'May', 'Jun'])
  })

  test('weeks begin on Mondays', () => {
    const ticks = toTimeTicks(at('2026-10-21'), at('2026-11-21'), 6)
    expect(ticks.length).toBeGreaterThan(2)
    expect(ticks.every((tick) => new Date(tick.at * 1000).getUTCDay() === 1)).toBe(true)
  })

  test('a single instant has none', () => {
    expect(toTimeTicks(5, 5, 6)).toEqual([])
  })
})
