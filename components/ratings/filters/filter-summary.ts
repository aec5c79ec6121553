import {
  createFilterReader,
  type Filter,
  selectFilters,
  toFilteredTitle,
} from '#components/format/filter-words.ts'
import { UTC } from '#components/format/instants.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { RATINGS_PAGE } from '#lib/contract/ratings-view.ts'

export const selectRatingFilters = (query: RatingsQuery, zone?: string): Filter[] =>
  selectFilters(RATINGS_PAGE, query, createFilterReader(zone))

export const selectRatingChips = (query: RatingsQuery, zone?: string): Filter[] =>
  selectRatingFilters(query, zone).filter(({ isContext }) => !isContext)

/** In UTC, as written by the server: `AAPL, Moderate Buy or Strong Buy · Ratings` */
export const toQueryTitle = (query: RatingsQuery): string =>
  toFilteredTitle(selectRatingFilters(query, UTC), RATINGS_PAGE.title)

/** The layout's title template does not apply to a page on its own level. */
export const toPageTitle = (query: RatingsQuery): string => `${toQueryTitle(query)} · Bellwether`
