import { CALL_SORTS, type CallSort } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { HORIZON_NAME_DEFAULT, HORIZON_NAMES } from '#lib/contract/horizons.ts'
import { withAsof } from '#lib/contract/outlook.ts'
import {
  parameter,
  type QueryOf,
  querySchema,
  readLeniently,
  type Sort,
  toSortParameter,
  toSortText,
} from '#lib/contract/query-schema.ts'
import { EVERY_RATING, toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
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
  return `/${toQueryText(toSearchParams(query))}`
}

/** The league of users with those that one is compared with, or of these the ones farther from the later consensus. */
export function toPeersHref(
  userId: number,
  { asof, farther = false }: { asof: number | null; farther?: boolean },
): string {
  const params = new URLSearchParams({ peers_of: String(userId) })
  if (farther) params.set('farther_than', String(userId))
  return `/users${toQueryText(withAsof(params, asof))}`
}

/** What was decided last comes first; what is open has no day yet and comes last. */
const CALL_SORT_DEFAULT: Sort<CallSort> = { column: 'exit_date', direction: 'desc' }

export const RATINGS_RANGES = ['1y', '3y', 'all'] as const
const RANGE_DEFAULT = '3y'

/**
 * What the page of a user shows: how far back the ratings are drawn, whether all of their rows, ratings (`view`) and
 * `activity` as chart or as table, whether all `symbols` are listed, after how many days (`horizon`) ratings are looked at again, how these calls are
 * sorted and which `page` of them is listed, and the instant (seconds since 1970) that all is
 * judged at, null for now.
 */
const viewQuery = querySchema({
  range: parameter.choice(RATINGS_RANGES, RANGE_DEFAULT),
  rows: parameter.choice(['all'], null),
  view: parameter.choice(['table'], null),
  activity: parameter.choice(['table'], null),
  symbols: parameter.choice(['all'], null),
  horizon: parameter.choice(HORIZON_NAMES, HORIZON_NAME_DEFAULT),
  sort: parameter.sort(CALL_SORTS, CALL_SORT_DEFAULT),
  page: parameter.page(),
  asof: parameter.asof(),
})
export type UserView = QueryOf<typeof viewQuery>

/** What the calls of a user are asked with, by the horizon and the instant of the page. */
export const toUserCallsParams = (
  userId: number,
  { horizon, sort, asof }: Pick<UserView, 'horizon' | 'sort' | 'asof'>,
): URLSearchParams =>
  withAsof(new URLSearchParams({ user: String(userId), horizon, sort: toSortText(sort) }), asof)

/** How many calls are listed at a time. */
export const CALLS_LISTED = 12

/** The page of them that the view lists, as the API is asked for it. */
export function toListedCallsParams(
  userId: number,
  view: Pick<UserView, 'horizon' | 'asof' | 'sort' | 'page'>,
): URLSearchParams {
  const params = toUserCallsParams(userId, view)
  params.set('page', String(view.page))
  params.set('per_page', String(CALLS_LISTED))
  return params
}

/** The view that the address of a user's page asks for, and what had to be ignored in it. */
export function readUserView(params: URLSearchParams): { view: UserView; ignored: Issue[] } {
  const { query, ignored } = readLeniently(viewQuery, params)
  return { view: query, ignored }
}

/** The canonical address of a view. */
export function toUserParams({
  range,
  rows,
  view,
  activity,
  symbols,
  horizon,
  sort,
  page,
  asof,
}: UserView): URLSearchParams {
  const params = new URLSearchParams()
  if (range !== RANGE_DEFAULT) params.set('range', range)
  if (rows !== null) params.set('rows', rows)
  if (view !== null) params.set('view', view)
  if (activity !== null) params.set('activity', activity)
  if (symbols !== null) params.set('symbols', symbols)
  if (horizon !== HORIZON_NAME_DEFAULT) params.set('horizon', horizon)
  const order = toSortParameter(sort, CALL_SORT_DEFAULT)
  if (order !== null) params.set('sort', order)
  if (page !== 1) params.set('page', String(page))
  return withAsof(params, asof)
}
