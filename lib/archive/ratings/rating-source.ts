import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { hasQuality } from '#lib/archive/engine/tables.ts'
import {
  type ListSelection,
  type SourceField,
  toListConditions,
} from '#lib/archive/lists/select-list.ts'
import { isActive, isExpired } from '#lib/archive/query/rating-conditions.ts'
import { parsePeriod } from '#lib/contract/instant-text.ts'
import { ratingList } from '#lib/contract/lists/ratings.ts'
import { MOVES, type MoveKind } from '#lib/contract/moves.ts'
import { QUALITIES } from '#lib/contract/quality.ts'
import { NEVER_EXPIRES } from '#lib/contract/query-parameters.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

export type RatingField = keyof typeof ratingList.fields

export const isRatingField = (name: string): name is RatingField => name in ratingList.fields

const KEYS: Partial<Record<RatingField, string>> = {
  symbol: 'symbol_key',
  prediction: 'prediction_value',
}

export const toRatingKey = (field: RatingField) => sql.ref(KEYS[field] ?? field)

export type QueryAt = { query: RatingsQuery; at: number }

export const toConditions = (
  asked: QueryAt,
  ...without: readonly RatingField[]
): RawBuilder<boolean> => toListConditions(toRatingSelection(asked), ...without)

export function toRatingSelection({ query, at: now }: QueryAt): ListSelection<typeof ratingList> {
  const at = query.asof ?? now
  const fields = {
    symbol: { key: KEYS.symbol, sortKey: 'symbol' },
    prediction: { key: KEYS.prediction },
    created_at: {
      has: (periods) => anyOf(periods.map((period) => isWithin('created_at', period))),
    },
    expired_at: { has: (periods) => anyOf(periods.map(isExpiryIn)) },
    state: { conditions: toStateConditions(query, at) },
    quality: {
      has: (names) =>
        hasQuality(
          QUALITIES.filter((name) => names.includes(name)),
          at,
        ),
    },
    moved: { conditions: toMovedConditions(query, at) },
  } satisfies Partial<Record<RatingField, SourceField>>
  const source = {
    from: sql`rating`,
    fields,
    where: query.asof === null ? [] : [sql`created_at <= ${query.asof}`],
    ties: (direction: RawBuilder<unknown>) =>
      query.sort.column === 'id' ? [] : [sql`id ${direction}`],
  }
  return { list: ratingList, source, query }
}

const anyOf = (conditions: readonly RawBuilder<unknown>[]) =>
  sql<SqlBool>`(${sql.join(conditions, sql` or `)})`

function isWithin(column: 'created_at' | 'expired_at', period: string | number) {
  const span = parsePeriod(String(period))
  if (!span) return sql`false`
  return sql`(${sql.ref(column)} >= ${span.from} and ${sql.ref(column)} < ${span.to})`
}

/** An expiry of 0 means none. */
const isExpiryIn = (time: string | number) =>
  time === NEVER_EXPIRES
    ? sql`coalesce(expired_at, 0) = 0`
    : sql`(expired_at is not null and ${isWithin('expired_at', time)})`

function toStateConditions({ state }: RatingsQuery, at: number) {
  if (state === null) return []
  return [sql`${state === 'active' ? isActive(at) : isExpired(at)}`]
}

function toMovedConditions(query: RatingsQuery, at: number) {
  const { moved, moved_from: from, moved_to: to } = query
  const isBare = moved.only.length + moved.not.length === 0 && (from !== null || to !== null)
  const { only, not } = isBare ? { only: MOVES, not: [] } : moved
  return [
    ...(only.length > 0 ? [hasMoved(only, query, at)] : []),
    ...(not.length > 0 ? [sql`not ${hasMoved(not, query, at)}`] : []),
  ]
}

type Span = Pick<RatingsQuery, 'moved_from' | 'moved_to'>

const before = (compared: RawBuilder<unknown> = sql``) => sql<SqlBool>`
  exists (
    select 1 from rating as other
    where other.user_id = rating.user_id and other.symbol_key = rating.symbol_key
      and other.effective_until = rating.created_at and other.effective_until > other.created_at
      ${compared}
  )`

const IS_FOLLOWED = sql<SqlBool>`
  exists (
    select 1 from rating as other
    where other.user_id = rating.user_id and other.symbol_key = rating.symbol_key
      and other.created_at = rating.effective_until and other.effective_until > other.created_at
  )`

const HAS_VANISHED = sql<SqlBool>`
  (coalesce(rating.effective_until = rating.vanished_at, false)
    and coalesce(rating.effective_until <> nullif(rating.expired_at, 0), true))`

const BEGINNINGS: Partial<Record<MoveKind, RawBuilder<SqlBool>>> = {
  initiated: sql`rating.previous_created_at is null`,
  returned: sql`(rating.previous_created_at is not null and not ${before()})`,
  upgraded: before(sql`and other.rating < rating.rating`),
  downgraded: before(sql`and other.rating > rating.rating`),
  reiterated: before(sql`and other.rating = rating.rating`),
}
const ENDS: Partial<Record<MoveKind, RawBuilder<SqlBool>>> = {
  lapsed: sql`(not ${HAS_VANISHED} and not ${IS_FOLLOWED})`,
  vanished: sql`(${HAS_VANISHED} and not ${IS_FOLLOWED})`,
}

function hasMoved(kinds: readonly MoveKind[], span: Span, at: number): RawBuilder<SqlBool> {
  const within = (column: 'created_at' | 'effective_until') => {
    const instant = sql.ref(`rating.${column}`)
    const from = span.moved_from === null ? sql`` : sql`and ${instant} >= ${span.moved_from}`
    const to = span.moved_to === null ? sql`` : sql`and ${instant} < ${span.moved_to}`
    return sql`(${instant} <= ${at} ${from} ${to})`
  }
  const anyOf = (known: typeof BEGINNINGS) => {
    const asked = kinds.flatMap((kind) => known[kind] ?? [])
    return asked.length === 0 ? sql`false` : sql`(${sql.join(asked, sql` or `)})`
  }
  return sql<SqlBool>`(
    rating.effective_until > rating.created_at
    and (${within('created_at')} and ${anyOf(BEGINNINGS)}
      or ${within('effective_until')} and ${anyOf(ENDS)})
  )`
}
