import { sql } from 'kysely'
import type { RatingSums, SumRefs } from './deviation.ts'
import { toRootText } from './rounded-root.ts'

/**
 * The bounds that a consensus is ranked by, 4 places; null over nothing. To the n ratings with the sum S and the sum of
 * squares Q comes one imagined opinion of each rating from 1 to 5, then N = n + 5, S' = S + 15, Q' = Q + 55, and the
 * bounds are S'/N ∓ 1.65 √((Q'/N − (S'/N)²) / (N + 1)): 90 % of what the mean may be lies between them. In integers that
 * is (20 S' (N + 1) ∓ √(1089 (N Q' − S'²) (N + 1))) / (20 N (N + 1)).
 *
 * Evan Miller, "Ranking Items With Star Ratings" (2014), https://www.evanmiller.org/ranking-items-with-star-ratings.html
 */
export function toRankingBounds(sums: RatingSums): { low: string | null; high: string | null } {
  if (sums.count === 0) return { low: null, high: null }
  const n = BigInt(sums.count) + 5n
  const [s, q] = [BigInt(sums.sum) + 15n, BigInt(sums.squares) + 55n]
  const form = {
    whole: 20n * s * (n + 1n),
    root: 1089n * (n * q - s * s) * (n + 1n),
    divisor: 20n * n * (n + 1n),
  }
  return { low: toRootText({ ...form, sign: -1n }, 4), high: toRootText({ ...form, sign: 1n }, 4) }
}

/** The same in ten-thousandths, to be sorted by; the root is a float, right to 15 digits. */
export const rankingBound = (end: 'low' | 'high', { count, sum, squares }: SumRefs) => {
  const n = sql`(${count} + 5)`
  const s = sql`(${sum} + 15)`
  const spread = sql`33 * sqrt((${n} * (${squares} + 55) - ${s} * ${s}) * (${n} + 1))`
  const bound = sql`20 * ${s} * (${n} + 1) ${sql.raw(end === 'low' ? '-' : '+')} ${spread}`
  return sql<number | null>`
    case when ${count} > 0 then floor(500 * (${bound}) / (${n} * (${n} + 1)) + 0.5) end`
}
