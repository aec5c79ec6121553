import { isProblem, readSymbol } from '#lib/contract/query-parameters.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
import type { WATCHED_MAX } from '#lib/contract/watching-query.ts'

export type WatchedKind = keyof typeof WATCHED_MAX

/** `key`: symbol in upper case, user id, or view id. `name`: a view's name when starred. */
export type Watched = { kind: WatchedKind; key: string; name: string }

/**
 * `newest`: up to 50 ids. `consensus`: 4 places. `of`: a view's filters. Instants in seconds since
 * 1970.
 */
export type LastSeen = {
  ratings: number
  newest: readonly number[]
  newestAt: number | null
  consensus: string | null
  active: number
  at: number
  generation: number
  of: string
}

/**
 * `seen`: null before the first answer. `before`: the look before the last one that found anything.
 */
export type Star = Watched & { seen: LastSeen | null; before: LastSeen | null }

/** `address`: path and query; of ratings, the query without `?`. */
export type SavedView = { id: string; name: string; address: string }

/** `at`: milliseconds since 1970. */
export type PastQuery = { query: string; at: number }

/** `columns`: by list, what its cookie holds too. `zone`: `local` is the browser's. */
export type StoredState = {
  stars: readonly Star[]
  views: readonly SavedView[]
  columns: Readonly<Record<string, string>>
  zone: 'utc' | 'local'
  queries: readonly PastQuery[]
  singleKeys: boolean
}

/** Skips what cannot be read. By hand: every page loads this, and a schema library is 20 KiB. */
export function parseStoredState(input: unknown): StoredState {
  const { stars, views, columns, zone, queries, singleKeys } = isRecord(input) ? input : {}
  const texts = Object.entries(isRecord(columns) ? columns : {})
  return {
    stars: toList(stars).filter(isStar),
    views: toList(views).filter(isSavedView),
    columns: Object.fromEntries(
      texts.flatMap(([path, text]) => (isText(text) ? [[path, text]] : [])),
    ),
    zone: zone === 'local' ? 'local' : 'utc',
    queries: toList(queries).filter(isPastQuery),
    singleKeys: singleKeys !== false,
  }
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null
const isText = (value: unknown): value is string => typeof value === 'string'
const isWhole = (value: unknown): value is number => Number.isSafeInteger(value)
const toList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

const isStar = (value: unknown): value is Star =>
  isRecord(value) &&
  isKey(value.kind, value.key) &&
  isText(value.name) &&
  isLastSeenOrNull(value.seen) &&
  isLastSeenOrNull(value.before)

const VIEW_ID = /^[a-z0-9-]{1,40}$/

export function isKey(kind: unknown, key: unknown): boolean {
  if (!isText(key)) return false
  if (kind === 'view') return VIEW_ID.test(key)
  if (kind === 'user') return parseRatingId(key) !== null
  const symbol = readSymbol(key)
  return kind === 'symbol' && !isProblem(symbol) && symbol === key
}

const isLastSeenOrNull = (value: unknown): value is LastSeen | null =>
  value === null ||
  (isRecord(value) &&
    [value.ratings, value.active, value.at, value.generation].every(isWhole) &&
    Array.isArray(value.newest) &&
    value.newest.every(isWhole) &&
    (value.newestAt === null || isWhole(value.newestAt)) &&
    (value.consensus === null || isText(value.consensus)) &&
    isText(value.of))

export const isSavedView = (value: unknown): value is SavedView =>
  isRecord(value) &&
  isText(value.id) &&
  VIEW_ID.test(value.id) &&
  isText(value.name) &&
  isText(value.address) &&
  value.address.length <= ADDRESS_MAX

const ADDRESS_MAX = 4000

const isPastQuery = (value: unknown): value is PastQuery =>
  isRecord(value) && isText(value.query) && isWhole(value.at)
