import { type Expression, sql } from 'kysely'
import { toDecimalText } from './decimal.ts'
import { toMean } from './mean.ts'

/** From how many active ratings of others on a symbol there is a consensus to stand apart from. */
export const OTHERS_MIN = 3

const NANO = 1_000_000_000

/**
 * How far a rating stands from the mean of `count` others that add up to `sum`, in billionths (hugeint), rounded half away
 * from zero. Means of different counts have no common denominator: at nine places they can be added exactly.
 */
export function distanceInNanos(
  rating: Expression<number>,
  { count, sum }: { count: Expression<number>; sum: Expression<number> },
) {
  const apart = sql`cast(${rating} as hugeint) * ${count} - ${sum}`
  return roundedQuotient(sql`(${apart}) * ${sql.lit(NANO)}`, count)
}

/** A whole number divided by one above 0, rounded half away from zero. */
export const roundedQuotient = (dividend: Expression<unknown>, divisor: Expression<unknown>) => sql<
  number | null
>`
  sign(${dividend}) * ((2 * abs(${dividend}) + (${divisor})) // (2 * (${divisor})))`

/** The same as {@link distanceInNanos}, outside the database. */
export function toDistanceInNanos(
  rating: number,
  { count, sum }: { count: number; sum: number },
): bigint {
  return roundQuotient(apartFrom(rating, { count, sum }) * BigInt(NANO), BigInt(count))
}

/** The same in whole steps of the scale. */
export function toDistanceInSteps(
  rating: number,
  { count, sum }: { count: number; sum: number },
): number {
  return Number(roundQuotient(apartFrom(rating, { count, sum }), BigInt(count)))
}

const apartFrom = (rating: number, { count, sum }: { count: number; sum: number }) =>
  BigInt(rating) * BigInt(count) - BigInt(sum)

function roundQuotient(dividend: bigint, divisor: bigint): bigint {
  const size = dividend < 0n ? -dividend : dividend
  const rounded = (2n * size + divisor) / (2n * divisor)
  return dividend < 0n ? -rounded : rounded
}

/** The mean of `count` distances that add up to `nanos`, 4 places; null over nothing. */
export const toMeanDistance = (nanos: bigint, count: number): string | null =>
  toMean(toDecimalText({ units: nanos, places: 9 }), count, 4)
