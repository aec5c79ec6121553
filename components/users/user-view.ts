import { trackQuery } from '#lib/contract/api-queries.ts'
import { CALL_SORTS, type CallSort, callsQuery } from '#lib/contract/lists/calls.ts'
import { parameter, type Sort } from '#lib/contract/query-parameters.ts'
import { type QueryOf, querySchema, toFullParams } from '#lib/contract/query-schema.ts'
import { only } from '#lib/contract/value-list.ts'

/** Open calls have no exit date. */
const CALL_SORT_DEFAULT: Sort<CallSort> = { column: 'exit_date', direction: 'desc' }

const RATINGS_RANGES = ['1y', '3y', 'all'] as const
const RANGE_DEFAULT = '3y'

/** `asof`: seconds since 1970; null is now. */
export const userPageQuery = querySchema({
  range: parameter.choice(RATINGS_RANGES, RANGE_DEFAULT, 'How far back ratings are drawn.'),
  rows: parameter.choice(['all'], null, 'All rows of the ratings.'),
  view: parameter.choice(['table'], null, 'Ratings as a table.'),
  symbols: parameter.choice(['all'], null, 'All symbols.'),
  horizon: trackQuery.parameters.horizon,
  sort: parameter.sort(CALL_SORTS, CALL_SORT_DEFAULT),
  page: parameter.page(),
  asof: parameter.asof(),
})
export type UserView = QueryOf<typeof userPageQuery>

/** Writes defaults too, so that an export names them. */
export const toUserCallsParams = (
  userId: number,
  { horizon, sort, asof }: Pick<UserView, 'horizon' | 'sort' | 'asof'>,
): URLSearchParams => toFullParams(callsQuery, { user: only(userId), horizon, sort, asof })

export const CALLS_LISTED = 12

export const toListedCallsParams = (
  userId: number,
  view: Pick<UserView, 'horizon' | 'asof' | 'sort' | 'page'>,
): URLSearchParams =>
  toFullParams(
    callsQuery,
    { page: view.page, per_page: CALLS_LISTED },
    toUserCallsParams(userId, view),
  )

export type ChangeUserView = (changes: Partial<UserView>) => void
