import type { TimeTick } from './time-ticks.ts'

/**
 * One bucket, from `t` (seconds since 1970) to the next. Null is a gap. Numbers are for drawing
 * only. `posted` counts ratings posted in the bucket; other values describe the active set at its
 * end. `byRating` is in the order 1 to 5.
 */
export type TimePoint = {
  t: number
  posted: number
  active: number
  consensus: number | null
  byRating: readonly number[]
  low: number | null
  q1: number | null
  median: number | null
  q3: number | null
  high: number | null
}

export const RATINGS = [1, 2, 3, 4, 5] as const

export type RatingDot = { id: number; t: number; rating: number; prediction: number }

/** The consensus from `t` on if nothing is posted or renewed. */
export type PendingPoint = { t: number; consensus: number | null }

export function isLone(values: readonly (number | null)[], index: number): boolean {
  const has = (at: number) => (values[at] ?? null) !== null
  return has(index) && !has(index - 1) && !has(index + 1)
}

/** One per bucket; null if unknown. */
export type Closes = readonly (number | null)[]

export type PaneName = 'consensus' | 'prediction' | 'trend'

export type Reading = { name: string; text: string; glyph?: string }

export type LastTexts = { consensus: string | null; median: string | null; active: string }

export type PointReading<Name extends string = PaneName> = { when: string } & {
  readonly [name in Name]: readonly Reading[]
}

export type TimePanesProps = {
  points: readonly TimePoint[]
  bucketSeconds: number
  bucket: string
  describe: (index: number) => PointReading
  dots: readonly RatingDot[]
  closes?: Closes | undefined
  last: LastTexts
  pending: readonly PendingPoint[]
  /** `now` or `as of 2024-08-02`. */
  edge: string
  /** Seconds since 1970; whole buckets, `to` is exclusive. */
  onZoom?: (range: { from: number; to: number }) => void
  onOpen?: (id: number) => void
}

/**
 * `span`, `ticks` and `edges` are seconds since 1970; `edges` has one more entry than there are
 * buckets. The rest is in pixels.
 */
export type PaneFrame = {
  span: readonly [number, number]
  edges: readonly number[]
  ticks: readonly TimeTick[]
  width: number
  left: number
  right: number
}
