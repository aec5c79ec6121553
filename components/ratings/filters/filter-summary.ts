import {
  createFilterReader,
  type Filter,
  selectFilters,
  toFilteredTitle,
} from '#components/format/filter-words.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { RATINGS_PAGE } from '#lib/contract/ratings-view.ts'

type SummaryQuery = RatingsQuery & Partial<Pick<RatingsView, 'tz'>>

export const selectRatingFilters = (query: SummaryQuery): Filter[] =>
  selectFilters(RATINGS_PAGE, query, createFilterReader(query.tz))

export const selectRatingChips = (query: SummaryQuery): Filter[] =>
  selectRatingFilters(query).filter(({ isContext }) => !isContext)

/** `AAPL, Moderate Buy or Strong Buy · Ratings` */
export const toQueryTitle = (query: SummaryQuery): string =>
  toFilteredTitle(selectRatingFilters(query), RATINGS_PAGE.title)

/** The layout's title template does not apply to a page on its own level. */
export const toPageTitle = (query: SummaryQuery): string => `${toQueryTitle(query)} · Bellwether`
