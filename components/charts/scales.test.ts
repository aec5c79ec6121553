import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { pointOf } from '#testing/components/chart-points.ts'
import {
  toClipped,
  toOffScale,
  toPaneScale,
  toPercentScale,
  toPredictionScale,
  toY,
} from './scales.ts'

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

  test('the lowest and the highest take no room from the middle half', () => {
    const wild = usual.map((point) => ({ ...point, low: -900, high: 900 }))
    expect(toPredictionScale(wild)).toEqual(toPredictionScale(usual))
  })

  test('single ratings have a place on it', () => {
    const dots = [1, 2, 3].map((id) => ({ id, t: 0, rating: 5, prediction: 24 }))
    expect(toPredictionScale([], dots).bound).toBeGreaterThanOrEqual(24)
  })
})

describe('what is off the scale', () => {
  test('is named at its edge, a line without a number', () => {
    const points = [pointOf({ q1: -90, median: 5, q3: 12 })]
    expect(toOffScale(points, [], 20)).toEqual({ above: null, below: 'off the scale' })
    const dots = [{ id: 1, t: 0, rating: 3, prediction: 999_999_999_999.5 }]
    expect(toOffScale([], dots, 20)).toEqual({ above: '1 rating off the scale', below: null })
  })
})

describe('the percent axis', () => {
  test('names exactly the single ratings that it puts on its edges', () => {
    const prediction = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    fc.assert(
      fc.property(fc.array(prediction), (values) => {
        const dots = values.map((one, id) => ({ id, t: 0, rating: 3, prediction: one }))
        const { bound } = toPredictionScale([], dots)
        const { above, below } = toOffScale([], dots, bound)
        const moved = values.filter((one) => toClipped(one, bound) !== one)
        const named = [above, below].map((text) => Number.parseInt(text ?? '0', 10))
        expect(named).toEqual([
          moved.filter((one) => one > 0).length,
          moved.filter((one) => one < 0).length,
        ])
      }),
    )
  })

  test('is symmetric around zero', () => {
    expect(toPercentScale([12, 14, -3]).ticks).toEqual([-20, -10, 0, 10, 20])
  })

  test('one wild value does not flatten the others', () => {
    const usual = Array.from({ length: 99 }, (_, index) => index / 10)
    expect(toPercentScale([...usual, 900])).toMatchObject({ bound: 10 })
  })

  test.each([
    [[10, 12, 8, 999_999_999_999.5], 200],
    [[-3, 999_999_999_999.5], 60],
    [[1, 4, 9, 15], 20],
    [[0, 0, 12], 20],
  ])('one wild value of few sets no scale, and an ordinary one does: %j', (values, bound) => {
    expect(toPercentScale(values).bound).toBe(bound)
  })

  test('has a width where every value is zero, and where there is none', () => {
    expect(toPercentScale([0, 0]).bound).toBeGreaterThan(0)
    expect(toPercentScale([]).bound).toBeGreaterThan(0)
  })
})
