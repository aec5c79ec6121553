import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJitter } from './layout.ts'
import { toStack } from './shapes.tsx'

const count = fc.integer({ min: 0, max: 4000 })
const bar = fc.tuple(count, count, count, count, count)

describe('stacked bars', () => {
  test('have no gap and no overlap, and end where the bar does', () => {
    fc.assert(
      fc.property(bar, (byRating) => {
        const parts = toStack([{ byRating }])
        for (const [index, part] of parts.entries()) {
          expect(part.from).toBeCloseTo(parts[index - 1]?.to ?? 0)
        }
        expect(parts.at(-1)?.to ?? 0).toBeCloseTo(byRating.some((one) => one > 0) ? 100 : 0)
      }),
    )
  })

  test('nobody active is no bar, not a full one', () => {
    expect(toStack([{ byRating: [0, 0, 0, 0, 0] }])).toEqual([])
  })
})

test('ids that follow one another are moved apart, and always the same way', () => {
  const moved = Array.from({ length: 200 }, (_, id) => toJitter(id + 70_000))
  expect(moved.every((one) => one >= -1 && one <= 1)).toBe(true)
  expect(new Set(moved.map((one) => one.toFixed(2))).size).toBeGreaterThan(60)
  expect(toJitter(12)).toBe(toJitter(12))
})
