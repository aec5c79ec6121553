import type { SeriesPoint } from '#lib/contract/answers/symbols.ts'
import { toMillionths } from './decimal.ts'
import { toMillionthsMean } from './mean.ts'
import { type Buckets, startOf } from './series-buckets.ts'

/** Ratings that were posted in a bucket, or ceased to be active: how many, and their sums. */
export type Change = { bucket: number; count: number; rating: number; prediction: string }

type Sums = { count: number; rating: bigint; prediction: bigint }

/**
 * A point for each bucket, from what was posted and what ended in each, in order. What happened before the first
 * bucket counts for the active set.
 */
export function toPoints(
  { bucket, first, last }: Buckets,
  changes: { posted: readonly Change[]; ended: readonly Change[] },
): SeriesPoint[] {
  const active = nothing()
  const points: SeriesPoint[] = []
  const posted = createReader(changes.posted)
  const ended = createReader(changes.ended)
  const advance = (index: number): Sums => {
    const inBucket = nothing()
    for (const change of posted(index)) {
      add(active, change, 1)
      add(inBucket, change, 1)
    }
    for (const change of ended(index)) add(active, change, -1)
    return inBucket
  }
  advance(first - 1)
  for (let index = first; index <= last; index += 1) {
    const inBucket = advance(index)
    points.push(toPoint(startOf(bucket, index), inBucket, active))
  }
  return points
}

/** Gives, call by call, the changes up to a bucket that are not yet given. */
function createReader(changes: readonly Change[]): (bucket: number) => Change[] {
  let next = 0
  return (bucket) => {
    const start = next
    while ((changes[next]?.bucket ?? Number.POSITIVE_INFINITY) <= bucket) next += 1
    return changes.slice(start, next)
  }
}

const nothing = (): Sums => ({ count: 0, rating: 0n, prediction: 0n })

function add(sums: Sums, change: Change, sign: 1 | -1): void {
  sums.count += sign * change.count
  sums.rating += BigInt(sign * change.rating) * 1_000_000n
  sums.prediction += BigInt(sign) * toMillionths(change.prediction)
}

const toPoint = (t: number, posted: Sums, active: Sums): SeriesPoint => ({
  t,
  posted: posted.count,
  avg_rating: toMillionthsMean(posted.rating, posted.count, 4),
  avg_prediction: toMillionthsMean(posted.prediction, posted.count, 4),
  active: active.count,
  consensus: toMillionthsMean(active.rating, active.count, 4),
  active_prediction: toMillionthsMean(active.prediction, active.count, 4),
})
