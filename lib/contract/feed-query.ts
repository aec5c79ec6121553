import { querySchema } from './query-schema.ts'
import { ratingsQuery } from './ratings-query.ts'

const { sort: _sort, asof: _asof, ...PAGED_FILTERS } = ratingsQuery.parameters
const { page: _page, per_page: _perPage, ...FILTERS } = PAGED_FILTERS

export const ratingsFeedQuery = querySchema(PAGED_FILTERS, ratingsQuery)

export const newestRatingsQuery = querySchema(FILTERS, ratingsQuery)

export const FEED_ENDINGS = { atom: '.atom', json: '.feed.json' } as const
export type FeedFormat = keyof typeof FEED_ENDINGS
