import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Ended } from '#lib/contract/answers/ratings.ts'

type Condition = Expression<SqlBool>
type RowState = 'active' | 'expired' | null

const eb = expressionBuilder<Tables, 'rating'>()

export const isActive = (at: number): Condition =>
  eb.and([eb('created_at', '<=', at), eb('effective_until', '>', at)])

/** Includes ratings that ended before they began. */
export const isExpired = (at: number): Condition => eb('effective_until', '<=', at)

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
