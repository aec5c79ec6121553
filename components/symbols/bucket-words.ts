import { toEdges } from '#components/charts/time-frame.ts'
import { formatDay } from '#components/format/instants.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'
import { BUCKET_SECONDS, toBucketName, toBucketPhrase } from './buckets.ts'

/** What a series is judged at: `asOf` in seconds since 1970; `isNow` where a reader calls that now. */
export type Judged = { bucket: Bucket; asOf: number; isNow: boolean }

/** How one says what stood at a bucket's end; each of a bucket's first instant (seconds since 1970). */
export type BucketWords = {
  /** Within a sentence: `in 2021-01`, `in the week of 2024-07-29`, `on 2024-08-02`, `now`, `as of 2024-08-02`. */
  toWhen: (t: number) => string
  /** Alone: `End of 2021-01`, `End of the week of 2024-07-29`, `2024-08-02`, `2026-11, now`. */
  toTitle: (t: number) => string
  /** Under the heading "At the end of": `2021-01`, `Week of 2024-07-29`, `2024-08-02`, `2026-11, now`. */
  toRow: (t: number) => string
}

/**
 * The words for the buckets of one series. What is drawn of a bucket is what stood at its end, and the instant that the
 * series is judged at may come before: that one is named, for a month that has just begun has no end to speak of.
 */
export function createBucketWords(judged: Judged): BucketWords {
  const { bucket, asOf, isNow } = judged
  const edge = toEdgeText(judged)
  const isUnfinished = (t: number) => asOf < (toEdges([t], shape(bucket)).at(-1) ?? 0)
  const toRow = (t: number) => {
    const name = toBucketName(t, bucket)
    if (!isUnfinished(t)) return name
    return bucket === 'day' && !isNow ? `As of ${name}` : `${name}, ${edge}`
  }
  const toTitle = (t: number) => {
    if (isUnfinished(t) || bucket === 'day') return toRow(t)
    return `End of ${bucket === 'week' ? `the week of ${formatDay(t)}` : toBucketName(t, bucket)}`
  }
  const toWhen = (t: number) => (isUnfinished(t) ? edge : toBucketPhrase(t, bucket))
  return { toWhen, toTitle, toRow }
}

/** The instant that a series is judged at: `now`, `as of 2024-08-02`. */
export const toEdgeText = ({ asOf, isNow }: Omit<Judged, 'bucket'>): string =>
  isNow ? 'now' : `as of ${formatDay(asOf)}`

const shape = (bucket: Bucket) => ({ bucket, bucketSeconds: BUCKET_SECONDS[bucket] })

/** What the series of a page is judged at: `asof` as its address asks, `at` as it was answered; seconds since 1970. */
export const toJudged = (bucket: Bucket, asof: number | null, at: number): Judged => ({
  bucket,
  asOf: at,
  // A series as of an instant to come ends now.
  isNow: asof === null || asof > at,
})
