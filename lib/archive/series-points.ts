import type { SeriesPoint } from '#lib/contract/answers/series.ts'
import { toMillionths } from './decimal.ts'
import { toMean, toMillionthsMean } from './mean.ts'
import { type Buckets, startOf } from './series-buckets.ts'
import type { Change } from './series-changes.ts'
import type { Quartiles } from './series-quartiles.ts'

type Sums = {
  count: number
  rating: number
  prediction: bigint
  weight: bigint
  weighted: bigint
  byRating: number[]
  upgraded: number
  downgraded: number
  lapsed: number
}

/** What stands at one bucket: posted and ceased in it, and active at its end. */
export type Step = { t: number; posted: Sums; ended: Sums; active: Sums }

/** A point for each step, with the quartiles by bucket; buckets without active ratings have none. */
export function toPoints(
  steps: readonly Step[],
  quartiles: ReadonlyMap<number, Quartiles>,
): SeriesPoint[] {
  return steps.map(({ t, posted, ended, active }) => {
    const spread = quartiles.get(t)
    return {
      t,
      posted: posted.count,
      avg_rating: toMean(posted.rating, posted.count, 4),
      avg_prediction: toMillionthsMean(posted.prediction, posted.count, 4),
      posted_by_rating: posted.byRating,
      upgraded: posted.upgraded,
      downgraded: posted.downgraded,
      lapsed: ended.lapsed,
      ...toStanding(active),
      // Null as well where the votes leave no weight.
      weighted: toMean(active.weighted, active.weight, 4),
      by_rating: active.byRating,
      prediction_low: spread?.low ?? null,
      prediction_q1: spread?.q1 ?? null,
      prediction_median: spread?.median ?? null,
      prediction_q3: spread?.q3 ?? null,
      prediction_high: spread?.high ?? null,
    }
  })
}

/** How many are active, and their means. */
export const toStanding = (active: Sums) => ({
  active: active.count,
  consensus: toMean(active.rating, active.count, 4),
  active_prediction: toMillionthsMean(active.prediction, active.count, 4),
})

/** A step for each bucket, from the changes in their order. What came before the first counts as active in it. */
export function toSteps({ bucket, first, last }: Buckets, changes: readonly Change[]): Step[] {
  const active = nothing()
  const steps: Step[] = []
  let next = 0
  const advance = (index: number): Omit<Step, 't'> => {
    const [posted, ended] = [nothing(), nothing()]
    for (; (changes[next]?.bucket ?? Number.POSITIVE_INFINITY) <= index; next += 1) {
      const change = changes[next]
      if (!change) break
      add(change.is_posted ? posted : ended, change, 1)
      add(active, change, change.is_posted ? 1 : -1)
    }
    return { posted, ended, active: { ...active, byRating: [...active.byRating] } }
  }
  advance(first - 1)
  for (let index = first; index <= last; index += 1) {
    steps.push({ t: startOf(bucket, index), ...advance(index) })
  }
  return steps
}

const nothing = (): Sums => ({
  count: 0,
  rating: 0,
  prediction: 0n,
  weight: 0n,
  weighted: 0n,
  byRating: [0, 0, 0, 0, 0],
  upgraded: 0,
  downgraded: 0,
  lapsed: 0,
})

function add(sums: Sums, change: Change, sign: 1 | -1): void {
  const big = BigInt(sign)
  sums.count += sign * change.count
  sums.rating += sign * change.rating
  sums.prediction += big * toMillionths(change.prediction)
  sums.weight += big * BigInt(change.weight)
  sums.weighted += big * BigInt(change.weighted)
  const { r1, r2, r3, r4, r5 } = change
  const byRating = [r1, r2, r3, r4, r5]
  sums.byRating = sums.byRating.map((count, place) => count + sign * (byRating[place] ?? 0))
  sums.upgraded += sign * change.upgraded
  sums.downgraded += sign * change.downgraded
  sums.lapsed += sign * change.lapsed
}
