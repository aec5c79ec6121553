import { type Expression, sql } from 'kysely'
import { CONSENSUS_MIN, UNMOVED } from '#lib/contract/answers/symbols.ts'
import { toMean } from './mean.ts'

/** An active set at some instant: how many ratings, and their sum (null over nothing). */
export type ActiveSum = { active: number; sum: number | null }

/**
 * How far the consensus went from one instant to another, 4 places: the exact difference, rounded once. Null where fewer
 * than CONSENSUS_MIN ratings were active at either.
 */
export function toChange(before: ActiveSum, after: ActiveSum): string | null {
  if (before.active < CONSENSUS_MIN || after.active < CONSENSUS_MIN) return null
  const difference =
    BigInt(after.sum ?? 0) * BigInt(before.active) - BigInt(before.sum ?? 0) * BigInt(after.active)
  return toMean(String(difference), before.active * after.active, 4)
}

/**
 * The change that a ranking goes by, 4 places: change · n / (n + UNMOVED), n being the fewer of both ends, as if so many
 * more opinions had not moved. Exact, rounded once; null where there is no change.
 */
export function toShrunkChange(before: ActiveSum, after: ActiveSum): string | null {
  if (before.active < CONSENSUS_MIN || after.active < CONSENSUS_MIN) return null
  const [b, a] = [BigInt(before.active), BigInt(after.active)]
  const fewer = b < a ? b : a
  const difference = BigInt(after.sum ?? 0) * b - BigInt(before.sum ?? 0) * a
  return toMean(difference * fewer, a * b * (fewer + BigInt(UNMOVED)), 4)
}

type ActiveRefs = { active: Expression<number>; sum: Expression<number | null> }

/** The same in ten-thousandths, to be sorted by. */
export const consensusChange = (before: ActiveRefs, after: ActiveRefs) => {
  const difference = sql`(${after.sum} * ${before.active} - ${before.sum} * ${after.active})`
  const divisor = sql`(${before.active} * ${after.active})`
  return sql<number | null>`
    case when ${before.active} >= ${sql.lit(CONSENSUS_MIN)} and ${after.active} >= ${sql.lit(CONSENSUS_MIN)}
      then sign(${difference})
        * floor((20000 * abs(${difference}) + ${divisor}) / (2 * ${divisor}))
    end`
}

/** The same of {@link toShrunkChange}. */
export const shrunkChange = (before: ActiveRefs, after: ActiveRefs) => {
  const fewer = sql`least(${after.active}, ${before.active})`
  const difference = sql`(${after.sum} * ${before.active} - ${before.sum} * ${after.active})`
  const divisor = sql`(${after.active} * ${before.active} * (${fewer} + ${sql.lit(UNMOVED)}))`
  return sql<number | null>`
    case when ${before.active} >= ${sql.lit(CONSENSUS_MIN)} and ${after.active} >= ${sql.lit(CONSENSUS_MIN)}
      then sign(${difference})
        * floor((20000 * abs(${difference}) * ${fewer} + ${divisor}) / (2 * ${divisor}))
    end`
}
