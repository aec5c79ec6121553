import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parsePredictionField, toBounds } from './prediction-range.ts'

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

  it('of a bin is the first and the last hundredth in it, on either side of zero', () => {
    const texts = (from: string, to: string, isLast = false) =>
      Object.values(toBounds({ from, to }, isLast))
    expect(texts('-38.094', '-35.638')).toEqual(['-38.09', '-35.64'])
    expect(texts('-5', '0')).toEqual(['-5', '-0.01'])
    expect(texts('0', '5')).toEqual(['0', '4.99'])
    expect(texts('55.234', '348.73', true)).toEqual(['55.24', '348.73'])
  })

  it('of a bin between two hundredths are its own edges', () => {
    expect(toBounds({ from: '1.001', to: '1.002' }, false)).toEqual({
      least: '1.001',
      most: '1.002',
    })
  })

  it('leaves no prediction with two places between two bins, and none in both', () => {
    fc.assert(
      fc.property(fc.integer({ min: -10_000_000, max: 10_000_000 }), (edge) => {
        const middle = String(edge / 1000)
        const below = toBounds({ from: '-20000', to: middle }, false)
        const above = toBounds({ from: middle, to: '20000' }, true)
        const gap = Math.round((Number(above.least) - Number(below.most)) * 100)
        expect(gap).toBe(1)
      }),
    )
  })
})
