import { formatDay } from '#components/format/instants.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'

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
