import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toPriceScale, toPriceY } from './price-scale.ts'

const closes = fc.array(fc.option(fc.double({ min: 1e-6, max: 1e7, noNaN: true })), {
  minLength: 1,
  maxLength: 40,
})

it('every close stands within its pane, higher ones higher, on either scale', () => {
  fc.assert(
    fc.property(closes, fc.boolean(), (given, isLog) => {
      const line = { closes: given, isLog }
      const scale = toPriceScale(line)
      const known = given.filter((close) => close !== null).sort((a, b) => a - b)
      const places = known.map((close) => toPriceY(scale, close) ?? Number.NaN)
      for (const y of places) {
        expect(y).toBeGreaterThanOrEqual(scale.pane.high - 1e-6)
        expect(y).toBeLessThanOrEqual(scale.pane.low + 1e-6)
      }
      expect([...places].sort((a, b) => b - a)).toEqual(places)
      expect(scale.ticks.length).toBeLessThanOrEqual(7)
    }),
  )
})

it('a price that moved by less than its digits stands in the middle', () => {
  const line = { closes: [9999999.99999995, 9999999.999999952] }
  for (const isLog of [true, false]) {
    const scale = toPriceScale({ ...line, isLog })
    const middle = (scale.pane.high + scale.pane.low) / 2
    for (const close of line.closes)
      expect(Math.abs((toPriceY(scale, close) ?? 0) - middle)).toBeLessThan(3)
  }
})

it('names round prices', () => {
  const of = (isLog: boolean, ...given: number[]) => {
    const scale = toPriceScale({ closes: given, isLog })
    return scale.ticks.map(scale.toPrice)
  }
  expect(of(false, 181, 263)).toEqual([200, 220, 240, 260])
  expect(of(true, 1, 1000)).toEqual([1, 5, 20, 100, 500])
  expect(of(true, 181, 263)).toEqual([200, 220, 240, 260])
})
