import { roundQuotient, toDecimalText, toMean } from '#lib/statistics/exact.ts'

export const OTHERS_MIN = 3

export const NANO = 1_000_000_000

/**
 * Billionths, rounded half away from zero. Means of different counts have no common denominator; at
 * nine places they add exactly.
 */
export function toDistanceInNanos(
  rating: number,
  { count, sum }: { count: number; sum: number },
): bigint {
  return roundQuotient(apartFrom(rating, { count, sum }) * BigInt(NANO), BigInt(count))
}

export function toDistanceInSteps(
  rating: number,
  { count, sum }: { count: number; sum: number },
): number {
  return Number(roundQuotient(apartFrom(rating, { count, sum }), BigInt(count)))
}

const apartFrom = (rating: number, { count, sum }: { count: number; sum: number }) =>
  BigInt(rating) * BigInt(count) - BigInt(sum)

export const toMeanDistance = (nanos: bigint, count: number): string | null =>
  toMean(toDecimalText({ units: nanos, places: 9 }), count, 4)

export type Others = { count: number; sum: number }
