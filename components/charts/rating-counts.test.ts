import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toJitter } from './layout.ts'
import {
  toBarTop,
  toDensityCells,
  toFullCount,
  toHighest,
  toLabelled,
  toStack,
  toTrendScale,
} from './rating-counts.ts'

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

const densityCount = fc.integer({ min: 0, max: 5000 })
const buckets = fc.array(
  fc
    .tuple(densityCount, densityCount, densityCount, densityCount, densityCount)
    .map((postedByRating) => ({ postedByRating })),
)

describe('density', () => {
  test('every label that came in a bucket has a cell, and no other', () => {
    fc.assert(
      fc.property(buckets, (points) => {
        const cells = toDensityCells(points)
        const came = points.flatMap(({ postedByRating }) => postedByRating.filter((n) => n > 0))
        expect(cells).toHaveLength(came.length)
        expect(cells.every(({ step }) => step >= 0 && step <= 4)).toBe(true)
      }),
    )
  })

  test('more is never paler', () => {
    fc.assert(
      fc.property(buckets, (points) => {
        const cells = toDensityCells(points).map((cell) => ({
          ...cell,
          n: points[cell.column]?.postedByRating[cell.rating - 1] ?? 0,
        }))
        cells.sort((a, b) => a.n - b.n)
        const steps = cells.map(({ step }) => step)
        expect(steps).toEqual(steps.toSorted((a, b) => a - b))
      }),
    )
  })

  test('one rush does not make all others pale', () => {
    const usual = Array.from({ length: 40 }, () => ({ postedByRating: [0, 0, 0, 0, 8] }))
    expect(toFullCount([...usual, { postedByRating: [0, 0, 0, 0, 900] }])).toBe(8)
  })
})

test('ids that follow one another are moved apart, and always the same way', () => {
  const moved = Array.from({ length: 200 }, (_, id) => toJitter(id + 70_000))
  expect(moved.every((one) => one >= -1 && one <= 1)).toBe(true)
  expect(new Set(moved.map((one) => one.toFixed(2))).size).toBeGreaterThan(60)
  expect(toJitter(12)).toBe(toJitter(12))
})
