import { roundQuotient, toDecimalText, toMean } from '#lib/statistics/exact.ts'

/** A rating is compared with others on its symbol if at least this many are active. */
export const OTHERS_MIN = 3

export const NANO = 1_000_000_000

/**
 * How far a rating is from the mean of `count` others with this sum, in billionths, rounded half away from zero. Means of
 * different counts have no common denominator: at nine places they can be added exactly.
 */
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

/** The mean of `count` distances that add up to `nanos`, 4 places; null over nothing. */
export const toMeanDistance = (nanos: bigint, count: number): string | null =>
  toMean(toDecimalText({ units: nanos, places: 9 }), count, 4)

/** The active ratings of other users on a symbol. */
export type Others = { count: number; sum: number }
