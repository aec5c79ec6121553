import { trackQuery, usersQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { CALL_SORTS, type CallSort, callsQuery } from '#lib/contract/lists/calls.ts'
import { parameter, type Sort } from '#lib/contract/query-parameters.ts'
import {
  type QueryOf,
  querySchema,
  readLeniently,
  toFullParams,
  toParams,
} from '#lib/contract/query-schema.ts'
import { EVERY_RATING, ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { ANY, only } from '#lib/contract/value-list.ts'

/** What the ratings of a user are asked with. `asof` (seconds since 1970) leaves what existed then; null is now. */
export const ratingsOfUser = (userId: number, asof: number | null = null) => ({
  ...EVERY_RATING,
  user: only(userId),
  asof,
})

/** The ratings page with a user's ratings, all of them or those with one code or symbol. */
export function toUserRatingsHref(
  userId: number,
  filters: {
    rating?: number
    action?: number
    symbol?: string
    sortedBy?: 'symbol'
    to?: number
    asof?: number | null
  } = {},
): string {
  const { rating, action, symbol, sortedBy, to = null, asof = null } = filters
  const query = {
    ...ratingsOfUser(userId, asof),
    to,
    rating: rating === undefined ? ANY : only(rating),
    action: action === undefined ? ANY : only(action),
    symbol: symbol === undefined ? ANY : only(symbol.toUpperCase()),
    ...(sortedBy && { sort: { column: sortedBy, direction: 'asc' as const } }),
  }
  return `/${toQueryText(toParams(ratingsQuery, query))}`
}

/** The league of users with those that one is compared with, or of these the ones farther from the later consensus. */
export function toPeersHref(
  userId: number,
  { asof, farther = false }: { asof: number | null; farther?: boolean },
): string {
  const query = { peers_of: userId, farther_than: farther ? userId : null, asof }
  return `/users${toQueryText(toParams(usersQuery, query))}`
}

/** What was decided last comes first; what is open has no day yet and comes last. */
const CALL_SORT_DEFAULT: Sort<CallSort> = { column: 'exit_date', direction: 'desc' }

export const RATINGS_RANGES = ['1y', '3y', 'all'] as const
const RANGE_DEFAULT = '3y'

/** The address of a user's page. `asof` is in seconds since 1970; null is now. */
export const userPageQuery = querySchema({
  range: parameter.choice(RATINGS_RANGES, RANGE_DEFAULT, 'How far back ratings are drawn.'),
  rows: parameter.choice(['all'], null, 'All rows of the ratings.'),
  view: parameter.choice(['table'], null, 'Ratings as a table.'),
  activity: parameter.choice(['table'], null, 'Activity as a table.'),
  symbols: parameter.choice(['all'], null, 'All symbols.'),
  horizon: trackQuery.parameters.horizon,
  sort: parameter.sort(CALL_SORTS, CALL_SORT_DEFAULT),
  page: parameter.page(),
  asof: parameter.asof(),
})
export type UserView = QueryOf<typeof userPageQuery>

/** The calls of a user. Defaults are written: a file of these calls names its horizon and order. */
export const toUserCallsParams = (
  userId: number,
  { horizon, sort, asof }: Pick<UserView, 'horizon' | 'sort' | 'asof'>,
): URLSearchParams => toFullParams(callsQuery, { user: only(userId), horizon, sort, asof })

/** How many calls are listed at a time. */
export const CALLS_LISTED = 12

/** The page of these calls that the view lists. */
export const toListedCallsParams = (
  userId: number,
  view: Pick<UserView, 'horizon' | 'asof' | 'sort' | 'page'>,
): URLSearchParams =>
  toFullParams(
    callsQuery,
    { page: view.page, per_page: CALLS_LISTED },
    toUserCallsParams(userId, view),
  )

/** The view that the address of a user's page asks for, and what had to be ignored in it. */
export function readUserView(params: URLSearchParams): { view: UserView; ignored: Issue[] } {
  const { query, ignored } = readLeniently(userPageQuery, params)
  return { view: query, ignored }
}
