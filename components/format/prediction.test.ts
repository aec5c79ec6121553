import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatMeanPrediction, formatPrediction } from './prediction.ts'

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
