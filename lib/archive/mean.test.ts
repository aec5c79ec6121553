import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toMillionths, toShortText } from './decimal.ts'
import { toMean, toMillionthsMean, toRatio } from './mean.ts'
import { mean } from './oracle.test-support.ts'

test('means are divided exactly and rounded once, half away from zero', () => {
  expect(toMean(1, 3, 4)).toBe('0.3333')
  expect(toMean(2, 3, 4)).toBe('0.6667')
  expect(toMean(161, 160, 4)).toBe('1.0063')
  expect(toMean(-161, 160, 4)).toBe('-1.0063')
  expect(toMean('-0.000001', 3, 4)).toBe('0.0000')
  expect(toMean('99999999999999999999.999999', 1, 6)).toBe('99999999999999999999.999999')
  expect(toMean(null, 0, 4)).toBeNull()
  expect(toRatio(0, 0)).toBe('0.0000')
  expect(toRatio(1, 1)).toBe('1.0000')
})

test('a mean agrees with long division, whatever it is the mean of', () => {
  const values = fc.array(fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }), { minLength: 1 })
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 6 }), (sum, places) => {
      const total = sum.reduce((a, b) => a + b, 0n)
      expect(toMillionthsMean(total, sum.length, places)).toBe(mean(sum, places))
      expect(toMean(toShortText(total), sum.length, places)).toBe(mean(sum, places))
    }),
  )
})

test('millionths come back from their shortest text', () => {
  expect(toShortText(-12_500_000n)).toBe('-12.5')
  expect(toShortText(100_000_000n)).toBe('100')
  expect(toShortText(0n)).toBe('0')
  fc.assert(fc.property(fc.bigInt(), (value) => toMillionths(toShortText(value)) === value))
  expect(() => toMillionths('1e5')).toThrow(RangeError)
})
