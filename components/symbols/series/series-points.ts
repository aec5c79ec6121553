import type { TimePoint } from '#components/charts/chart-data.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import type { SeriesView } from '#components/symbols/series-view.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Opinion, Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'

/** Points below CONSENSUS_MIN active ratings are gaps. */
export const toTimePoints = (points: readonly SeriesPoint[]): TimePoint[] =>
  points.map((point) => ({
    t: point.t,
    posted: point.posted,
    active: point.active,
    consensus: toDrawn(point.active, point.consensus),
    byRating: point.by_rating,
    low: toDrawn(point.active, point.prediction_low),
    q1: toDrawn(point.active, point.prediction_q1),
    median: toDrawn(point.active, point.prediction_median),
    q3: toDrawn(point.active, point.prediction_q3),
    high: toDrawn(point.active, point.prediction_high),
  }))

const toDrawn = (active: number, text: string | null): number | null =>
  active < CONSENSUS_MIN || text === null ? null : Number(text)

export const toDots = (ratings: Series['ratings']) =>
  ratings.map(({ id, created_at, rating, prediction }) => ({
    id,
    t: created_at,
    rating,
    prediction: Number(prediction),
  }))

const DAY = 86_400
const LEAST_DAYS = 7
const SHARE = 1 / 6

/**
 * Empty if the range ends before `end` (seconds since 1970) or fewer than CONSENSUS_MIN ratings are
 * active.
 */
export function selectAhead(
  pending: Opinion['pending'],
  { to }: Pick<SeriesView, 'to'>,
  end: number,
): Opinion['pending'] {
  const isShown = to === null || to > end
  return isShown && pending.some(({ active }) => active >= CONSENSUS_MIN) ? pending : []
}

type AheadOf = {
  points: readonly { t: number }[]
  view: Pick<SeriesView, 'asof'>
  end: number
}

/**
 * Covers at least a week, a sixth of the drawn past, and the time until `asof`. Points below
 * CONSENSUS_MIN active ratings are gaps.
 */
export function toAhead(
  pending: Opinion['pending'],
  { points, view, end }: AheadOf,
): { t: number; consensus: number | null }[] {
  const start = pending.at(0)?.t ?? 0
  const pastSeconds = end - (points.at(0)?.t ?? end)
  const span = Math.max(LEAST_DAYS * DAY, pastSeconds * SHARE, (view.asof ?? 0) - start)
  return pending
    .filter(({ t }) => t <= start + span)
    .map(({ t, active, consensus }) => ({ t, consensus: toDrawn(active, consensus) }))
}

export type Move = { t: number; before: SeriesPoint; after: SeriesPoint }

/** Ten-thousandths of a rating point. */
const LEAST = 1500

/**
 * Of the changes between adjacent buckets of at least 0.15, with CONSENSUS_MIN active on both sides,
 * the largest by size × √n of the smaller side, because the standard error of a mean is
 * proportional to 1/√n. Null if there is none.
 */
export function selectMove(points: readonly SeriesPoint[]): Move | null {
  let largest: Move | null = null
  let most = 0
  for (const [index, after] of points.entries()) {
    const before = points[index - 1]
    if (!before || Math.min(before.active, after.active) < CONSENSUS_MIN) continue
    const change = Math.abs(toChange(before, after) ?? 0)
    const weight = change * Math.sqrt(Math.min(before.active, after.active))
    if (change < LEAST || weight <= most) continue
    largest = { t: after.t, before, after }
    most = weight
  }
  return largest
}

/** Ten-thousandths; null if either point has no consensus. */
function toChange(before: SeriesPoint, after: SeriesPoint): number | null {
  if (before.consensus === null || after.consensus === null) return null
  return (
    Math.round(Number(after.consensus) * 10_000) - Math.round(Number(before.consensus) * 10_000)
  )
}

/** Signed, four decimal places. */
export const toChangeText = ({ before, after }: Pick<Move, 'before' | 'after'>): string =>
  ((toChange(before, after) ?? 0) / 10_000).toFixed(4)

const EXPIRED_TIMES = 3

/**
 * Names the ratings labeled in the direction of the move if they outnumber those against it and a
 * third of the expired ones; otherwise the expired ratings, then the posted ones.
 */
export function toCauseText({ before, after }: Pick<Move, 'before' | 'after'>): string {
  const isUp = (toChange(before, after) ?? 0) > 0
  const { upgraded, downgraded, lapsed: expired, posted } = after
  const [along, against] = isUp ? [upgraded, downgraded] : [downgraded, upgraded]
  if (along > against && along * EXPIRED_TIMES > expired) {
    return formatCounted(along, isUp ? 'upgrade' : 'downgrade')
  }
  return expired > 0 ? `${formatCount(expired)} expired` : `${formatCount(posted)} posted`
}

export const toMoveRule = (bucket: Bucket): string =>
  `Its most notable move: of the changes from one ${bucket} to the next of at least ${LEAST / 10_000}, the one with the largest size × √n, n being the fewer of both sides.`
