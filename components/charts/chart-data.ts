import type { TimeTick } from './time-ticks.ts'

/**
 * One bucket as the panes draw it. `t` is its first instant (seconds since 1970); what stands in it is drawn from `t`
 * to the next bucket. The numbers are drawing coordinates only: what a reader reads is the text that the answer gave.
 * `null` is a gap. Consensus (raw and weighted), the counts by rating (in the order 1 to 5) and
 * the predictions are of the active set at the bucket's end; `posted` is what came in it.
 */
export type TimePoint = {
  t: number
  posted: number
  active: number
  consensus: number | null
  weighted: number | null
  byRating: readonly number[]
  low: number | null
  q1: number | null
  median: number | null
  q3: number | null
  high: number | null
}

/** A single rating that was posted at `t` (seconds since 1970); `prediction` in percent, to draw it by. */
export type RatingDot = { id: number; t: number; rating: number; prediction: number }

/** The consensus from `t` on as it will be if nothing is posted or renewed; the first is that of the last instant. */
export type PendingPoint = { t: number; consensus: number | null }

/** A large move and what made it, at `t` (seconds since 1970): `5 downgrades on 2024-08-02`. */
type Move = { t: number; text: string; short?: string }

/** How the active set is stacked: as counts, or as shares of it. */
export type TrendUnit = 'count' | 'percent'

/** A point with no neighbour to draw a line to: it has to be a dot, or nobody sees it. */
export function isLone(values: readonly (number | null)[], index: number): boolean {
  const has = (at: number) => (values[at] ?? null) !== null
  return has(index) && !has(index - 1) && !has(index + 1)
}

/** A symbol's closes, one for each bucket (null: none is known), on an even or a logarithmic scale. */
export type PriceLine = { closes: readonly (number | null)[]; isLog: boolean }

export type PaneName = 'consensus' | 'prediction' | 'trend'

/** One value as a reader reads it; a glyph stands for the name where there is one. */
export type Reading = { name: string; text: string; glyph?: string }

/** The last values, which stand beside the ends of their lines; null where a line has no end there. */
export type LastTexts = { consensus: string | null; median: string | null; active: string }

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
  /** Left out where the symbol has no price. */
  price?: PriceLine | undefined
  last: LastTexts
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
