import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { CommunityRecord } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import { coinTail } from '#lib/statistics/chance.ts'
import { toWilson } from '#lib/statistics/wilson.ts'
import { type CallSet, outcome, selectSet } from './calls.ts'
import { toDecimal, toRates } from './tallies.ts'

/** From so many clusters on a user is ranked. */
const RANKED_FROM = 5

/** Sums of halves and thirds are not whole where they should be. */
const ROUNDING = 1e-9

/** So seldom a coin does as well, where somebody is said to beat it. */
const SELDOM = 0.025

/** A user's scored calls by cluster: how many, their hits together, the mean of their signed excess, and how it spreads. */
type UserTally = { userId: number; clusters: number; hits: number; mean: number; squares: number }

/** What is known of a user who is ranked, the best first. */
export type Ranked = Pick<UserTally, 'userId' | 'clusters' | 'hits'> & { low: number }

/** Everybody who has a scored call in a set, by number. */
export async function selectUserTallies(db: Kysely<Tables>, set: CallSet): Promise<UserTally[]> {
  const { rows } = await sql<UserTally>`
    select user_id as "userId", count(*) as clusters, sum(hits) as hits, avg(mean) as mean,
      var_pop(mean) * count(*) as squares
    from (
      select user_id, avg(hit) / 2 as hits, avg(signed) as mean
      from ${selectSet(set)} as calls where outcome = ${outcome('scored')}
      group by user_id, cluster
    ) as clustered
    group by user_id order by user_id`.execute(db)
  return rows
}

/**
 * Of these, everybody with enough clusters, by the lower end of the interval of the hit rate; of equal ones who has more
 * clusters, then the lower number.
 */
export const toRanked = (tallies: readonly UserTally[]): Ranked[] =>
  tallies
    .filter(({ clusters }) => clusters >= RANKED_FROM)
    .map(({ userId, clusters, hits }) => ({
      ...{ userId, clusters, hits },
      low: toExact(toWilson(hits, clusters)?.low ?? 0),
    }))
    .sort((a, b) => b.low - a.low || b.clusters - a.clusters || a.userId - b.userId)

/** What a league says of a user's record, by number; of whoever is not there, {@link NO_STANDING}. */
export function toStandings(
  tallies: readonly UserTally[],
  ranked: readonly Ranked[],
): ReadonlyMap<number, Standing> {
  const ranks = new Map(ranked.map(({ userId }, index) => [userId, index + 1]))
  return new Map(
    tallies.map(({ userId, ...tally }) => [
      userId,
      { ...toRates(tally), rank: ranks.get(userId) ?? null },
    ]),
  )
}

/** Of a user without any scored call. */
export const NO_STANDING: Standing = {
  ...{ clusters: 0, hit_rate: null, hit_low: null, hit_high: null, rank: null },
  ...{ excess: null, excess_low: null, excess_high: null },
}

/** Equal hits are to be equal ends, in whatever order thirds and halves were summed up. */
const toExact = (low: number) => Number(low.toFixed(9))

/** The share of coins that would do as well or better. Half hits count for the coin. */
export const toCoinShare = ({ hits, clusters }: Pick<Ranked, 'hits' | 'clusters'>): number =>
  coinTail(Math.ceil(hits - ROUNDING), clusters)

/** How many did better, and worse, than a coin does in all but one of forty cases, and how many would have by luck alone. */
export function toLuck(ranked: readonly Ranked[]): CommunityRecord['luck'] {
  const isBetter = (one: Ranked) => toCoinShare(one) <= SELDOM
  const isWorse = ({ hits, clusters }: Ranked) =>
    coinTail(Math.ceil(clusters - hits - ROUNDING), clusters) <= SELDOM
  const expected = toDecimal(ranked.reduce((sum, { clusters }) => sum + toChance(clusters), 0))
  return {
    ranked: ranked.length,
    beat: ranked.filter(isBetter).length,
    expected: expected ?? '0.000000',
    worse: ranked.filter(isWorse).length,
    expected_worse: expected ?? '0.000000',
  }
}

const chances = new Map<number, number>()

/** How probable it is that a coin does so well in so many throws: seldom enough, and no more seldom than there is a number of hits for. */
function toChance(clusters: number): number {
  const known = chances.get(clusters)
  if (known !== undefined) return known
  let [low, high] = [0, clusters + 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (coinTail(middle, clusters) <= SELDOM) high = middle
    else low = middle + 1
  }
  const chance = coinTail(low, clusters)
  chances.set(clusters, chance)
  return chance
}
