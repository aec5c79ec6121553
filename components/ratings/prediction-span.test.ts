import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePredictionField, toBoundAbove, toJustBelow } from './prediction-span.ts'

describe('a bound of predictions', () => {
  it('is read as people write it, and 0 is a number', () => {
    expect(['12.5', '+12.50 %', '−3', '-3', ' 0 ', '0'].map(parsePredictionField)).toEqual([
      '12.5',
      '12.50',
      '-3',
      '-3',
      '0',
      '0',
    ])
  })

  it('tells nothing written from something that is no number', () => {
    expect(parsePredictionField('  ')).toBeNull()
    expect(['ten', '1e3', '1.2.3', '--1', '.5'].map(parsePredictionField)).toEqual(
      Array(5).fill(undefined),
    )
  })

  it('just below a bound lies one millionth, on either side of zero', () => {
    expect(['5', '0', '-2.5', '0.000001'].map(toJustBelow)).toEqual([
      '4.999999',
      '-0.000001',
      '-2.500001',
      '0',
    ])
  })

  it('a bar that was clicked is still known by its bound', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), (cents) => {
        const bound = String(cents / 100)
        expect(Number(toBoundAbove(toJustBelow(bound)))).toBe(cents / 100)
      }),
    )
  })

  it('an ordinary bound lies below none', () => {
    expect(['12.50', '0', '-3.1'].map(toBoundAbove)).toEqual([null, null, null])
  })
})
