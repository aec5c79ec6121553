import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ExactSum } from './exact-sum.ts'

test('no digit is lost, however large the sum becomes', () => {
  const value = fc.integer({ min: -(2 ** 52), max: 2 ** 52 })
  fc.assert(
    fc.property(fc.array(value, { maxLength: 50 }), (values) => {
      const sum = new ExactSum()
      for (const one of values) sum.add(one)
      expect(sum.total).toBe(values.reduce((all, one) => all + BigInt(one), 0n))
    }),
  )
})
