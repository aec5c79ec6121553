import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatConsensus } from './consensus.ts'

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
