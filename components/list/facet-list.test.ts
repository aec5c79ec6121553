import { describe, expect, it } from 'vitest'
import { RATING_LABELS, ratingLabel } from '#lib/contract/rating-fields.ts'
import { ANY, only } from '#lib/contract/value-list.ts'
import { toCodeRows, toTopRows } from './facet-list.tsx'

const codes = (counted: Parameters<typeof toCodeRows>[0]['counted'], chosen: number[] = []) =>
  toCodeRows({ known: RATING_LABELS, counted, chosen: only(...chosen), toLabel: ratingLabel })

describe('the lines of a filter by code', () => {
  it('keep their place when nothing matches them', () => {
    expect(
      codes([{ value: 4, label: 'Moderate Buy', count: 7 }]).map(({ count }) => count),
    ).toEqual([0, 0, 0, 7, 0])
  })

  it("show another service's codes by that service's own labels", () => {
    const rows = codes([{ value: 0, label: 'Abstained', count: 2 }], [0, 9])
    expect(rows[0]).toEqual({ value: 0, label: 'Abstained', count: 2, isOn: true, isNot: false })
    expect(rows.at(-1)).toEqual({ value: 9, label: 'Rating 9', count: 0, isOn: true, isNot: false })
  })

  it('claim no count before there is one', () => {
    expect(codes(undefined).every(({ count }) => count === null)).toBe(true)
  })
})

describe('the lines of a filter with many values', () => {
  const top = [
    { value: 'AAPL', count: 9 },
    { value: 'NVDA', count: 8 },
    { value: 'TSLA', count: 7 },
  ]

  it('stand in the places that they keep, whatever is chosen and however often it is there', () => {
    const places = ['TSLA', 'AAPL', 'ZZZ']
    const rows = toTopRows({
      top,
      distinct: 3,
      chosen: { only: ['ZZZ'], not: ['AAPL'] },
      places,
    })
    expect(rows.map(({ value, count, isOn, isNot }) => [value, count, isOn, isNot])).toEqual([
      ['TSLA', 7, false, false],
      ['AAPL', 9, false, true],
      ['ZZZ', 0, true, false],
    ])
  })

  it('claim no count where others are more frequent and nobody counted them', () => {
    const rows = toTopRows({ top, distinct: 40, chosen: ANY, places: ['AAPL', 'F'] })
    expect(rows.map(({ count }) => count)).toEqual([9, null])
  })
})
