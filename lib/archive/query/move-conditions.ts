import { type Expression, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { MoveKind } from '#lib/contract/moves.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

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

export function hasMoved(kinds: readonly MoveKind[], span: Span, at: number): Expression<SqlBool> {
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
