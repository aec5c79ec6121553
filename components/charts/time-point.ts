/**
 * One bucket as the panes draw it. `t` is its first instant (seconds since 1970); what stands in it is drawn from `t`
 * to the next bucket. The numbers are drawing coordinates only: what a reader reads is the text that the answer gave.
 * `null` is a gap. Consensus (raw and weighted), the counts by rating and the predictions are of the active set at the
 * bucket's end; `posted…` is what came in it. Counts by rating are in the order 1 to 5.
 */
export type TimePoint = {
  t: number
  posted: number
  active: number
  consensus: number | null
  weighted: number | null
  byRating: readonly number[]
  postedByRating: readonly number[]
  mean: number | null
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
export type Move = { t: number; text: string }

/** How the active set is stacked: as counts, or as shares of it. */
export type TrendUnit = 'count' | 'percent'

/** A point with no neighbour to draw a line to: it has to be a dot, or nobody sees it. */
export function isLone(values: readonly (number | null)[], index: number): boolean {
  const has = (at: number) => (values[at] ?? null) !== null
  return has(index) && !has(index - 1) && !has(index + 1)
}
