import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toPriceScale, toPriceY } from './price-scale.ts'

const closes = fc.array(fc.option(fc.double({ min: 1e-6, max: 1e7, noNaN: true })), {
  minLength: 1,
  maxLength: 40,
})

it('every close stands within its pane, higher ones higher', () => {
  fc.assert(
    fc.property(closes, (given) => {
      const scale = toPriceScale(given)
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
  const given = [9999999.99999995, 9999999.999999952]
  const scale = toPriceScale(given)
  const middle = (scale.pane.high + scale.pane.low) / 2
  for (const close of given) {
    expect(Math.abs((toPriceY(scale, close) ?? 0) - middle)).toBeLessThan(3)
  }
})

it('names round prices', () => {
  expect(toPriceScale([181, 263]).ticks).toEqual([200, 220, 240, 260])
})
