import { describe, expect, it } from 'vitest'
import { RATING_LABELS, ratingLabel } from '#lib/contract/rating-codes.ts'
import { only } from '#lib/contract/value-list.ts'
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

  it('stay where they are when one is chosen', () => {
    const rows = toTopRows({ top, chosen: only('NVDA'), most: 2 })
    expect(rows.map(({ value, isOn }) => [value, isOn])).toEqual([
      ['AAPL', false],
      ['NVDA', true],
    ])
  })

  it('always show what was chosen, with its count where it is known', () => {
    const rows = toTopRows({ top, chosen: { only: ['ZZZ'], not: ['TSLA'] }, most: 2 })
    expect(rows.slice(0, 2)).toEqual([
      { value: 'ZZZ', label: 'ZZZ', count: 0, isOn: true, isNot: false },
      { value: 'TSLA', label: 'TSLA', count: 7, isOn: false, isNot: true },
    ])
  })
})
