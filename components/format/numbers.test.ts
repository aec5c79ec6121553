import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  formatBytes,
  formatConsensus,
  formatCount,
  formatCounted,
  formatMeanPrediction,
  formatPrediction,
  toAgreementText,
} from './numbers.ts'

test('sizes are in decimal units with three digits that mean something', () => {
  expect(formatBytes(0)).toBe('0 B')
  expect(formatBytes(999)).toBe('999 B')
  expect(formatBytes(11_812_345)).toBe('11.8 MB')
  expect(formatBytes(118_123_450)).toBe('118 MB')
  expect(formatBytes(999_999)).toBe('1.0 MB')
  expect(formatBytes(1_160_000_000)).toBe('1.2 GB')
})

test('counts carry thousands separators and their noun', () => {
  expect(formatCount(98_310)).toBe('98,310')
  expect(formatCounted(1, 'rating')).toBe('1 rating')
  expect(formatCounted(2911, 'rating')).toBe('2,911 ratings')
})

test('a consensus has two decimals, rounded half away from zero on the text itself', () => {
  expect(formatConsensus('4.2100')).toBe('4.21')
  expect(formatConsensus('4.2150')).toBe('4.22')
  expect(formatConsensus('1.0050')).toBe('1.01')
  expect(formatConsensus('4.9999')).toBe('5.00')
  expect(formatConsensus('3')).toBe('3.00')
  expect(formatConsensus('-0.505')).toBe('−0.51')
  expect(formatConsensus(null)).toBe('–')
})

test('rounding agrees with whole-number arithmetic for every four-digit mean', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 99_999 }), (tenThousandths) => {
      const text = `${Math.floor(tenThousandths / 10_000)}.${String(tenThousandths % 10_000).padStart(4, '0')}`
      const hundredths = Math.floor((tenThousandths + 50) / 100)
      const expected = `${Math.floor(hundredths / 100)}.${String(hundredths % 100).padStart(2, '0')}`
      expect(formatConsensus(text)).toBe(expected)
    }),
  )
})

test('the sign is always printed, with a true minus, and zero has none', () => {
  expect(formatPrediction('12.50')).toBe('+12.50%')
  expect(formatPrediction('-3.00')).toBe('−3.00%')
  expect(formatPrediction('0.00')).toBe('0.00%')
  expect(formatPrediction('-0.00')).toBe('0.00%')
})

test('the digits stay those that came', () => {
  expect(formatPrediction('8')).toBe('+8%')
  expect(formatPrediction('+8.125000')).toBe('+8.125000%')
  expect(formatPrediction('1234567.10')).toBe('+1,234,567.10%')
  expect(formatPrediction('unknown')).toBe('unknown')
})

test('no digit behind the point is ever lost or rounded', () => {
  const text = fc
    .tuple(fc.integer({ min: 0, max: 999 }), fc.stringMatching(/^\d{1,6}$/))
    .map(([whole, fraction]) => `${whole}.${fraction}`)
  fc.assert(
    fc.property(text, (decimal) => {
      expect(formatPrediction(decimal).replace('+', '')).toBe(`${decimal}%`)
    }),
  )
})

test('a mean is rounded once, half away from zero', () => {
  expect(formatMeanPrediction('9.5050')).toBe('+9.51%')
  expect(formatMeanPrediction('-9.5050')).toBe('−9.51%')
  expect(formatMeanPrediction('-0.0010')).toBe('0.00%')
  expect(formatMeanPrediction(null)).toBe('–')
})

test('agreement is a share of the votes, rounded half up', () => {
  expect(toAgreementText(81, 19)).toBe('81%')
  expect(toAgreementText(1, 199)).toBe('1%')
  expect(toAgreementText(2, 1)).toBe('67%')
})

test('without votes there is no agreement, which is not zero', () => {
  expect(toAgreementText(0, 0)).toBeNull()
  expect(toAgreementText(0, 3)).toBe('0%')
})
