import { describe, expect, test } from 'vitest'
import { toSparkPath, toSparkReading } from './sparkline.tsx'

const SIZE = { width: 12, height: 10 }

describe('a sparkline', () => {
  test('has 5 at its top and 1 at its bottom, whatever its own values are', () => {
    expect(toSparkPath(['5.0000', '1.0000', '3.0000'], SIZE)).toBe('M1 1L6 9L11 5')
    expect(toSparkPath(['3.0100', '3.0200', '3.0000'], SIZE)).toBe('M1 5L6 5L11 5')
  })

  test('is broken where there is no value, and draws a value that stands alone', () => {
    expect(toSparkPath(['5.0000', null, '1.0000', '1.0000'], { width: 8, height: 10 })).toBe(
      'M1 1h0M5 9L7 9',
    )
    expect(toSparkPath([null, null], SIZE)).toBe('')
  })

  test('stays on the scale with codes that do not', () => {
    expect(toSparkPath(['-7.0000', '9.0000'], SIZE)).toBe('M1 9L11 1')
  })

  test('says where it began, where it is, and between what it moved', () => {
    const read = (spark: (string | null)[]) => toSparkReading(spark, (text) => text.slice(0, 4))
    expect(read([null, '3.5000', '4.2500', '4.0000'])).toBe(
      'Consensus in a year: 3.50 to 4.00, between 3.50 and 4.25',
    )
    expect(read(['3.5000', null])).toBe(
      'Consensus in a year: 3.50 to 3.50, none now, between 3.50 and 3.50',
    )
    expect(read([null, null])).toBe('No consensus in the last year')
  })
})
