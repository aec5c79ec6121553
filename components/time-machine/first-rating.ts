import { ratingsOptions } from '#lib/client/query-options.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'

/** The first rating of all, as the only one of a page. The first stays the first: it is asked for once. */
export const firstRatingOptions = (fetchApi?: Parameters<typeof ratingsOptions>[1]) => ({
  ...ratingsOptions(
    { ...EVERY_RATING, sort: { column: 'created_at', direction: 'asc' }, per_page: 1 },
    fetchApi,
  ),
  staleTime: Number.POSITIVE_INFINITY,
})
