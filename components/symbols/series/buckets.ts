import { toEdges } from '#components/charts/time-axis.ts'
import { formatDay } from '#components/format/instants.ts'
import type { Span } from '#components/time/time-range.ts'
import type { Bucket, SeriesQuery } from '#lib/contract/api-queries.ts'

/** `asOf` is in seconds since 1970. */
export type BucketContext = { bucket: Bucket; asOf: number; isNow: boolean; isRange?: boolean }

/** `t` is a bucket's start in seconds since 1970. */
export type BucketWords = {
  /** `in 2021-01`, `in the week of 2024-07-29`, `on 2024-08-02`, `now`, `as of 2024-08-02`. */
  toWhen: (t: number) => string
  /** `End of 2021-01`, `End of the week of 2024-07-29`, `2024-08-02`, `2026-11, now`. */
  toTitle: (t: number) => string
  /** `2021-01`, `Week of 2024-07-29`, `2024-08-02`, `2026-11, now`. */
  toRow: (t: number) => string
}

/** The last bucket is named after `asOf` if it has not ended. */
export function createBucketWords(context: BucketContext): BucketWords {
  const { bucket, asOf, isNow } = context
  const edge = toEdgeText(context)
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

export const toEdgeText = ({ asOf, isNow }: Omit<BucketContext, 'bucket'>): string =>
  isNow ? 'now' : `as of ${formatDay(asOf)}`

const shape = (bucket: Bucket) => ({ bucket, bucketSeconds: BUCKET_SECONDS[bucket] })

/** The end of the range or `at`, whichever is earlier; seconds since 1970. */
export const toJudged = (
  bucket: Bucket,
  { asof, from, to }: Pick<SeriesQuery, 'asof' | 'from' | 'to'>,
  at: number,
): BucketContext => {
  const endsBefore = to !== null && to <= at
  return {
    bucket,
    asOf: endsBefore ? to - 1 : at,
    // A series for a future instant ends now.
    isNow: !endsBefore && (asof === null || asof > at),
    isRange: from !== null || to !== null,
  }
}

const DAY = 86_400

/** Seconds; a month has its average length. */
export const BUCKET_SECONDS: Readonly<Record<Bucket, number>> = {
  day: DAY,
  week: 7 * DAY,
  month: 30.436875 * DAY,
  year: 365.2425 * DAY,
}

export function toBucketName(t: number, bucket: Bucket): string {
  const day = formatDay(t)
  if (bucket === 'year') return day.slice(0, 4)
  if (bucket === 'month') return day.slice(0, 7)
  return bucket === 'week' ? `Week of ${day}` : day
}

export function toBucketPhrase(t: number, bucket: Bucket): string {
  if (bucket === 'week') return `in the week of ${formatDay(t)}`
  return `${bucket === 'day' ? 'on' : 'in'} ${toBucketName(t, bucket)}`
}

/** UTC days; "now" would be wrong in a file. Empty without points. */
export function toShownDays(
  first: { t: number } | undefined,
  { from, to }: Span,
  asOf: number,
): string[] {
  if (!first) return []
  const end = to === null ? asOf : Math.min(to - 1, asOf)
  return [formatDay(Math.max(from ?? 0, first.t)), formatDay(Math.max(end, first.t))]
}
