import { querySchema, toParams } from './query-schema.ts'
import { type RatingsQuery, ratingsQuery, toQueryText } from './ratings-query.ts'

const { sort: _sort, asof: _asof, ...PAGED_FILTERS } = ratingsQuery.parameters
const { page: _page, per_page: _perPage, ...FILTERS } = PAGED_FILTERS

export const ratingsFeedQuery = querySchema(PAGED_FILTERS, ratingsQuery)

export const newestRatingsQuery = querySchema(FILTERS, ratingsQuery)

/** Carries the token of a reader that cannot sign in. */
export const LINK_PARAMETER = 'link'

export const CHANGES_FEED = '/api/changes.atom'

export const toRatingsFeed = (query: Partial<RatingsQuery>): string =>
  `/api/ratings.atom${toQueryText(toParams(newestRatingsQuery, query))}`
