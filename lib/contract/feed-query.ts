import { querySchema } from './query-schema.ts'
import { RATINGS_PARAMETERS, RATINGS_RULES } from './ratings-query.ts'

/** A feed is of now and has the newest first. */
const { sort: _sort, asof: _asof, ...PAGED_FILTERS } = RATINGS_PARAMETERS
const { page: _page, per_page: _perPage, ...FILTERS } = PAGED_FILTERS

/** `GET /api/ratings.atom` and `/api/ratings.feed.json`: the filters of the ratings. */
export const ratingsFeedQuery = querySchema(PAGED_FILTERS, RATINGS_RULES)

/** The address of a feed's first page. */
export const newestRatingsQuery = querySchema(FILTERS, RATINGS_RULES)

export const FEED_ENDINGS = { atom: '.atom', json: '.feed.json' } as const
export type FeedFormat = keyof typeof FEED_ENDINGS
