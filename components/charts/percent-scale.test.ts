import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { toClipped, toPercentScale } from './percent-scale.ts'

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
