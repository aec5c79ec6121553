import { parseDecimal, toDecimalText } from './decimal.ts'

/**
 * `sum / count` with `places` places, divided exactly and rounded once, half away from zero; null over nothing.
 * `sum` is an integer or the decimal text of one that the database added up.
 */
export function toMean(
  sum: number | bigint | string | null,
  count: number | bigint,
  places: number,
): string | null {
  if (BigInt(count) === 0n || sum === null) return null
  const { units, places: given } = parseDecimal(String(sum))
  return toQuotient(units * 10n ** BigInt(places), 10n ** BigInt(given) * BigInt(count), places)
}

/** `part / whole` with 4 places; `0.0000` where the whole is nothing. */
export const toRatio = (part: number, whole: number): string => toMean(part, whole, 4) ?? '0.0000'

/** The mean of numbers that were added up in millionths. */
export function toMillionthsMean(sum: bigint, count: number, places: number): string | null {
  if (count === 0) return null
  return toQuotient(sum * 10n ** BigInt(places), 1_000_000n * BigInt(count), places)
}

function toQuotient(dividend: bigint, divisor: bigint, places: number): string {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return toDecimalText({ units: dividend < 0n ? -rounded : rounded, places })
}
