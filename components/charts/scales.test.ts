import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointOf } from '#testing/components/chart-points.ts'
import {
  toBeyondText,
  toClipped,
  toCountScale,
  toPaneScale,
  toPercentScale,
  toPredictionScale,
  toY,
} from './scales.ts'

describe('the count axis', () => {
  test('holds every count and names whole numbers only', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 10_000_000 })), (counts) => {
        const { bound, ticks } = toCountScale(counts)
        expect(counts.every((count) => count <= bound)).toBe(true)
        expect(ticks.every(Number.isInteger)).toBe(true)
        expect(ticks.length).toBeGreaterThan(2)
        expect(ticks.length).toBeLessThan(7)
        expect(ticks.at(-1)).toBeLessThanOrEqual(bound)
      }),
    )
  })

  test('wastes nothing of its height, and names round numbers', () => {
    expect(toCountScale([312])).toEqual({ bound: 312, ticks: [0, 100, 200, 300] })
    expect(toCountScale([184])).toEqual({ bound: 184, ticks: [0, 50, 100, 150] })
    expect(toCountScale([11])).toEqual({ bound: 11, ticks: [0, 5, 10] })
    expect(toCountScale([])).toEqual({ bound: 2, ticks: [0, 1, 2] })
  })
})

describe('the scale of a pane', () => {
  const scale = toPaneScale({ height: 200, domain: [1, 5], padding: { top: 10, bottom: 10 } })

  test('has its lowest value at the foot and its highest at the head, inside of the padding', () => {
    expect(toY(scale, 1)).toBe(189)
    expect(toY(scale, 5)).toBe(14)
    expect(toY(scale, 3)).toBeCloseTo((189 + 14) / 2)
  })
})

const calm = (index: number) =>
  pointOf({ t: index, q1: 2, median: 5 + index / 20, q3: 12, low: -4, high: 18 })

describe('the scale of the prediction pane', () => {
  const usual = Array.from({ length: 40 }, (_, index) => calm(index))

  test('has room for the lowest and the highest where they leave the middle half its course', () => {
    expect(toPredictionScale(usual)).toMatchObject({ bound: 20, beyond: 0 })
  })

  test('a wild highest does not squeeze the usual values, but is counted at the edge', () => {
    const wild = usual.map((point) => ({ ...point, high: 900 }))
    expect(toPredictionScale(wild)).toMatchObject({ bound: 20, beyond: 40, isMarked: false })
    expect(toBeyondText({ bucket: 'day', points: wild })).toBe(
      'In 40 of 40 days a prediction lies beyond ±20% and is not drawn.',
    )
  })

  test('where most buckets would have a mark at the edge, the scale is widened to hold them', () => {
    const lone = usual.map((point) => ({ ...point, low: -60 }))
    expect(toPredictionScale(lone)).toMatchObject({ bound: 60, beyond: 0, isMarked: false })
    const once = usual.map((point, index) => (index < 5 ? { ...point, low: -60 } : point))
    expect(toPredictionScale(once)).toMatchObject({ bound: 20, beyond: 5, isMarked: true })
  })

  test('a bucket that goes beyond both edges is counted once', () => {
    const scale = toPredictionScale([...usual, pointOf({ low: -900, high: 900 })])
    expect(scale).toMatchObject({ above: [40], below: [40], beyond: 1 })
  })

  test('single ratings have a place on it', () => {
    const dots = [1, 2, 3].map((id) => ({ id, t: 0, rating: 5, prediction: 24 }))
    expect(toPredictionScale([], dots).bound).toBeGreaterThanOrEqual(24)
  })

  test('a single rating beyond it is counted in its bucket, though it was never active', () => {
    const points = usual.map((point, index) => ({ ...point, t: index * 10 }))
    const dots = [5, -900].map((prediction, id) => ({ id, t: 57, rating: 1, prediction }))
    const few = Array.from({ length: 30 }, (_, id) => ({ id, t: 0, rating: 1, prediction: 4 }))
    expect(toPredictionScale(points, [...few, ...dots])).toMatchObject({
      above: [],
      below: [5],
      beyond: 1,
    })
  })

  test('counts exactly the buckets that it cannot hold', () => {
    const percent = fc.option(fc.double({ min: -1e4, max: 1e4, noNaN: true }), { nil: null })
    const point = fc.record({ low: percent, high: percent, median: percent }).map(pointOf)
    fc.assert(
      fc.property(fc.array(point), (points) => {
        const { bound, beyond } = toPredictionScale(points)
        const cut = points.filter(({ low, high }) => (low ?? 0) < -bound || (high ?? 0) > bound)
        expect(beyond).toBe(cut.length)
      }),
    )
  })
})

describe('what the prediction pane cannot show in its place', () => {
  const usual = Array.from({ length: 40 }, (_, index) => calm(index))

  test('is counted in words', () => {
    expect(
      toBeyondText({ bucket: 'month', points: [...usual, pointOf({ low: -900, high: 1 })] }),
    ).toBe('In 1 of 41 months a prediction lies beyond ±20% and is marked at the edge.')
  })

  test('is not mentioned where there is none', () => {
    expect(toBeyondText({ bucket: 'month', points: usual })).toBeNull()
  })
})

describe('the percent axis', () => {
  test('counts exactly the values that it puts on its edge', () => {
    const value = fc.option(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { nil: null })
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const { bound, beyond } = toPercentScale(values)
        const moved = values.filter((one) => toClipped(one, bound) !== one)
        expect(moved).toHaveLength(beyond)
      }),
    )
  })

  test('is symmetric around zero', () => {
    expect(toPercentScale([12, 14, -3]).ticks).toEqual([-20, -10, 0, 10, 20])
  })

  test('one wild value does not flatten the others', () => {
    const usual = Array.from({ length: 99 }, (_, index) => index / 10)
    expect(toPercentScale([...usual, 900])).toMatchObject({ bound: 10, beyond: 1 })
  })

  test('has a width where every value is zero, and where there is none', () => {
    expect(toPercentScale([0, 0]).bound).toBeGreaterThan(0)
    expect(toPercentScale([]).bound).toBeGreaterThan(0)
  })
})
