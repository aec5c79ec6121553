import { type Expression, sql } from 'kysely'
import { toRootText } from './rounded-root.ts'

/** How many ratings there are, their sum and the sum of their squares. */
export type RatingSums = { count: number; sum: number; squares: number }

/**
 * The population standard deviation, √(n Q − S²) / n, 4 places; null over nothing. The sums are whole numbers, so
 * nothing is lost before it is rounded, once.
 */
export function toDeviation({ count, sum, squares }: RatingSums): string | null {
  if (count === 0) return null
  const [n, s, q] = [BigInt(count), BigInt(sum), BigInt(squares)]
  return toRootText({ whole: 0n, sign: 1n, root: n * q - s * s, divisor: n }, 4)
}

/** Sums as the database has them. */
export type SumRefs = {
  count: Expression<number>
  sum: Expression<number | null>
  squares: Expression<number | null>
}

/** The same in ten-thousandths, to be sorted by; the root is a float, right to 15 digits. */
export const deviation = ({ count, sum, squares }: SumRefs) => sql<number | null>`
  floor(
    (20000 * sqrt(${count} * ${squares} - ${sum} * ${sum}) + ${count}) / (2 * nullif(${count}, 0))
  )`
