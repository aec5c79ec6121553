import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { Tables } from './tables.ts'

/** The parameters that a facet leaves out when it counts: those of its own selection. */
export type FilterName = 'symbol' | 'user' | 'rating' | 'action' | 'created' | 'prediction'

/** A query and the instant (seconds) that *active* is judged at where it names none. */
export type Asked = { query: RatingsQuery; at: number }

const eb = expressionBuilder<Tables, 'rating'>()

/**
 * What a rating must fulfil to pass the query's filters, all but `without`.
 */
export function toConditions({ query, at }: Asked, without?: FilterName): Expression<SqlBool> {
  const own: Record<FilterName, Expression<SqlBool>[]> = {
    symbol: query.symbol.length > 0 ? [eb('symbol_key', 'in', query.symbol)] : [],
    user: query.user.length > 0 ? [eb('user_id', 'in', query.user)] : [],
    rating: query.rating.length > 0 ? [eb('rating', 'in', query.rating)] : [],
    action: query.action.length > 0 ? [eb('action', 'in', query.action)] : [],
    created: createdConditions(query),
    prediction: predictionConditions(query),
  }
  if (without) own[without] = []
  return eb.and([...Object.values(own).flat(), ...instantConditions(query, at)])
}

/** Active at `at`: posted, and nothing has ended it. */
export const isActive = (at: number): Expression<SqlBool> =>
  eb.and([eb('created_at', '<=', at), eb('effective_until', '>', at)])

/** The state of a rating at `at`; null where it is yet to be posted. */
export function toState(
  row: { created_at: number; effective_until: number },
  at: number,
): 'active' | 'expired' | null {
  if (row.effective_until <= at) return 'expired'
  return row.created_at <= at ? 'active' : null
}

function createdConditions({ from, to }: RatingsQuery): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  if (from !== null) conditions.push(eb('created_at', '>=', from))
  if (to !== null) conditions.push(eb('created_at', '<', to))
  return conditions
}

function predictionConditions(query: RatingsQuery): Expression<SqlBool>[] {
  const { prediction_min: low, prediction_max: high } = query
  const conditions: Expression<SqlBool>[] = []
  if (low !== null) conditions.push(eb('prediction_value', '>=', toDecimal(low)))
  if (high !== null) conditions.push(eb('prediction_value', '<=', toDecimal(high)))
  return conditions
}

/** Decimal text as a decimal of the database, never by way of a float. */
const toDecimal = (text: string) => sql<string>`cast(${text} as decimal(18, 6))`

function instantConditions(query: RatingsQuery, at: number): Expression<SqlBool>[] {
  const conditions: Expression<SqlBool>[] = []
  const instant = query.asof ?? at
  if (query.asof !== null) conditions.push(eb('created_at', '<=', query.asof))
  if (query.state === 'active') conditions.push(isActive(instant))
  if (query.state === 'expired') conditions.push(eb('effective_until', '<=', instant))
  return conditions
}
