import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toDensityCells, toFullCount } from './density.ts'
import { toJitter } from './jitter.ts'

const count = fc.integer({ min: 0, max: 5000 })
const buckets = fc.array(
  fc.tuple(count, count, count, count, count).map((postedByRating) => ({ postedByRating })),
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
