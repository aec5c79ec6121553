import { describe, expect, it } from 'vitest'
import type { Facets } from '#lib/contract/answers/ratings.ts'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { selectRatingFilters } from './filters/filter-summary.ts'
import { toBest, toPairWays, toSingleWays, toValueWays } from './no-results.tsx'

const read = (text: string) => readRatingsView(new URLSearchParams(text)).query
const facets: Facets = {
  rating: [
    { value: 4, label: 'Moderate Buy', count: 3 },
    { value: 5, label: 'Strong Buy', count: 4 },
  ],
  action: [],
  state: [],
  symbol: [
    { value: 'TSLA', count: 9 },
    { value: 'NVDA', count: 2 },
    { value: 'AAPL', count: 0 },
  ],
  user: [{ value: 12, count: 5 }],
  distinct: { symbols: 3, users: 1 },
  created: [],
  prediction: [],
  quality: [],
  bounds: { created: null, prediction: null },
}
const singles = (text: string) =>
  toSingleWays(selectRatingFilters(read(text)), facets).map(({ key, total }) => [key, total])

describe('the ways out of an empty result', () => {
  it('take what the facets count already, and ask only for the rest', () => {
    expect(singles('rating=1&symbol=ZZZ')).toEqual([
      ['symbol only', null],
      ['rating only', 7],
    ])
    expect(singles('created=2024')).toEqual([['created only', 0]])
  })

  it('do not mistake a facet for one of two filters on it', () => {
    expect(singles('rating=1,-1')).toEqual([
      ['rating only', null],
      ['rating not', null],
    ])
    expect(singles('created=2024&from=2025-01-01').map(([, total]) => total)).toEqual([null, null])
  })

  it('give every filter a key of its own', () => {
    const keys = singles('created=2024,-2025&from=2026-01-01&prediction=1,-2&prediction_min=3')
    expect(new Set(keys.map(([key]) => key)).size).toBe(keys.length)
  })

  it('bring single values back that were taken out, the most first', () => {
    const query = read('symbol=-TSLA,-NVDA,-AAPL')
    const ways = toValueWays(query, facets)
    expect(ways.map(({ filters, total }) => [filters[0]?.values[0], total])).toEqual([
      ['TSLA', 9],
      ['NVDA', 2],
    ])
    expect(ways[0]?.drop(query).symbol).toEqual({ only: [], not: ['NVDA', 'AAPL'] })
  })

  it('bring none back that the same list would still not leave', () => {
    expect(toValueWays(read('symbol=AAPL,-TSLA,-NVDA'), facets)).toEqual([])
  })

  it('are tried in pairs only where there are few', () => {
    const pairs = (text: string) => toPairWays(selectRatingFilters(read(text)))
    expect(pairs('symbol=A&rating=1')).toEqual([])
    expect(pairs('symbol=A&rating=1&action=1').map(({ key }) => key)).toEqual([
      'symbol only and rating only',
      'symbol only and action only',
      'rating only and action only',
    ])
    expect(pairs('symbol=A&rating=1&action=1&user=1&agree=1').length).toBe(10)
    expect(pairs('symbol=A&rating=1&action=1&user=1&agree=1&comments=1')).toEqual([])
  })

  it('ask what lenses leave: a rating may fall under several, so their counts make no sum', () => {
    expect(singles('quality=flip_within_day,-upgraded_false')).toEqual([
      ['quality only', null],
      ['quality not', null],
    ])
    expect(toValueWays(read('quality=-flip_within_day,-upgraded_false'), facets)).toEqual([])
  })

  it('of a pair takes both away and leaves the rest', () => {
    const query = read('symbol=A&rating=1&action=2')
    const [first] = toPairWays(selectRatingFilters(query))
    expect(first?.drop(query)).toEqual(read('action=2'))
  })

  it('that bring nothing are not offered', () => {
    const way = (total: number | null) => ({
      key: `${total}`,
      filters: [],
      drop: <Q>(q: Q) => q,
      total,
    })
    expect(toBest([way(0), way(1), way(null), way(5)]).map(({ total }) => total)).toEqual([
      5,
      1,
      null,
    ])
  })
})
