import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

const LATEST = 10

export const toLatestQuery = (query: RatingsQuery): RatingsQuery => ({ ...query, per_page: LATEST })
