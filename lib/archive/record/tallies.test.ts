import { expect, test } from 'vitest'
import { toDecimal } from './tallies.ts'

test('a decimal has six places, and of a large one no digit that depends on the order of a sum', () => {
  expect(toDecimal(0.1 + 0.2)).toBe('0.300000')
  expect(toDecimal(-0.000_000_1)).toBe('0.000000')
  expect(toDecimal(123_456.789_012)).toBe('123456.789012')
  const [one, other] = [1_428_571_428.222_828, 1_428_571_428.222_829]
  expect(toDecimal(one)).toBe('1428571428.220000')
  expect(toDecimal(one)).toBe(toDecimal(other))
  expect(toDecimal(Number.NaN)).toBeNull()
})
