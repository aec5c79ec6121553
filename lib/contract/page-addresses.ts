import {
  asofQuery,
  type ChangesQuery,
  changesQuery,
  searchQuery,
  seriesQuery,
  type TrackQuery,
  trackQuery,
} from './api-queries.ts'
import type { HorizonName } from './horizons.ts'
import type { MoveKind } from './moves.ts'
import { toPathPart } from './path-part.ts'
import { parameter } from './query-parameters.ts'
import { type QueryOf, querySchema, toParams, toQueryText } from './query-schema.ts'
import type { Rating } from './rating.ts'
import { parseRatingId, toSymbolKey } from './rating-fields.ts'
import {
  EVERY_RATING,
  newestRatingsQuery,
  type RatingsQuery,
  toRatingsFeed,
} from './ratings-query.ts'
import { type RatingsView, ratingsView } from './ratings-view.ts'
import { ANY, type Chosen, only } from './value-list.ts'
import { toVisibleText } from './visible-text.ts'

export const toSymbolHref = (symbol: string, params?: URLSearchParams): string =>
  toHref('/symbols', symbol, params)

export const toUserHref = (userId: number, params?: URLSearchParams): string =>
  toHref('/users', userId, params)

export const toSymbolEmbedHref = (symbol: string, params?: URLSearchParams): string =>
  toHref('/embed/symbols', symbol, params)

export const toSearchHref = (league: '/symbols' | '/users', q: string): string =>
  `${league}${toQueryText(toParams(searchQuery, { q }))}`

const toHref = (folder: string, part: string | number, params?: URLSearchParams) =>
  `${folder}/${toPathPart(String(part))}${params ? toQueryText(params) : ''}`

/** Spelled like the ids of ratings. */
export const parseUserId = parseRatingId

export function toUrlParams(given: Record<string, string | string[] | undefined>): URLSearchParams {
  const pairs = Object.entries(given).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one]),
  )
  return new URLSearchParams(pairs)
}

export const toRatingsHref = (view: Partial<RatingsView>): string =>
  `/${toQueryText(toParams(ratingsView, view))}`

/** `asof`: seconds since 1970; null is now. */
export const toRatingHref = (id: number, asof: number | null = null): string =>
  `/ratings/${id}${toQueryText(toParams(asofQuery, { asof }))}`

export const toUserOnSymbolHref = (
  { user_id, symbol }: Pick<Rating, 'user_id' | 'symbol'>,
  asof: number | null,
): string => toRatingsHref({ user: only(user_id), symbol: only(toSymbolKey(symbol)), asof })

export const ratingsOfSymbol = (symbol: string): RatingsQuery => ({
  ...EVERY_RATING,
  symbol: only(toSymbolKey(symbol)),
})

type Filters = {
  rating?: number | readonly number[]
  action?: number | Chosen<number>
  ids?: readonly number[]
  days?: readonly string[]
} & Partial<Pick<RatingsQuery, 'state' | 'from' | 'to' | 'asof'>>

export function toSymbolRatingsHref(symbol: string, filters: Filters = {}): string {
  const { rating, action, ids = [], days = [] } = filters
  const { state = null, from = null, to = null, asof = null } = filters
  return toRatingsHref({
    ...ratingsOfSymbol(symbol),
    state,
    from,
    to,
    asof,
    rating: rating === undefined ? ANY : only(...[rating].flat()),
    id: only(...ids),
    action: action === undefined ? ANY : typeof action === 'number' ? only(action) : action,
    expires: only(...days),
  })
}

type Moved = { kind: MoveKind; from: number; to: number; asof: number | null }

export const toMovedHref = (symbol: string, { kind, from, to, asof }: Moved): string =>
  toRatingsHref({
    symbol: only(toSymbolKey(symbol)),
    moved: only(kind),
    moved_from: from,
    moved_to: to,
    asof,
  })

export const WHY = 'why'

export function toWhyHref(symbol: string, span: { from: number; to: number }): string {
  const params = toParams(seriesQuery, span)
  params.set('why', 'range')
  return `${toSymbolHref(symbol, params)}#${WHY}`
}

