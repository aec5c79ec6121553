/**
 * One bucket as the panes draw it. `t` is its first instant (seconds since 1970). The numbers are drawing
 * coordinates only: what a reader reads is the text that the answer gave. `null` is a gap.
 */
export type TimePoint = {
  t: number
  posted: number
  active: number
  consensus: number | null
  postedRating: number | null
  activePrediction: number | null
  postedPrediction: number | null
}

/** The instants that an axis spans, in seconds since 1970: half a bucket wider than the points on either side. */
export function toTimeSpan(points: readonly TimePoint[], bucketSeconds: number): [number, number] {
  const first = points.at(0)?.t ?? 0
  const last = points.at(-1)?.t ?? first
  return [first - bucketSeconds / 2, last + bucketSeconds / 2]
}

/** A point with no neighbour to draw a line to: it has to be a dot, or nobody sees it. */
export function isLone(values: readonly (number | null)[], index: number): boolean {
  const has = (at: number) => (values[at] ?? null) !== null
  return has(index) && !has(index - 1) && !has(index + 1)
}
