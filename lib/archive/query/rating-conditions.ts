import { type Expression, expressionBuilder, type RawBuilder, type SqlBool, sql } from 'kysely'
import { hasQuality, type Tables } from '#lib/archive/engine/tables.ts'
import type { Ended } from '#lib/contract/answers/ratings.ts'
import { parsePeriod } from '#lib/contract/instant-text.ts'
import { MOVES, type MoveKind } from '#lib/contract/moves.ts'
import { PREDICTION_BOUNDS } from '#lib/contract/prediction-bounds.ts'
import { NEVER_EXPIRES } from '#lib/contract/query-parameters.ts'
import type { ListName, RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'

export type FilterName = ListName | 'state'

export type QueryAt = { query: RatingsQuery; at: number }

type Condition = Expression<SqlBool>
type RowState = 'active' | 'expired' | null

const eb = expressionBuilder<Tables, 'rating'>()

export function toConditions({ query, at }: QueryAt, ...without: FilterName[]): Condition {
  const { asof } = query
  const filters: Record<FilterName, Condition[]> = {
    id: chosen(query.id, (ids) => eb('id', 'in', ids)),
    symbol: chosen(query.symbol, (keys) => eb('symbol_key', 'in', keys)),
    user: chosen(query.user, (ids) => eb('user_id', 'in', ids)),
    rating: chosen(query.rating, (codes) => eb('rating', 'in', codes)),
    action: chosen(query.action, (codes) => eb('action', 'in', codes)),
    prediction: predictionConditions(query),
    agree: chosen(query.agree, (counts) => eb('tally_agree', 'in', counts)),
    disagree: chosen(query.disagree, (counts) => eb('tally_disagree', 'in', counts)),
    comments: chosen(query.comments, (counts) => eb('tally_comment', 'in', counts)),
    created: postedConditions(query),
    expires: chosen(query.expires, (times) => eb.or(times.map(isExpiryIn))),
    quality: chosen(query.quality, (names) => hasQuality(names, asof ?? at)),
    moved: movedConditions(query, asof ?? at),
    state: stateConditions(query, asof ?? at),
  }
  for (const name of without) filters[name] = []
  const existed = asof === null ? [] : [eb('created_at', '<=', asof)]
  return eb.and([...Object.values(filters).flat(), ...existed])
}

function chosen<T>({ only, not }: Chosen<T>, isIn: (values: T[]) => Condition): Condition[] {
  const conditions: Condition[] = []
  if (only.length > 0) conditions.push(isIn(only))
  if (not.length > 0) conditions.push(eb.not(isIn(not)))
  return conditions
}

export const isActive = (at: number): Condition =>
  eb.and([eb('created_at', '<=', at), eb('effective_until', '>', at)])

/** Includes ratings that ended before they began. */
const isExpired = (at: number): Condition => eb('effective_until', '<=', at)

/** `toState` in SQL. */
export const stateAt = (at: number) =>
  sql<RowState>`case when effective_until <= ${at} then 'expired' when created_at <= ${at} then 'active' end`

/** `toEnded` in SQL. */
export const endedAt = (at: number) =>
  sql<Ended>`case when effective_until > ${at} then null
    when effective_until = nullif(expired_at, 0) then 'expired'
    when effective_until = vanished_at then 'vanished' else 'renewed' end`

/** Null while listed. */
export const vanishedAt = (at: number) =>
  sql<number | null>`case when vanished_at <= ${at} then vanished_at end`

function postedConditions({ created, from, to }: RatingsQuery): Condition[] {
  const conditions = chosen(created, (periods) =>
    eb.or(periods.map((period) => isWithin('created_at', period))),
  )
  if (from !== null) conditions.push(eb('created_at', '>=', from))
  if (to !== null) conditions.push(eb('created_at', '<', to))
  return conditions
}

function movedConditions(query: RatingsQuery, at: number): Condition[] {
  const { moved, moved_from: from, moved_to: to } = query
  const isBare = moved.only.length + moved.not.length === 0 && (from !== null || to !== null)
  const kinds = isBare ? { only: [...MOVES], not: [] } : moved
  return chosen(kinds, (names) => hasMoved(names, query, at))
}

function isWithin(column: 'created_at' | 'expired_at', period: string): Condition {
  const span = parsePeriod(period)
  if (!span) return eb.lit(false)
  return eb.and([eb(column, '>=', span.from), eb(column, '<', span.to)])
}

/** An expiry of 0 means none. */
const isExpiryIn = (time: string): Condition =>
  time === NEVER_EXPIRES
    ? eb(eb.fn.coalesce('expired_at', eb.lit(0)), '=', 0)
    : eb.and([eb('expired_at', 'is not', null), isWithin('expired_at', time)])

function predictionConditions(query: RatingsQuery): Condition[] {
  return [
    ...chosen(query.prediction, (values) => eb('prediction_value', 'in', values.map(toDecimal))),
    ...PREDICTION_BOUNDS.flatMap(([name, operator]) => {
      const bound = query[name]
      return bound === null ? [] : [eb('prediction_value', operator, toDecimal(bound))]
    }),
  ]
}

/** Avoids floats. */
const toDecimal = (text: string) => sql<string>`cast(${text} as decimal(18, 6))`

function stateConditions({ state }: RatingsQuery, at: number): Condition[] {
  if (state === null) return []
  return [state === 'active' ? isActive(at) : isExpired(at)]
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

function hasMoved(kinds: readonly MoveKind[], span: Span, at: number): Expression<SqlBool> {
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
