import { RANKED_LEAST } from '#lib/contract/answers/limits.ts'
import type { Luck } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import { coinTail } from '#lib/statistics/chance.ts'
import { toWilson } from '#lib/statistics/wilson.ts'
import type { Totals } from './survey.ts'
import { toDecimal, toRates } from './tallies.ts'

/** Sums of halves and thirds are not whole where they should be. */
const ROUNDING = 1e-9

/** A user with enough clusters to be ranked. `low` is the lower end of the interval of the hit rate. */
export type Ranked = Pick<Totals, 'clusters' | 'hits'> & { userId: number; low: number }

/**
 * Everybody with enough clusters, by the lower end of the interval of the hit rate; of equal ones who has more clusters, then the lower
 * number.
 */
export const toRanked = (totals: ReadonlyMap<number, Totals>): Ranked[] =>
  [...totals]
    .filter(([, { clusters }]) => clusters >= RANKED_LEAST)
    .map(([userId, { clusters, hits }]) => ({
      userId,
      clusters,
      hits,
      low: toExact(toWilson(hits, clusters)?.low ?? 0),
    }))
    .sort((a, b) => b.low - a.low || b.clusters - a.clusters || a.userId - b.userId)

/** What a league says of a user's record. */
export const toStanding = (totals: Totals | undefined, rank: number | undefined): Standing =>
  totals && totals.clusters > 0 ? { ...toRates(totals), rank: rank ?? null } : NO_STANDING

/** Of a user without any scored call. */
const NO_STANDING: Standing = {
  clusters: 0,
  hit_rate: null,
  hit_low: null,
  hit_high: null,
  rank: null,
  excess: null,
  excess_low: null,
  excess_high: null,
}

/** Equal hits are to be equal ends, in whatever order thirds and halves were summed up. */
const toExact = (low: number) => Number(low.toFixed(9))

/** The share of coins that would do as well or better. Half hits count for the coin. */
export const toCoinShare = ({ hits, clusters }: Pick<Ranked, 'hits' | 'clusters'>): number =>
  coinTail(Math.ceil(hits - ROUNDING), clusters)

/** Whether the interval of the hit rate is above a coin's half, as it is shown. */
const beatsCoin = (hits: number, clusters: number) =>
  Number(toDecimal(toWilson(hits, clusters)?.low) ?? 0) > 0.5

/** How many users are better and worse than a coin, and how many of as many coins would be by luck alone. */
export function toLuck(ranked: readonly Ranked[]): Luck {
  const expected = toDecimal(ranked.reduce((sum, { clusters }) => sum + toChance(clusters), 0))
  return {
    ranked: ranked.length,
    beat: ranked.filter(({ hits, clusters }) => beatsCoin(hits, clusters)).length,
    expected: expected ?? '0.000000',
    worse: ranked.filter(({ hits, clusters }) => beatsCoin(clusters - hits, clusters)).length,
    expected_worse: expected ?? '0.000000',
  }
}

const chances = new Map<number, number>()

/** How probable it is that a coin tossed so many times seems better than a coin. */
function toChance(clusters: number): number {
  const known = chances.get(clusters)
  if (known !== undefined) return known
  let [low, high] = [0, clusters + 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (beatsCoin(middle, clusters)) high = middle
    else low = middle + 1
  }
  const chance = coinTail(low, clusters)
  chances.set(clusters, chance)
  return chance
}
