import { describe, expect, it } from 'vitest'
import { withoutFilters } from '#components/format/filter-words.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { EVERY_VIEW, RATINGS_PAGE } from '#lib/contract/ratings-view.ts'
import { ANY, only, toToggled } from '#lib/contract/value-list.ts'
import { toHref, withFilter, withPage, withSort } from './ratings-address.ts'

const THIRD_PAGE = withPage(EVERY_RATING, 3)

describe('a change of the query', () => {
  it('of a filter or of the order begins at the first page', () => {
    expect(withFilter(THIRD_PAGE, { rating: only(5) }).page).toBe(1)
    expect(withSort(THIRD_PAGE, { column: 'id', direction: 'asc' }).page).toBe(1)
  })

  it('of the page leaves everything else', () => {
    expect(THIRD_PAGE).toEqual({ ...EVERY_RATING, page: 3 })
  })

  it('clearing keeps the instant, the order and the page size, which are no filters', () => {
    const query = { ...THIRD_PAGE, symbol: only('AAPL'), asof: 0, per_page: 100 }
    expect(withoutFilters(RATINGS_PAGE, query)).toEqual({ ...EVERY_RATING, asof: 0, per_page: 100 })
  })

  it('0 can be chosen and taken away like any other value', () => {
    expect(toToggled<number>(ANY, 0)).toEqual(only(0))
    expect(toToggled(only(0, 4), 0)).toEqual(only(4))
    expect(toHref(withFilter(EVERY_VIEW, { user: only(0), prediction_min: '0' }))).toBe(
      '/?user=0&prediction_min=0',
    )
  })

  it('gives one address for one view, and the shortest for the whole table', () => {
    expect(toHref(EVERY_VIEW)).toBe('/')
    expect(toHref({ ...EVERY_VIEW, symbol: only('MSFT', 'AAPL') })).toBe('/?symbol=AAPL,MSFT')
  })
})
