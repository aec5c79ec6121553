import { type Kysely, sql } from 'kysely'
import type { CallSet } from '#lib/archive/archive.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { CommunityRecord } from '#lib/contract/answers/track.ts'
import { outcome, selectSet } from './calls.ts'
import { coinTail, toWilson } from './distributions.ts'
import { toDecimal } from './tallies.ts'

/** From so many clusters on a user is ranked. */
export const RANKED_FROM = 5

/** So seldom a coin does as well, where somebody is said to beat it. */
const SELDOM = 0.025

/** What is known of a user who is ranked, the best first. */
export type Ranked = { userId: number; clusters: number; hits: number; low: number }

/**
 * Everybody with enough clusters in a set, by the lower end of the interval of the hit rate; of equal ones who has more clusters, then
 * the lower number.
 */
export async function selectRanked(db: Kysely<Tables>, set: CallSet): Promise<Ranked[]> {
  const { rows } = await sql<{ user_id: number; clusters: number; hits: number }>`
    select user_id, count(*) as clusters, sum(hits) as hits
    from (
      select user_id, avg(hit) / 2 as hits
      from ${selectSet(set)} as calls where outcome = ${outcome('scored')}
      group by user_id, cluster
    ) as clustered
    group by user_id having count(*) >= ${sql.lit(RANKED_FROM)}`.execute(db)
  return rows
    .map(({ user_id: userId, clusters, hits }) => ({
      ...{ userId, clusters, hits },
      low: toExact(toWilson(hits, clusters)?.low ?? 0),
    }))
    .sort((a, b) => b.low - a.low || b.clusters - a.clusters || a.userId - b.userId)
}

/** Equal hits are to be equal ends, in whatever order thirds and halves were summed up. */
const toExact = (low: number) => Number(low.toFixed(9))

/** The share of coins that would do as well or better. Half hits count for the coin. */
export const toCoinShare = ({ hits, clusters }: Pick<Ranked, 'hits' | 'clusters'>): number =>
  coinTail(Math.ceil(hits - ROUNDING), clusters)

/** Sums of halves and thirds are not whole where they should be. */
const ROUNDING = 1e-9

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
