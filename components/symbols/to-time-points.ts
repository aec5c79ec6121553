import type { TimePoint } from '#components/charts/time-point.ts'
import type { Opinion, Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { SeriesView } from './series-address.ts'

/** A series as it is drawn: decimals as coordinates, gaps where fewer than `minimum` ratings are active. */
export const toTimePoints = (points: readonly SeriesPoint[], minimum: number): TimePoint[] =>
  points.map((point) => {
    const standing = (text: string | null) => (point.active < minimum ? null : toCoordinate(text))
    return {
      t: point.t,
      posted: point.posted,
      active: point.active,
      consensus: standing(point.consensus),
      weighted: standing(point.weighted),
      byRating: point.by_rating,
      postedByRating: point.posted_by_rating,
      mean: standing(point.active_prediction),
      low: standing(point.prediction_low),
      q1: standing(point.prediction_q1),
      median: standing(point.prediction_median),
      q3: standing(point.prediction_q3),
      high: standing(point.prediction_high),
    }
  })

/** Single ratings as dots. */
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
 * What of the consensus to come belongs to a view whose past ends at `end` (seconds since 1970): nothing where the range
 * ends before, or where fewer than `minimum` ratings are active, so that nothing of it would be drawn.
 */
export function selectAhead(
  pending: Opinion['pending'],
  { to, minimum = 1 }: Pick<SeriesView, 'to'> & Partial<Pick<SeriesView, 'minimum'>>,
  end: number,
): Opinion['pending'] {
  const isShown = to === null || to > end
  return isShown && pending.some(({ active }) => active >= minimum) ? pending : []
}

type Ahead = {
  minimum: number
  /** How long the drawn past is, in seconds. */
  pastSeconds: number
  /** The future must reach at least to here (seconds since 1970). */
  reaches?: number
}

/**
 * The consensus to come if nothing is renewed, as far as it fits beside the past: at least a week, else a sixth of what
 * is drawn. A gap where fewer than `minimum` are left.
 */
export function toPending(
  pending: Opinion['pending'],
  { minimum, pastSeconds, reaches = 0 }: Ahead,
): { t: number; consensus: number | null }[] {
  const start = pending.at(0)?.t ?? 0
  const span = Math.max(LEAST_DAYS * DAY, pastSeconds * SHARE, reaches - start)
  return pending
    .filter(({ t }) => t <= start + span)
    .map(({ t, active, consensus }) => ({
      t,
      consensus: active < minimum ? null : toCoordinate(consensus),
    }))
}

const toCoordinate = (text: string | null): number | null => (text === null ? null : Number(text))
