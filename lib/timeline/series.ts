import { type Sweep, slicesOf } from '#lib/async/sweep.ts'
import type { SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { SeriesQuery } from '#lib/contract/api-queries.ts'
import { toMean, toMillionthsMean } from '#lib/statistics/exact.ts'
import { type Buckets, chooseBuckets, createBucketIndex, startOf } from './buckets.ts'
import { type Quartiles, quartilesByBucket } from './quartiles.ts'
import { countPosted, joinParts, type Timeline } from './timeline.ts'

type Range = Pick<SeriesQuery, 'bucket' | 'from' | 'to'>

/** Seconds since 1970. `from` null: no lower bound. */
export type SeriesSpan = { buckets: Buckets; from: number | null; at: number }

export const toSeriesSpan = (query: Range, { began, at }: { began: number; at: number }) => ({
  buckets: chooseBuckets(query, { began, at }),
  from: query.from,
  at: query.to === null ? at : Math.min(at, query.to - 1),
})

const RATINGS = 5

/** Per bucket: count, rating, prediction (high, low), count per rating value. */
const WIDTH = 4 + RATINGS

/** Entry 0 holds everything before the first bucket. */
type SeriesTotals = {
  posted: Float64Array
  ended: Float64Array
  upgraded: Float64Array
  downgraded: Float64Array
  lapsed: Float64Array
}

/** Bars count ratings of the range only; lines show the active ratings at the bucket's end. */
export function* sweepSeries(timeline: Timeline, span: SeriesSpan): Sweep<SeriesPoint[]> {
  const totals = yield* sweepTotals(timeline, span)
  const quartiles = yield* quartilesByBucket(timeline, span)
  const { bucket, first, last } = span.buckets
  const active = new Float64Array(WIDTH)
  const points: SeriesPoint[] = []
  for (let index = first - 1; index <= last; index += 1) {
    const place = index - first + 1
    const posted = totals.posted.subarray(place * WIDTH, (place + 1) * WIDTH)
    const ended = totals.ended.subarray(place * WIDTH, (place + 1) * WIDTH)
    for (let figure = 0; figure < WIDTH; figure += 1) {
      active[figure] = (active[figure] ?? 0) + (posted[figure] ?? 0) - (ended[figure] ?? 0)
    }
    if (index < first) continue
    const spread = quartiles[place - 1] ?? NO_QUARTILES
    const [count = 0, rating = 0] = posted
    points.push({
      t: startOf(bucket, index),
      posted: count,
      avg_rating: toMean(rating, count, 4),
      avg_prediction: toMillionthsMean(predictionOf(posted), count, 4),
      posted_by_rating: byRating(posted),
      upgraded: totals.upgraded[place] ?? 0,
      downgraded: totals.downgraded[place] ?? 0,
      lapsed: totals.lapsed[place] ?? 0,
      ...toStanding(active),
      by_rating: byRating(active),
      ...spread,
    })
  }
  return points
}

type ComparedPoint = Pick<SeriesPoint, 't' | 'active' | 'consensus' | 'active_prediction'>

export function* sweepStandings(timeline: Timeline, span: SeriesSpan): Sweep<ComparedPoint[]> {
  const totals = yield* sweepTotals(timeline, span)
  const { bucket, first, last } = span.buckets
  const active = new Float64Array(WIDTH)
  const points: ComparedPoint[] = []
  for (let index = first - 1; index <= last; index += 1) {
    const start = (index - first + 1) * WIDTH
    for (let figure = 0; figure < WIDTH; figure += 1) {
      const [posted, ended] = [totals.posted[start + figure], totals.ended[start + figure]]
      active[figure] = (active[figure] ?? 0) + (posted ?? 0) - (ended ?? 0)
    }
    if (index >= first) points.push({ t: startOf(bucket, index), ...toStanding(active) })
  }
  return points
}

const predictionOf = ([, , high = 0, low = 0]: Float64Array): bigint => joinParts(high, low)

const byRating = (figures: Float64Array): number[] => [...figures.subarray(WIDTH - RATINGS)]

function toStanding(active: Float64Array) {
  const [count = 0, rating = 0] = active
  return {
    active: count,
    consensus: toMean(rating, count, 4),
    active_prediction: toMillionthsMean(predictionOf(active), count, 4),
  }
}

const NO_QUARTILES: Quartiles = {
  prediction_low: null,
  prediction_q1: null,
  prediction_median: null,
  prediction_q3: null,
  prediction_high: null,
}

function* sweepTotals(timeline: Timeline, { buckets, from, at }: SeriesSpan): Sweep<SeriesTotals> {
  const { bucket, first, last } = buckets
  const size = Math.max(0, last - first + 2)
  const totals: SeriesTotals = {
    posted: new Float64Array(size * WIDTH),
    ended: new Float64Array(size * WIDTH),
    upgraded: new Float64Array(size),
    downgraded: new Float64Array(size),
    lapsed: new Float64Array(size),
  }
  const end = Math.min(at, startOf(bucket, last + 1) - 1)
  const since = from ?? 0
  const toPlace = createBucketIndex(buckets)
  const placeOf = (instant: number) => (instant < since ? 0 : toPlace(instant))
  const placing = { placeOf, end }
  const length = countPosted(timeline, end)
  for (const [start, stop] of slicesOf(length)) {
    for (let index = start; index < stop; index += 1) addRating(totals, timeline, index, placing)
    if (stop < length) yield
  }
  return totals
}

type BucketPlacement = {
  placeOf: (instant: number) => number
  end: number
}

function addRating(
  totals: SeriesTotals,
  timeline: Timeline,
  index: number,
  { placeOf, end }: BucketPlacement,
): void {
  const { created, until, expires, action, next } = timeline
  const began = created[index] ?? 0
  const ends = until[index] ?? 0
  const place = placeOf(began)
  addTo(totals.posted, place, timeline, index)
  if (action[index] === 2) totals.upgraded[place] = (totals.upgraded[place] ?? 0) + 1
  if (action[index] === 3) totals.downgraded[place] = (totals.downgraded[place] ?? 0) + 1
  const ended = Math.max(ends, began)
  if (ended > end) return
  const endPlace = placeOf(ended)
  addTo(totals.ended, endPlace, timeline, index)
  const isExpiry = ends === expires[index] && ends > began
  const follower = next[index] ?? -1
  if (isExpiry && (follower < 0 || created[follower] !== ends)) {
    totals.lapsed[endPlace] = (totals.lapsed[endPlace] ?? 0) + 1
  }
}

function addTo(sums: Float64Array, place: number, timeline: Timeline, index: number): void {
  const at = place * WIDTH
  const rating = timeline.rating[index] ?? 0
  const code = timeline.prediction[index] ?? 0
  sums[at] = (sums[at] ?? 0) + 1
  sums[at + 1] = (sums[at + 1] ?? 0) + rating
  sums[at + 2] = (sums[at + 2] ?? 0) + (timeline.predictions.high[code] ?? 0)
  sums[at + 3] = (sums[at + 3] ?? 0) + (timeline.predictions.low[code] ?? 0)
  if (rating < 1 || rating > RATINGS) return
  const counted = at + WIDTH - RATINGS - 1 + rating
  sums[counted] = (sums[counted] ?? 0) + 1
}
