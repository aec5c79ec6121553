import { expect, test } from 'vitest'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import { toEveryRatingHref, toRatingHref, toUserOnSymbolHref } from './rating-address.ts'

const view = readRatingsView(
  new URLSearchParams('symbol=AAPL,-TSLA&page=3&sort=id&open=5&asof=2024-01-02'),
).query

test('the address of a rating keeps how it is looked at, and nothing of where it was found', () => {
  expect(toRatingHref(5, view.asof)).toBe('/ratings/5?asof=2024-01-02')
  expect(toRatingHref(-12, null)).toBe('/ratings/-12')
  expect(toEveryRatingHref(view.asof)).toBe('/?asof=2024-01-02')
})

test('a user’s ratings of a symbol are found, whatever the symbol is called', () => {
  for (const symbol of ['AAPL', 'brk.b', 'A,B', '-A', '"Q"']) {
    const [, search] = toUserOnSymbolHref({ user_id: 12, symbol }, view.asof).split('?')
    const { query, ignored } = readRatingsView(new URLSearchParams(search))
    expect(ignored).toEqual([])
    expect(query.symbol).toEqual({ only: [symbol.toUpperCase()], not: [] })
    expect(query).toMatchObject({ user: { only: [12] }, asof: view.asof, open: null })
  }
})
