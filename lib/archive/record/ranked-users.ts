import type { CommunityRecord } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import { coinTail } from '#lib/statistics/chance.ts'
import { toWilson } from '#lib/statistics/wilson.ts'
import type { Totals } from './survey.ts'
import { toDecimal, toRates } from './tallies.ts'

/** From so many clusters on a user is ranked. */
const RANKED_FROM = 5

/** Sums of halves and thirds are not whole where they should be. */
const ROUNDING = 1e-9

/** So seldom a coin does as well, where somebody is said to beat it. */
const SELDOM = 0.025

/** A user with enough clusters to be ranked. `low` is the lower end of the interval of the hit rate. */
export type Ranked = Pick<Totals, 'clusters' | 'hits'> & { userId: number; low: number }

/**
 * Everybody with enough clusters, by the lower end of the interval of the hit rate; of equal ones who has more clusters, then the lower
 * number.
 */
export const toRanked = (totals: ReadonlyMap<number, Totals>): Ranked[] =>
  [...totals]
    .filter(([, { clusters }]) => clusters >= RANKED_FROM)
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

/** How many did better, and worse, than a coin does in all but one of forty cases, and how many would have by luck alone. */
export function toLuck(ranked: readonly Ranked[]): CommunityRecord['luck'] {
  const isSeldom = (hits: number, clusters: number) =>
    Math.ceil(hits - ROUNDING) >= toSeldom(clusters).hits
  const expected = toDecimal(
    ranked.reduce((sum, { clusters }) => sum + toSeldom(clusters).chance, 0),
  )
  return {
    ranked: ranked.length,
    beat: ranked.filter(({ hits, clusters }) => isSeldom(hits, clusters)).length,
    expected: expected ?? '0.000000',
    worse: ranked.filter(({ hits, clusters }) => isSeldom(clusters - hits, clusters)).length,
    expected_worse: expected ?? '0.000000',
  }
}

type Seldom = { hits: number; chance: number }

const seldom = new Map<number, Seldom>()

/** The fewest hits in so many throws that a coin has seldom enough, and how probable those or more are. */
function toSeldom(clusters: number): Seldom {
  const known = seldom.get(clusters)
  if (known) return known
  let [low, high] = [0, clusters + 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (coinTail(middle, clusters) <= SELDOM) high = middle
    else low = middle + 1
  }
  const found = { hits: low, chance: coinTail(low, clusters) }
  seldom.set(clusters, found)
  return found
}
