import { formatDay } from '#components/format/instant.ts'
import type { Bucket } from '#lib/contract/other-queries.ts'

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
  const name = toBucketPhrase(t, bucket)
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** The same within a sentence: `week of 2026-11-16`. */
export function toBucketPhrase(t: number, bucket: Bucket): string {
  const day = formatDay(t)
  if (bucket === 'year') return day.slice(0, 4)
  if (bucket === 'month') return day.slice(0, 7)
  return bucket === 'week' ? `week of ${day}` : day
}
