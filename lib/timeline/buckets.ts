import { POINTS_MAX } from '#lib/contract/answers/opinion.ts'
import { ANSWERED_BUCKETS, type Bucket, type SeriesQuery } from '#lib/contract/api-queries.ts'

export const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
/** The first Monday after 1970-01-01, a Thursday. */
const FIRST_MONDAY = 4 * DAY_SECONDS
const MONTHS = 12

/** `last` is below `first` if there are no buckets. */
export type Buckets = { bucket: Bucket; first: number; last: number }

/**
 * Returns the requested bucket, or the next coarser one with at most {@link POINTS_MAX} points. If
 * even years are too many, only the last ones are kept.
 */
export function chooseBuckets(
  { bucket: asked, from, to }: Pick<SeriesQuery, 'bucket' | 'from' | 'to'>,
  { began, at }: { began: number; at: number },
): Buckets {
  const first = Math.max(from ?? began, began)
  const last = Math.min(to === null ? at : to - 1, at)
  const candidates =
    asked === 'auto' ? ANSWERED_BUCKETS : ANSWERED_BUCKETS.slice(ANSWERED_BUCKETS.indexOf(asked))
  const fits = (bucket: Bucket) => indexOf(bucket, last) - indexOf(bucket, first) < POINTS_MAX
  const bucket = candidates.find(fits) ?? 'year'
  if (first > last) return { bucket, first: 0, last: -1 }
  const end = indexOf(bucket, last)
  return { bucket, first: Math.max(indexOf(bucket, first), end - POINTS_MAX + 1), last: end }
}

export function indexOf(bucket: Bucket, at: number): number {
  if (bucket === 'day') return Math.floor(at / DAY_SECONDS)
  if (bucket === 'week') return Math.floor((at - FIRST_MONDAY) / WEEK_SECONDS)
  const date = new Date(at * 1000)
  const year = date.getUTCFullYear()
  return bucket === 'year' ? year : year * MONTHS + date.getUTCMonth()
}

export function startOf(bucket: Bucket, index: number): number {
  if (bucket === 'day') return index * DAY_SECONDS
  if (bucket === 'week') return index * WEEK_SECONDS + FIRST_MONDAY
  if (bucket === 'year') return Date.UTC(index, 0) / 1000
  return Date.UTC(Math.floor(index / MONTHS), index % MONTHS) / 1000
}

/** Maps an instant to its place: 1 is the first bucket, 0 is before it. */
export function createBucketIndex({ bucket, first, last }: Buckets): (instant: number) => number {
  if (bucket === 'day' || bucket === 'week') {
    return (instant) => Math.max(0, indexOf(bucket, instant) - first + 1)
  }
  const size = Math.max(0, last - first + 1)
  const firstDay = startOf(bucket, first) / DAY_SECONDS
  const places = new Uint16Array(startOf(bucket, first + size) / DAY_SECONDS - firstDay)
  for (let place = 1; place <= size; place += 1) {
    places.fill(place, startOf(bucket, first + place - 1) / DAY_SECONDS - firstDay)
  }
  return (instant) => {
    const day = Math.floor(instant / DAY_SECONDS) - firstDay
    return day < 0 ? 0 : (places[day] ?? size)
  }
}
