import { describe, expect, it } from 'vitest'
import { type Bar, toSum } from './bars.ts'
import { toMerged } from './merged-bins.ts'

describe('bars', () => {
  it('several together hold what each of them holds, code by code from Strong Sell up', () => {
    const bar = (parts: Bar['parts'] & {}): Bar => ({
      key: '',
      label: '',
      count: parts.reduce((sum, { count }) => sum + count, 0),
      parts,
      isOn: true,
      pick: (query) => query,
    })
    const buy = { code: 5, label: 'Strong Buy', count: 2 }
    const sell = { code: 1, label: 'Strong Sell', count: 1 }
    expect(toSum([bar([buy]), bar([sell, buy])])).toEqual({
      count: 5,
      parts: [sell, { ...buy, count: 4 }],
    })
  })

  it('that are too many for their place are joined with their neighbours, and no row is lost', () => {
    const bins = Array.from({ length: 7 }, (_, from) => ({ from, to: from + 1, count: from }))
    expect(toMerged(bins, 3)).toEqual([
      { from: 0, to: 3, count: 3 },
      { from: 3, to: 6, count: 12 },
      { from: 6, to: 7, count: 6 },
    ])
    expect(toMerged(bins, 7)).toEqual(bins)
  })
})
