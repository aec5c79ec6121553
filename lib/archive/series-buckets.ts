import { type Expression, sql } from 'kysely'
import { BUCKETS, type Bucket } from '#lib/contract/other-queries.ts'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
/** 1970 began on a Thursday; its first Monday is the fifth of January. */
const FIRST_MONDAY = 4 * DAY_SECONDS

const AUTO_POINTS = 400
const ASKED_POINTS = 4000

/** Buckets in a row: their indices count up by one. `last` is below `first` where there is none. */
export type Buckets = { bucket: Bucket; first: number; last: number }

/** The buckets that hold the seconds from `first` to `last`, both inclusive, by the rule of `selectSeries`. */
export function chooseBuckets(range: {
  first: number
  last: number
  asked: Bucket | 'auto'
}): Buckets {
  const { first, last, asked } = range
  const limit = asked === 'auto' ? AUTO_POINTS : ASKED_POINTS
  const candidates = asked === 'auto' ? BUCKETS : BUCKETS.slice(BUCKETS.indexOf(asked))
  const fits = (bucket: Bucket) => indexOf(bucket, last) - indexOf(bucket, first) < limit
  const bucket = candidates.find(fits) ?? 'month'
  if (first > last) return { bucket, first: 0, last: -1 }
  return { bucket, first: indexOf(bucket, first), last: indexOf(bucket, last) }
}

function indexOf(bucket: Bucket, at: number): number {
  if (bucket === 'day') return Math.floor(at / DAY_SECONDS)
  if (bucket === 'week') return Math.floor((at - FIRST_MONDAY) / WEEK_SECONDS)
  const date = new Date(at * 1000)
  return date.getUTCFullYear() * 12 + date.getUTCMonth()
}

/** The first instant of a bucket, in seconds since 1970. */
export function startOf(bucket: Bucket, index: number): number {
  if (bucket === 'day') return index * DAY_SECONDS
  if (bucket === 'week') return index * WEEK_SECONDS + FIRST_MONDAY
  return Date.UTC(Math.floor(index / 12), index % 12) / 1000
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
  return sql<number>`
    cast(extract(year from ${date}) * 12 + extract(month from ${date}) - 1 as bigint)`
}
