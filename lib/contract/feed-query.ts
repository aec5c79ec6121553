import { querySchema } from './query-schema.ts'
import {
  EVERY_RATING,
  RATINGS_PARAMETERS,
  type RatingsQuery,
  refuseEmptySpans,
  toSearchParams,
} from './ratings-query.ts'

/** A feed is of now and has the newest first: that cannot be asked otherwise. */
const { sort: _sort, asof: _asof, ...FILTERS } = RATINGS_PARAMETERS

/** `GET /api/ratings.atom` and `/api/ratings.feed.json`: the filters of the ratings. */
export const ratingsFeedQuery = querySchema(FILTERS, refuseEmptySpans)

/** What a feed of the ratings of a query is asked with, and what its page is. */
export const toFeedParams = (query: RatingsQuery): URLSearchParams => {
  const { sort, asof, page, per_page } = EVERY_RATING
  return toSearchParams({ ...query, sort, asof, page, per_page })
}

export const FEED_ENDINGS = { atom: '.atom', json: '.feed.json' } as const
export type FeedFormat = keyof typeof FEED_ENDINGS
