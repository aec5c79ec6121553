import { querySchema } from './query-schema.ts'
import { RATINGS_PARAMETERS, RATINGS_RULES } from './ratings-query.ts'

const { sort: _sort, asof: _asof, ...PAGED_FILTERS } = RATINGS_PARAMETERS
const { page: _page, per_page: _perPage, ...FILTERS } = PAGED_FILTERS

export const ratingsFeedQuery = querySchema(PAGED_FILTERS, RATINGS_RULES)

export const newestRatingsQuery = querySchema(FILTERS, RATINGS_RULES)

export const FEED_ENDINGS = { atom: '.atom', json: '.feed.json' } as const
export type FeedFormat = keyof typeof FEED_ENDINGS
