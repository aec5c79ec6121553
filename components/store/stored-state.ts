import * as z from 'zod/mini'
import { isProblem, readSymbol } from '#lib/contract/query-parameters.ts'
import { parseRatingId } from '#lib/contract/rating-fields.ts'
import { NEWEST_MAX, type WATCHED_MAX } from '#lib/contract/watching-query.ts'

export type WatchedKind = keyof typeof WATCHED_MAX

/** `key`: symbol in upper case, user id, or view id. `name`: a view's name when starred. */
export type Watched = { kind: WatchedKind; key: string; name: string }

const VIEW_ID = /^[a-z0-9-]{1,40}$/

export function isKey({ kind, key }: Pick<Watched, 'kind' | 'key'>): boolean {
  if (kind === 'view') return VIEW_ID.test(key)
  if (kind === 'user') return parseRatingId(key) !== null
  const symbol = readSymbol(key)
  return !isProblem(symbol) && symbol === key
}

/**
 * `newest`: up to 50 ids. `consensus`: 4 places. `of`: a view's filters. Instants in seconds since
 * 1970.
 */
const lastSeen = z.object({
  ratings: z.int(),
  newest: z.readonly(z.array(z.int()).check(z.maxLength(NEWEST_MAX))),
  newestAt: z.nullable(z.int()),
  consensus: z.nullable(z.string().check(z.regex(/^\d\.\d{4}$/))),
  active: z.int(),
  at: z.int(),
  generation: z.int(),
  of: z.string(),
})
export type LastSeen = z.output<typeof lastSeen>

/**
 * `seen`: null before the first answer. `before`: the look before the last one that found anything.
 */
const star = z
  .object({
    kind: z.enum(['symbol', 'user', 'view']),
    key: z.string(),
    name: z.string().check(z.maxLength(100)),
    seen: z.nullable(lastSeen),
    before: z.nullable(lastSeen),
  })
  .check(z.refine(isKey))
export type Star = z.output<typeof star>

export const ADDRESS_MAX_LENGTH = 4000

/** `address`: path and query; of ratings, the query without `?`. */
export const savedView = z.object({
  id: z.string().check(z.regex(VIEW_ID)),
  name: z.string(),
  address: z.string().check(z.maxLength(ADDRESS_MAX_LENGTH)),
})
export type SavedView = z.output<typeof savedView>

/** `at`: milliseconds since 1970. */
const pastQuery = z.object({ query: z.string().check(z.maxLength(10_000)), at: z.int() })
export type PastQuery = z.output<typeof pastQuery>

/** Skips what cannot be read. */
const listOf = <T>(item: z.ZodMiniType<T>) =>
  z.catch(
    z.pipe(
      z.array(z.unknown()),
      z.transform((items): readonly T[] => items.flatMap((one) => item.safeParse(one).data ?? [])),
    ),
    [],
  )

/** `columns`: by list, what its cookie holds too. `zone`: `local` is the browser's. */
const storedState = z.object({
  stars: listOf(star),
  views: listOf(savedView),
  columns: z.catch(z.record(z.string(), z.string()), {}),
  zone: z.catch(z.enum(['utc', 'local']), 'utc'),
  queries: listOf(pastQuery),
  singleKeys: z.catch(z.boolean(), true),
})
export type StoredState = z.output<typeof storedState>

export const parseStoredState = (input: unknown): StoredState =>
  storedState.safeParse(input).data ?? storedState.parse({})
