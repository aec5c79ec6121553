import { describe, expect, test } from 'vitest'
import { toChartGroups, toScale, toTicks } from './calibration-chart.tsx'
import { toPlace, toReach } from './interval.tsx'

describe('the scales of predictions against what came', () => {
  test('are round, hold every value and 0, and have few steps', () => {
    expect(toTicks([-3.2, 11.7])).toEqual([-5, 0, 5, 10, 15])
    expect(toTicks([0.4, 0.9])).toEqual([0, 0.25, 0.5, 0.75, 1])
    expect(toTicks([])).toEqual([0, 0.25])
    for (const values of [[-1e6, 3], [0.0003], [-7, -2], [12.34, 99]]) {
      const ticks = toTicks(values)
      expect(ticks[0]).toBeLessThanOrEqual(Math.min(0, ...values))
      expect(ticks.at(-1)).toBeGreaterThanOrEqual(Math.max(0, ...values))
      expect(ticks.length).toBeLessThanOrEqual(7)
    }
  })

  test('both axes have one scale, by predictions and what came; a wide interval ends at its edge', () => {
    const groups = toChartGroups([
      {
        calls: 4,
        prediction: '-0.080000',
        return: '0.120000',
        return_low: '-0.900000',
        return_high: '0.300000',
      },
      {
        calls: 1,
        prediction: '0.010000',
        return: '0.020000',
        return_low: null,
        return_high: null,
      },
    ])
    expect(groups.map(({ interval }) => interval)).toEqual([[-90, 30], null])
    const { ticks, toPx } = toScale(groups, 100)
    expect(ticks).toEqual([-10, -5, 0, 5, 10, 15])
    expect([-10, 2.5, 15].map(toPx)).toEqual([0, 50, 100])
    expect([-90, 30].map(toPx)).toEqual([0, 100])
  })
})

describe('a figure with its interval', () => {
  test('stands on an axis whose middle it is held against, and never outside', () => {
    expect(toPlace(0.57, { reach: 0.5, middle: 0.5 })).toBe(57)
    expect(toPlace(-0.02, { reach: 0.05, middle: 0 })).toBe(30)
    expect(toPlace(7, { reach: 1, middle: 0 })).toBe(100)
    expect(toReach(['0.011', '-0.021', null])).toBe(0.03)
    expect(toReach(['25'])).toBe(25)
  })
})
