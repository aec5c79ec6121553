import { type Expression, sql } from 'kysely'
import { IMAGINED } from '#lib/statistics/exact.ts'

type Quantity = Expression<number | string | null>

/** `toMean` in ten-thousandths, for sorting. */
export const roundedMean = (sum: Quantity, count: Expression<number>) =>
  sql<number | null>`
    sign(${sum}) * floor(
      (2 * abs(${sum}) * 1000000 + 100 * ${count}) / (200 * nullif(${count}, 0))
    )`

/** `toShrunkMean` in ten-thousandths; so is `towards`. */
export const shrunkMean = (
  { sum, count }: { sum: Expression<number | string | null>; count: Expression<number> },
  towards: Expression<number | null>,
) => {
  const imagined = sql`cast(${towards} as decimal(20, 0)) * ${sql.lit(IMAGINED)} * 0.0001`
  return sql<number | null>`
    case when ${count} > 0
      then ${roundedMean(sql<string>`(${sum} + ${imagined})`, sql<number>`(${count} + ${sql.lit(IMAGINED)})`)}
    end`
}

type SumRefs = {
  count: Expression<number>
  sum: Expression<number | null>
  squares: Expression<number | null>
}

/** `toDeviation` in ten-thousandths, to 15 digits. */
export const deviation = ({ count, sum, squares }: SumRefs) => sql<number | null>`
  floor(
    (20000 * sqrt(${count} * ${squares} - ${sum} * ${sum}) + ${count}) / (2 * nullif(${count}, 0))
  )`

/** `toWilsonLow` in ten-thousandths, to 15 digits. */
export const wilsonLow = (part: Expression<number>, whole: Expression<number>) => {
  const x = sql`cast(${part} as double precision)`
  const n = sql`cast(nullif(${whole}, 0) as double precision)`
  return sql<number | null>`
    floor(
      10000 * (1250 * ${x} + 2401 - sqrt(2401 * (2401 + 2500 * ${x} * (${n} - ${x}) / ${n})))
        / (1250 * ${n} + 4802) + 0.5
    )`
}

/** `toRankingBounds` in ten-thousandths, to 15 digits. */
export const rankingBound = (end: 'low' | 'high', { count, sum, squares }: SumRefs) => {
  const n = sql`(${count} + 5)`
  const s = sql`(${sum} + 15)`
  const spread = sql`33 * sqrt((${n} * (${squares} + 55) - ${s} * ${s}) * (${n} + 1))`
  const bound = sql`20 * ${s} * (${n} + 1) ${sql.raw(end === 'low' ? '-' : '+')} ${spread}`
  return sql<number | null>`
    case when ${count} > 0 then floor(500 * (${bound}) / (${n} * (${n} + 1)) + 0.5) end`
}
