import type { Move, PendingPoint, RatingDot, TimePoint, TrendUnit } from './time-point.ts'
import type { TimeTick } from './time-ticks.ts'

export type PaneName = 'consensus' | 'prediction' | 'trend'

/** One value as a reader reads it. */
export type Reading = { name: string; text: string }

/** The exact texts of one bucket: when it was, and what each pane says of it. */
export type PointReading<Name extends string = PaneName> = { when: string } & {
  readonly [name in Name]: readonly Reading[]
}

/** What the panes of a symbol draw. At least one point; `bucketSeconds` is how wide the last one is drawn. */
export type TimePanesProps = {
  points: readonly TimePoint[]
  bucketSeconds: number
  /** What a bucket is called: "week". */
  bucket: string
  /** The exact texts of the point at an index. */
  describe: (index: number) => PointReading
  /** The single ratings, where they are few enough; else none. */
  dots: readonly RatingDot[]
  /** There are too many single ratings for dots: how many came is drawn by bucket and rating. */
  density: boolean
  pending: readonly PendingPoint[]
  /** What the instant is called that the pending points begin at: `now`, `as of 2024-08-02`. */
  edge: string
  moves: readonly Move[]
  trend: TrendUnit
  showsWeighted: boolean
  /** Called once, when a range was chosen: whole buckets, `to` is exclusive; seconds since 1970. */
  onZoom?: (range: { from: number; to: number }) => void
  /** Called with the id of the single rating that was clicked, or chosen by keys. */
  onOpen?: (id: number) => void
}

/**
 * The time axis that the panes of one chart share. `span`, `ticks` and `edges` are seconds since 1970; `edges` are
 * where the buckets begin and the last one ends. In pixels: `width` of the whole drawing, `left` the scale's own
 * column, `right` what stays free behind the last instant.
 */
export type PaneFrame = {
  span: readonly [number, number]
  edges: readonly number[]
  ticks: readonly TimeTick[]
  width: number
  left: number
  right: number
}
