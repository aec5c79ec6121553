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

/** Asks for the ratings of other users that are active at `at`; of those posted in that second, only ids below `beforeId`. */
export type OthersProbe = { symbolKey: string; userId: number; at: number; beforeId: number }

/** Ratings of the symbols of probes, in any order; `place` is the symbol's place among the keys. */
export type OthersChunk = {
  length: number
  place: Int32Array
  id: Float64Array
  user: Float64Array
  rating: Int16Array
  created: Float64Array
  until: Float64Array
}

/** Adds up, over chunks of all ratings of the probes' symbols, what each probe asks for. */
export function createOthers(probes: readonly OthersProbe[]) {
  const keys = [...new Set(probes.map(({ symbolKey }) => symbolKey))]
  const places = new Map(keys.map((key, place) => [key, place]))
  const found = probes.map((probe) => ({ probe, count: 0, sum: 0 }))
  const byPlace = keys.map((): typeof found => [])
  for (const one of found) byPlace[places.get(one.probe.symbolKey) ?? -1]?.push(one)
  return {
    keys,
    add({ length, place, id, user, rating, created, until }: OthersChunk): void {
      for (let index = 0; index < length; index += 1) {
        const begin = created[index] ?? 0
        const end = until[index] ?? 0
        for (const one of byPlace[place[index] ?? -1] ?? []) {
          const { at, beforeId, userId } = one.probe
          if (begin > at || end <= at || user[index] === userId) continue
          if (begin === at && (id[index] ?? 0) >= beforeId) continue
          one.count += 1
          one.sum += rating[index] ?? 0
        }
      }
    },
    /** For each probe, in order; null if there are fewer than {@link OTHERS_MIN}. */
    found: (): (Others | null)[] =>
      found.map(({ count, sum }) => (count < OTHERS_MIN ? null : { count, sum })),
  }
}
