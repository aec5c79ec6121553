import { describe, expect, test } from 'vitest'
import {
  parseUserId,
  toRatingHref,
  toRatingsHref,
  toUserOnSymbolHref,
  toUserRatingsHref,
} from './page-addresses.ts'
import { EVERY_VIEW, readRatingsView, withFilter } from './ratings-view.ts'
import { only } from './value-list.ts'

const view = readRatingsView(
  new URLSearchParams('symbol=AAPL,-TSLA&page=3&sort=id&open=5&asof=2024-01-02'),
).query

test('the address of a rating keeps how it is looked at, and nothing of where it was found', () => {
  expect(toRatingHref(5, view.asof)).toBe('/ratings/5?asof=2024-01-02')
  expect(toRatingHref(-12, null)).toBe('/ratings/-12')
  expect(toRatingsHref({ asof: view.asof })).toBe('/?asof=2024-01-02')
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

describe('a user’s number in an address', () => {
  test('has one spelling', () => {
    const ids = [12, 0, -4, 10 ** 15, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER]
    expect(ids.map(String).map(parseUserId)).toEqual(ids)
    expect(['', '012', '1.5', '1e3', 'abc', '-0', '9007199254740992'].map(parseUserId)).toEqual(
      Array.from({ length: 7 }, () => null),
    )
  })

  test('leads to the user’s ratings', () => {
    expect(toUserRatingsHref(12)).toBe('/?user=12')
    expect(toUserRatingsHref(12, { symbol: 'AAPL' })).toBe('/?symbol=AAPL&user=12')
  })
})

describe('the address of ratings', () => {
  test('has 0 like any other value', () => {
    expect(toRatingsHref(withFilter(EVERY_VIEW, { user: only(0), prediction_min: '0' }))).toBe(
      '/?user=0&prediction_min=0',
    )
  })

  test('is one for one view, and the shortest for the whole table', () => {
    expect(toRatingsHref(EVERY_VIEW)).toBe('/')
    expect(toRatingsHref({ ...EVERY_VIEW, symbol: only('MSFT', 'AAPL') })).toBe(
      '/?symbol=AAPL,MSFT',
    )
  })
})
