import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

/** How many of the newest ratings a symbol's or a user's page shows. */
export const LATEST = 10

/** The newest few among the ratings of a query. */
export const toLatestQuery = (query: RatingsQuery): RatingsQuery => ({ ...query, per_page: LATEST })
