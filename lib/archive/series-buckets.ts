import { type Expression, sql } from 'kysely'
import { POINTS_MAX } from '#lib/contract/answers/series.ts'
import { ANSWERED_BUCKETS, type Bucket, type SeriesQuery } from '#lib/contract/other-queries.ts'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
/** 1970 began on a Thursday; its first Monday is the fifth of January. */
const FIRST_MONDAY = 4 * DAY_SECONDS
const MONTHS = 12

/** Buckets in a row: their indices count up by one. `last` is below `first` where there is none. */
export type Buckets = { bucket: Bucket; first: number; last: number }

/**
 * The buckets of a series that began at `began` and is judged at `at`: those that hold the seconds from `from` to
 * before `to`, as far as there is anything to show. Of the bucket asked for and the coarser ones it is the first that
 * stays within {@link POINTS_MAX}; `auto` asks for the finest. Where even years are too many, the last ones are left.
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

/** The index of the bucket that an instant (seconds) lies in. */
export function indexOf(bucket: Bucket, at: number): number {
  if (bucket === 'day') return Math.floor(at / DAY_SECONDS)
  if (bucket === 'week') return Math.floor((at - FIRST_MONDAY) / WEEK_SECONDS)
  const date = new Date(at * 1000)
  const year = date.getUTCFullYear()
  return bucket === 'year' ? year : year * MONTHS + date.getUTCMonth()
}

/** The first instant of a bucket, in seconds since 1970. */
export function startOf(bucket: Bucket, index: number): number {
  if (bucket === 'day') return index * DAY_SECONDS
  if (bucket === 'week') return index * WEEK_SECONDS + FIRST_MONDAY
  if (bucket === 'year') return Date.UTC(index, 0) / 1000
  return Date.UTC(Math.floor(index / MONTHS), index % MONTHS) / 1000
}

/** The index of the bucket that an instant lies in, as the database works it out. */
export function toBucketIndex(bucket: Bucket, instant: Expression<number>) {
  const day = sql`floor(${instant} / ${sql.lit(DAY_SECONDS)})`
  if (bucket === 'day') return sql<number>`cast(${day} as bigint)`
  if (bucket === 'week') {
    const week = sql`floor((${instant} - ${sql.lit(FIRST_MONDAY)}) / ${sql.lit(WEEK_SECONDS)})`
    return sql<number>`cast(${week} as bigint)`
  }
  const date = sql`(date '1970-01-01' + cast(${day} as integer))`
  if (bucket === 'year') return sql<number>`extract(year from ${date})`
  return sql<number>`
    cast(extract(year from ${date}) * ${sql.lit(MONTHS)} + extract(month from ${date}) - 1 as bigint)`
}
