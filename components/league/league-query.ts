import { toAsofParameter } from '#lib/contract/instant-text.ts'
import type { Sort } from '#lib/contract/parameters.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

/** What a league table's address asks for. */
export type LeagueQuery<C extends string> = {
  q: string
  sort: Sort<C>
  /** Seconds since 1970; null is now. */
  asof: number | null
  page: number
  per_page: number
}

/** The canonical address of a league query: names in a fixed order, what `standard` says left out. */
export function toLeagueParams<C extends string>(
  query: LeagueQuery<C>,
  standard: LeagueQuery<C>,
): URLSearchParams {
  const params = new URLSearchParams()
  if (query.q !== standard.q) params.set('q', query.q)
  const sort = toSortText(query.sort)
  if (sort !== toSortText(standard.sort)) params.set('sort', sort)
  if (query.asof !== null) params.set('asof', toAsofParameter(query.asof))
  if (query.page !== standard.page) params.set('page', String(query.page))
  if (query.per_page !== standard.per_page) params.set('per_page', String(query.per_page))
  return params
}

/** What a click on a column's heading asks for: that column, first from its usual end, then turned around. */
export function toNextSort<C extends string>(
  current: Sort<C>,
  column: C,
  usual: Sort<C>['direction'],
): Sort<C> {
  if (current.column !== column) return { column, direction: usual }
  return { column, direction: current.direction === 'asc' ? 'desc' : 'asc' }
}

const toSortText = ({ column, direction }: Sort<string>) =>
  direction === 'desc' ? `-${column}` : column

/** How many of the newest ratings a symbol's or a user's page shows. */
export const LATEST = 10

/** The newest few among the ratings of a query. */
export const toLatestQuery = (query: RatingsQuery): RatingsQuery => ({ ...query, per_page: LATEST })
