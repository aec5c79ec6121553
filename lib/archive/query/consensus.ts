import { type Expression, type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/limits.ts'
import { isActive } from './rating-conditions.ts'

export type SymbolSums = {
  symbol_key: string
  ratings: number
  first_created_at: number
  active: number
  rating_sum: number | null
  active_before: number
  sum_before: number | null
}

export const selectSymbolSums = (
  db: Kysely<Tables>,
  { at, before }: { at: number; before: number },
) =>
  db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.min('created_at').as('first_created_at'),
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      eb.fn.sum<number | null>('rating').filterWhere(isActive(at)).as('rating_sum'),
      eb.fn.countAll<number>().filterWhere(isActive(before)).as('active_before'),
      eb.fn.sum<number | null>('rating').filterWhere(isActive(before)).as('sum_before'),
    ])
    .where('created_at', '<=', at)
    .groupBy('symbol_key')

type ActiveRefs = { active: Expression<number>; sum: Expression<number | null> }

/** Ten-thousandths, for sorting. */
export const consensusChange = (before: ActiveRefs, after: ActiveRefs) =>
  weighed(before, after, { times: sql`1`, over: sql`1` })

/** Ten-thousandths, for sorting. */
export function shrunkChange(before: ActiveRefs, after: ActiveRefs) {
  const fewer = sql`least(${after.active}, ${before.active})`
  return weighed(before, after, { times: fewer, over: sql`(${fewer} + ${sql.lit(UNMOVED)})` })
}

type Weight = Record<'times' | 'over', Expression<unknown>>

function weighed(before: ActiveRefs, after: ActiveRefs, { times, over }: Weight) {
  const difference = sql`(${after.sum} * ${before.active} - ${before.sum} * ${after.active})`
  const divisor = sql`(${before.active} * ${after.active} * ${over})`
  return sql<number | null>`
    case when ${before.active} >= ${sql.lit(CONSENSUS_MIN)} and ${after.active} >= ${sql.lit(CONSENSUS_MIN)}
      then sign(${difference})
        * floor((20000 * abs(${difference}) * ${times} + ${divisor}) / (2 * ${divisor}))
    end`
}