/** `asof`: seconds since 1970; null is now. */
export const ratingsOfUser = (userId: number, asof: number | null = null) => ({
  ...EVERY_RATING,
  user: only(userId),
  asof,
})

export const toUserRatingsHref = (
  userId: number,
  { symbol, sortedBy }: { symbol?: string; sortedBy?: 'symbol' } = {},
): string =>
  toRatingsHref({
    user: only(userId),
    symbol: symbol === undefined ? ANY : only(toSymbolKey(symbol)),
    sort: sortedBy && { column: sortedBy, direction: 'asc' },
  })

export const toEveryoneHref = (view: Partial<TrackQuery>): string =>
  `/users/everyone${toQueryText(toParams(trackQuery, view))}`

export const toUsersHref = (horizon: HorizonName): string =>
  `/users${toQueryText(toParams(trackQuery, { horizon }))}`

/** Without ends: the week of the editions. */
export const toChangesHref = (view: Partial<ChangesQuery>): string =>
  `/changes${toQueryText(toParams(changesQuery, view))}`

/** Characters. */
const SQL_MAX_LENGTH = 7000
const COLUMN_MAX_LENGTH = 200

const SQL_CHARTS = ['line', 'bar', 'scatter'] as const

export const sqlQuery = querySchema({
  q: parameter.text(SQL_MAX_LENGTH, 'A query.', 'SELECT 1'),
  sort: parameter.text(COLUMN_MAX_LENGTH, 'Column of the result. A minus sorts descending.', '-n'),
  chart: parameter.choice(SQL_CHARTS, null, 'Draws the result.'),
  x: parameter.text(COLUMN_MAX_LENGTH, 'Column along the chart.', 'month'),
  y: parameter.text(COLUMN_MAX_LENGTH, 'Column up the chart.', 'n'),
  page: parameter.page(),
})
export type SqlQuery = QueryOf<typeof sqlQuery>

/** The server takes 8,192 characters of address; the base path and a zone need room. */
const ADDRESS_MAX_LENGTH = 7900

/** Null if the query is too long for an address. */
export function toSqlHref(q: string): string | null {
  const href = `/sql${toQueryText(toParams(sqlQuery, { q }))}`
  return q.length <= SQL_MAX_LENGTH && href.length <= ADDRESS_MAX_LENGTH ? href : null
}

const NAME_MAX_LENGTH = 80
const QUERY_MAX_LENGTH = 4096

/** The start of a new alert. `query`: a query of ratings, without `?`. */
export const alertWish = querySchema({
  name: parameter.text(NAME_MAX_LENGTH, 'The name of the rule.', 'AAPL'),
  query: parameter.text(QUERY_MAX_LENGTH, 'The ratings.', 'symbol=AAPL'),
})
type AlertWish = QueryOf<typeof alertWish>

export function toAlertHref({ name, query }: AlertWish): string {
  const short = [...name].slice(0, NAME_MAX_LENGTH).join('').trim()
  return `/status/alerts${toQueryText(toParams(alertWish, { name: short, query }))}`
}

/** Where a view leads besides its own address. `feed.what`: `New ratings: AAPL` */
export type ViewLinks = { feed?: { what: string; path: string }; alert?: AlertWish }

/** `words`: the filters, or empty. */
export function toRatingsLinks(query: Partial<RatingsQuery>, words: string) {
  const text = toQueryText(toParams(newestRatingsQuery, query))
  return {
    feed: { what: `New ratings: ${words || 'all'}`, path: toRatingsFeed(query) },
    alert: { query: text.slice(1), name: words || 'Every rating' },
  }
}

export const toSymbolLinks = (symbol: string): ViewLinks =>
  toRatingsLinks({ symbol: only(symbol) }, toVisibleText(symbol))

export const toUserLinks = (userId: number): ViewLinks =>
  toRatingsLinks({ user: only(userId) }, `user ${userId}`)
