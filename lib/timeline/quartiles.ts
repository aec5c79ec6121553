import { type Sweep, slicesOf } from '#lib/async/sweep.ts'
import type { SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { toDecimalText } from '#lib/statistics/exact.ts'
import { type Buckets, createBucketIndex } from './buckets.ts'
import { toGroups } from './groups.ts'
import { countPosted, type Timeline, wasActive } from './timeline.ts'

/** Nearest rank, 6 places. Null if no rating is active. */
export type Quartiles = Pick<
  SeriesPoint,
  'prediction_low' | 'prediction_q1' | 'prediction_median' | 'prediction_q3' | 'prediction_high'
>

export function* quartilesByBucket(
  timeline: Timeline,
  { buckets, at }: { buckets: Buckets; at: number },
): Sweep<(Quartiles | undefined)[]> {
  const { prediction, predictions } = timeline
  const size = Math.max(0, buckets.last - buckets.first + 1)
  const { begins, ends } = yield* groupByBucket(timeline, { buckets, size, at })
  const ranked = createRankCounts(predictions.units.length)
  const textOf = (place: number) =>
    toDecimalText({ units: predictions.units[ranked.find(place)] ?? 0n, places: 6 })
  const found: (Quartiles | undefined)[] = []
  let steps = 0
  for (let place = 0; place < size; place += 1) {
    const [begun, ended] = [begins.of(place), ends.of(place)]
    for (const index of begun) ranked.add(prediction[index] ?? 0, 1)
    for (const index of ended) ranked.add(prediction[index] ?? 0, -1)
    const active = ranked.count()
    found.push(
      active === 0
        ? undefined
        : {
            prediction_low: textOf(1),
            prediction_q1: textOf(Math.ceil(active / 4)),
            prediction_median: textOf(Math.ceil(active / 2)),
            prediction_q3: textOf(Math.ceil((active * 3) / 4)),
            prediction_high: textOf(active),
          },
    )
    steps += begun.length + ended.length
    if (steps > STEPS_MAX) {
      steps = 0
      yield
    }
  }
  return found
}

const STEPS_MAX = 65_536

function* groupByBucket(
  timeline: Timeline,
  { buckets, size, at }: { buckets: Buckets; size: number; at: number },
) {
  const { created, until } = timeline
  const placeOf = createBucketIndex(buckets)
  const posted = countPosted(timeline, at)
  const from = new Int32Array(posted).fill(size)
  const to = new Int32Array(posted).fill(size)
  for (const [start, stop] of slicesOf(posted)) {
    for (let index = start; index < stop; index += 1) {
      if (!wasActive(timeline, index)) continue
      const end = until[index] ?? 0
      const begin = Math.max(placeOf(created[index] ?? 0) - 1, 0)
      const after = end > at ? size : Math.min(placeOf(end) - 1, size)
      if (begin >= after) continue
      from[index] = begin
      to[index] = after
    }
    if (stop < posted) yield
  }
  return { begins: toGroups(from, size), ends: toGroups(to, size) }
}

/**
 * Fenwick tree: P. M. Fenwick, "A New Data Structure for Cumulative Frequency Tables", Software:
 * Practice and Experience 24 (1994), 327–336.
 */
function createRankCounts(size: number) {
  const tree = new Int32Array(size + 1)
  const top = 2 ** Math.floor(Math.log2(Math.max(1, size)))
  let total = 0
  return {
    count: () => total,
    add(rank: number, step: 1 | -1): void {
      total += step
      for (let node = rank + 1; node <= size; node += node & -node) {
        tree[node] = (tree[node] ?? 0) + step
      }
    },
    find(nth: number): number {
      let [node, left] = [0, nth]
      for (let step = top; step > 0; step >>= 1) {
        const reached = tree[node + step]
        if (reached === undefined || reached >= left) continue
        node += step
        left -= reached
      }
      return node
    },
  }
}
