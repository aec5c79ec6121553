import { RANKED_LEAST } from '#lib/contract/answers/limits.ts'
import type { Luck } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import { coinTail } from '#lib/statistics/chance.ts'
import { toWilson } from '#lib/statistics/wilson.ts'
import type { Totals } from './survey.ts'
import { toDecimal, toRates } from './tallies.ts'

export type Ranked = Pick<Totals, 'clusters' | 'hits'> & { userId: number; low: number }

/** By `low`, then more clusters, then lower id. */
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

export const toStanding = (totals: Totals | undefined, rank: number | undefined): Standing =>
  totals && totals.clusters > 0 ? { ...toRates(totals), rank: rank ?? null } : NO_STANDING

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

/** Summation order must not affect ties. */
const toExact = (low: number) => Number(low.toFixed(9))

const beatsCoin = (hits: number, clusters: number) =>
  Number(toDecimal(toWilson(hits, clusters)?.low) ?? 0) > 0.5

/** Ids of users whose whole interval is above a coin's half. */
const toProven = (ranked: readonly Ranked[]): ReadonlySet<number> =>
  new Set(
    ranked.filter(({ hits, clusters }) => beatsCoin(hits, clusters)).map(({ userId }) => userId),
  )

export function toLuck(ranked: readonly Ranked[]): Luck {
  const expected = toDecimal(ranked.reduce((sum, { clusters }) => sum + toChance(clusters), 0))
  return {
    ranked: ranked.length,
    beat: toProven(ranked).size,
    expected: expected ?? '0.000000',
    worse: ranked.filter(({ hits, clusters }) => beatsCoin(clusters - hits, clusters)).length,
    expected_worse: expected ?? '0.000000',
  }
}

const chances = new Map<number, number>()

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
