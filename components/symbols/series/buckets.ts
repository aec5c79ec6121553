import type { Span } from '#components/address/time-range.ts'
import { toEdges } from '#components/charts/time-axis.ts'
import { formatDay } from '#components/format/instants.ts'
import type { Bucket, SeriesQuery } from '#lib/contract/api-queries.ts'

/** What a series is judged at: `asOf` in seconds since 1970; `isNow` where a reader calls that now, `isRange` where it is of a part of all time. */
export type Judged = { bucket: Bucket; asOf: number; isNow: boolean; isRange?: boolean }

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

/**
 * What the series of a page is judged at: the end of its range, or the instant that it was answered for (`at`) where that
 * comes first; seconds since 1970.
 */
export const toJudged = (
  bucket: Bucket,
  { asof, from, to }: Pick<SeriesQuery, 'asof' | 'from' | 'to'>,
  at: number,
): Judged => {
  const endsBefore = to !== null && to <= at
  return {
    bucket,
    asOf: endsBefore ? to - 1 : at,
    // A series as of an instant to come ends now.
    isNow: !endsBefore && (asof === null || asof > at),
    isRange: from !== null || to !== null,
  }
}

const DAY = 86_400

/** How wide a bucket is drawn, in seconds; a month as it is on average. */
export const BUCKET_SECONDS: Readonly<Record<Bucket, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30.436875 * DAY,
  year: 365.2425 * DAY,
}

/** A bucket by its first instant (seconds since 1970): `2026-11-20`, `Week of 2026-11-16`, `2026-11`. */
export function toBucketName(t: number, bucket: Bucket): string {
  const day = formatDay(t)
  if (bucket === 'year') return day.slice(0, 4)
  if (bucket === 'month') return day.slice(0, 7)
  return bucket === 'week' ? `Week of ${day}` : day
}

/** When something happened in a bucket, within a sentence: `in 2026-11`, `in the week of 2026-11-16`, `on 2026-11-20`. */
export function toBucketPhrase(t: number, bucket: Bucket): string {
  if (bucket === 'week') return `in the week of ${formatDay(t)}`
  return `${bucket === 'day' ? 'on' : 'in'} ${toBucketName(t, bucket)}`
}

/**
 * The first and the last day (UTC) of what is displayed: a file is read when "now" is another day. `first` is where its
 * points begin, `asOf` the instant that it is judged at; seconds since 1970. None where there are no points.
 */
export function toShownDays(
  first: { t: number } | undefined,
  { from, to }: Span,
  asOf: number,
): string[] {
  if (!first) return []
  const end = to === null ? asOf : Math.min(to - 1, asOf)
  return [formatDay(Math.max(from ?? 0, first.t)), formatDay(Math.max(end, first.t))]
}
