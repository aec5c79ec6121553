import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { surdText } from '#testing/archive/opinion-oracle.ts'
import { mean } from '#testing/archive/oracle.ts'
import { draws } from '#testing/draws.ts'
import {
  ExactSum,
  floorRoot,
  toDeviation,
  toMean,
  toMillionths,
  toMillionthsMean,
  toRankingBounds,
  toRatio,
  toRootText,
  toShortText,
  toShrunkMean,
  toWilsonLow,
} from './exact.ts'

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

describe('numbers with a root in them', () => {
  test('a whole root is the largest whose square is not above', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 10n ** 40n }), (value) => {
        const root = floorRoot(value)
        expect(root * root <= value && value < (root + 1n) * (root + 1n)).toBe(true)
      }),
    )
  })

  test('are rounded to the ten-thousandth next to them', () => {
    const form = fc.record({
      whole: fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }),
      sign: fc.constantFrom<1n | -1n>(1n, -1n),
      root: fc.oneof(
        fc.bigInt({ min: 0n, max: 10n ** 15n }),
        fc.bigInt({ min: 0n, max: 10n ** 7n }).map((root) => root * root),
      ),
      divisor: fc.bigInt({ min: 1n, max: 10n ** 6n }),
    })
    fc.assert(
      fc.property(form, (surd) => {
        expect(toRootText(surd)).toBe(surdText(surd))
      }),
      { numRuns: draws(500) },
    )
  })

  test('halves go up', () => {
    const half = { sign: 1n, root: 1n, divisor: 20_000n } as const
    expect(toRootText({ ...half, whole: 0n })).toBe('0.0001')
    expect(toRootText({ ...half, whole: -2n })).toBe('0.0000')
  })
})

describe('figures', () => {
  test('the deviation of one half at 5 and one at 1 is 2, of equals 0, of nobody nothing', () => {
    expect(toDeviation({ count: 4, sum: 12, squares: 52 })).toBe('2.0000')
    expect(toDeviation({ count: 3, sum: 12, squares: 48 })).toBe('0.0000')
    expect(toDeviation({ count: 0, sum: 0, squares: 0 })).toBeNull()
  })

  test('the bounds of a consensus close in on it as opinions come in', () => {
    const ofFives = (count: number) =>
      toRankingBounds({ count, sum: 5 * count, squares: 25 * count })
    expect(ofFives(0)).toEqual({ low: null, high: null })
    expect(ofFives(1)).toEqual({ low: '2.4037', high: '4.2630' })
    const lows = [1, 10, 100, 1000, 100_000].map((count) => Number(ofFives(count).low))
    expect(lows).toEqual([...lows].sort((a, b) => a - b))
    expect(lows.at(-1)).toBeGreaterThan(4.999)
  })

  test('Wilson’s lower end is that of the textbook', () => {
    expect(toWilsonLow(0, 0)).toBeNull()
    expect(toWilsonLow(0, 5)).toBe('0.0000')
    expect(toWilsonLow(1, 1)).toBe('0.2065')
    expect(toWilsonLow(5, 10)).toBe('0.2366')
    expect(toWilsonLow(90, 100)).toBe('0.8256')
    expect(toWilsonLow(2_147_483_647_000, 2_147_483_647_000)).toBe('1.0000')
  })

  test('a mean is drawn towards the common one, less the more opinions it is of', () => {
    expect(toShrunkMean({ sum: '100.000000', count: 1 }, '10.0000')).toBe('18.1818')
    expect(toShrunkMean({ sum: '100000.000000', count: 1000 }, '10.0000')).toBe('99.1089')
    expect(toShrunkMean({ sum: -4, count: 2 }, '0.0000')).toBe('-0.3333')
    expect(toShrunkMean({ sum: null, count: 0 }, '10.0000')).toBeNull()
    expect(toShrunkMean({ sum: '1', count: 1 }, null)).toBeNull()
  })
})

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
