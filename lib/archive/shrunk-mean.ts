import { type Expression, sql } from 'kysely'
import { parseDecimal, toDecimalText } from './decimal.ts'
import { toMean } from './mean.ts'
import { roundedMean } from './rounded-mean.ts'

/** How many imagined opinions hold a mean back. */
const IMAGINED = 10

/**
 * A mean drawn towards `towards` (decimal text of 4 places) as if {@link IMAGINED} more opinions had been just that, 4
 * places: few opinions move little from it, many hardly feel it. `sum` is an integer or decimal text of at most 6
 * places. Null over nothing.
 */
export function toShrunkMean(
  { sum, count }: { sum: number | string | null; count: number },
  towards: string | null,
): string | null {
  if (count === 0 || sum === null || towards === null) return null
  const given = parseDecimal(String(sum))
  const imagined = parseDecimal(towards)
  const places = Math.max(given.places, imagined.places)
  const scale = (from: number) => 10n ** BigInt(places - from)
  const units =
    given.units * scale(given.places) + BigInt(IMAGINED) * imagined.units * scale(imagined.places)
  return toMean(toDecimalText({ units, places }), count + IMAGINED, 4)
}

/** The same in ten-thousandths, to be sorted by; `towards` is in ten-thousandths. Null over nothing. */
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
