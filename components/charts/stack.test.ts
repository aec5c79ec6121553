import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toBarTop, toHighest, toLabelled, toStack, toTrendScale } from './stack.ts'

const count = fc.integer({ min: 0, max: 4000 })
const bar = fc
  .tuple(count, count, count, count, count)
  .map((byRating) => ({ byRating, active: byRating.reduce((sum, one) => sum + one, 0) }))

describe('stacked bars', () => {
  test('have no gap and no overlap, and end where the bar does', () => {
    fc.assert(
      fc.property(bar, fc.constantFrom('count' as const, 'percent' as const), (point, unit) => {
        const parts = toStack([point], unit)
        for (const [index, part] of parts.entries()) {
          expect(part.from).toBeCloseTo(parts[index - 1]?.to ?? 0)
        }
        expect(parts.at(-1)?.to ?? 0).toBeCloseTo(toBarTop(point, unit))
      }),
    )
  })

  test('fit their scale', () => {
    fc.assert(
      fc.property(fc.array(bar), (points) => {
        const { bound } = toTrendScale(points, 'count')
        expect(points.every((point) => toBarTop(point, 'count') <= bound)).toBe(true)
      }),
    )
  })

  test('what is written over several bars stands above all of them', () => {
    fc.assert(
      fc.property(fc.array(bar, { minLength: 1 }), (points) => {
        const highest = toHighest(points, 'count')
        expect(points.every((point) => toBarTop(point, 'count') <= highest)).toBe(true)
        expect(points.some((point) => toBarTop(point, 'count') === highest)).toBe(true)
      }),
    )
  })

  test('nobody active is no bar, not a full one', () => {
    const nobody = { byRating: [0, 0, 0, 0, 0], active: 0 }
    expect(toStack([nobody], 'percent')).toEqual([])
    expect(toBarTop(nobody, 'percent')).toBe(0)
  })
})

describe('the n above the bars', () => {
  test('stands above each where there is room, and always above the newest', () => {
    expect(toLabelled(5, 24, 0)).toEqual([0, 1, 2, 3, 4])
    expect(toLabelled(7, 10, 26)).toEqual([0, 3, 6])
  })

  test('never touches its neighbour', () => {
    const width = fc.integer({ min: 1, max: 40 })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 400 }), width, width, (bars, wide, text) => {
        const labelled = toLabelled(bars, wide, text)
        expect(labelled.at(-1)).toBe(bars - 1)
        const gaps = labelled.slice(1).map((one, index) => (one - (labelled[index] ?? 0)) * wide)
        expect(gaps.every((gap) => gap >= text)).toBe(true)
      }),
    )
  })
})
