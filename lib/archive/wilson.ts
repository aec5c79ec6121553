import { type Expression, sql } from 'kysely'
import { toRootText } from './rounded-root.ts'

/**
 * The lower end of Wilson's interval (95 %, z = 1.96) of the share `part / whole`, 4 places; null over nothing. With x of
 * n and z² = 2401 / 625 it is (n (1250 x + 2401) − √(2401 n (2401 n + 2500 x (n − x)))) / (2 n (625 n + 2401)), all of it
 * integers.
 *
 * E. B. Wilson, "Probable Inference, the Law of Succession, and Statistical Inference", JASA 22 (1927), 209–212.
 */
export function toWilsonLow(part: number, whole: number): string | null {
  if (whole <= 0) return null
  const [x, n] = [BigInt(part), BigInt(whole)]
  return toRootText(
    {
      whole: n * (1250n * x + 2401n),
      sign: -1n,
      root: 2401n * n * (2401n * n + 2500n * x * (n - x)),
      divisor: 2n * n * (625n * n + 2401n),
    },
    4,
  )
}

/**
 * The same in ten-thousandths, to be sorted by; null over nothing. The database's root is a float, right to 15 digits
 * where 4 are compared.
 */
export const wilsonLow = (part: Expression<number>, whole: Expression<number>) => {
  const x = sql`cast(${part} as double precision)`
  const n = sql`cast(nullif(${whole}, 0) as double precision)`
  return sql<number | null>`
    floor(
      10000 * (1250 * ${x} + 2401 - sqrt(2401 * (2401 + 2500 * ${x} * (${n} - ${x}) / ${n})))
        / (1250 * ${n} + 4802) + 0.5
    )`
}
