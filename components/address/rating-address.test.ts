import { expect, test } from 'vitest'
import { readRatingsView } from '#lib/contract/ratings-view.ts'
import {
  readRatingOutlook,
  toEveryRatingHref,
  toRatingHref,
  toUserOnSymbolHref,
} from './rating-address.ts'

const view = readRatingsView(
  new URLSearchParams(
    'symbol=AAPL,-TSLA&page=3&sort=id&open=5&asof=2024-01-02&tz=America/New_York',
  ),
).query

test('the address of a rating keeps how it is looked at, and nothing of where it was found', () => {
  expect(toRatingHref(5, view)).toBe('/ratings/5?asof=2024-01-02&tz=America/New_York')
  expect(toRatingHref(-12, { asof: null, tz: 'UTC' })).toBe('/ratings/-12')
  expect(toEveryRatingHref(view)).toBe('/?asof=2024-01-02&tz=America/New_York')
})

test('what an address of a rating says is read back, and the rest is named', () => {
  const [, search] = toRatingHref(5, view).split('?')
  expect(readRatingOutlook(new URLSearchParams(search))).toEqual({
    outlook: { asof: view.asof, tz: view.tz },
    ignored: [],
  })
  const { outlook, ignored } = readRatingOutlook(new URLSearchParams('asof=soon&tz=Mars&page=2'))
  expect(outlook).toEqual({ asof: null, tz: 'UTC' })
  expect(ignored.map(({ parameter }) => parameter).sort()).toEqual(['asof', 'page', 'tz'])
})

test('a user’s ratings of a symbol are found, whatever the symbol is called', () => {
  for (const symbol of ['AAPL', 'brk.b', 'A,B', '-A', '"Q"']) {
    const [, search] = toUserOnSymbolHref({ user_id: 12, symbol }, view).split('?')
    const { query, ignored } = readRatingsView(new URLSearchParams(search))
    expect(ignored).toEqual([])
    expect(query.symbol).toEqual({ only: [symbol.toUpperCase()], not: [] })
    expect(query).toMatchObject({ user: { only: [12] }, asof: view.asof, tz: view.tz, open: null })
  }
})
