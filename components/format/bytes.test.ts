import { expect, test } from 'vitest'
import { formatBytes } from './bytes.ts'
import { formatCount, formatCounted } from './count.ts'

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
