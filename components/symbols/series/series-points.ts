import type { SeriesView } from '#components/address/series-address.ts'
import type { TimePoint } from '#components/charts/chart-data.ts'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import type { Opinion, Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { Bucket } from '#lib/contract/api-queries.ts'
import { toBucketPhrase } from './buckets.ts'

/** Points below `minimum` active ratings are gaps. */
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
      low: standing(point.prediction_low),
      q1: standing(point.prediction_q1),
      median: standing(point.prediction_median),
      q3: standing(point.prediction_q3),
      high: standing(point.prediction_high),
    }
  })

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
 * Empty if the range ends before `end` (seconds since 1970) or fewer than `minimum` ratings are
 * active.
 */
export function selectAhead(
  pending: Opinion['pending'],
  { to, minimum = 1 }: Pick<SeriesView, 'to'> & Partial<Pick<SeriesView, 'minimum'>>,
  end: number,
): Opinion['pending'] {
  const isShown = to === null || to > end
  return isShown && pending.some(({ active }) => active >= minimum) ? pending : []
}

type FutureSpan = {
  minimum: number
  pastSeconds: number
  reaches?: number
}

/**
 * Covers at least a week, a sixth of the drawn past, and the time until `reaches`. Points below
 * `minimum` active ratings are gaps.
 */
export function toPending(
  pending: Opinion['pending'],
  { minimum, pastSeconds, reaches = 0 }: FutureSpan,
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

type AheadOf = {
  points: readonly { t: number }[]
  view: Pick<SeriesView, 'to' | 'minimum' | 'asof'>
  end: number
}

export const toAhead = (pending: Opinion['pending'], { points, view, end }: AheadOf) =>
  toPending(selectAhead(pending, { to: view.to }, end), {
    minimum: view.minimum,
    pastSeconds: end - (points.at(0)?.t ?? end),
    reaches: view.asof ?? undefined,
  })

const toCoordinate = (text: string | null): number | null => (text === null ? null : Number(text))

export type Move = {
  t: number
  text: string
  short: string
  before: SeriesPoint
  after: SeriesPoint
}

type Moved = Omit<Move, 'text' | 'short'> & { weight: number }

const MOST = 3
/** Ten-thousandths of a rating point. */
const LEAST = 1500
const APART = 0.08

/**
 * At most three changes between adjacent buckets of at least 0.15, with `minimum` active on both
 * sides. Ranked by size × √n of the smaller side, because the standard error of a mean is
 * proportional to 1/√n.
 */
export function selectMoves(
  { bucket, points }: Pick<Series, 'bucket' | 'points'>,
  minimum: number,
): Move[] {
  const span = (points.at(-1)?.t ?? 0) - (points.at(0)?.t ?? 0)
  const candidates = points
    .flatMap((after, index) => toMoved(points[index - 1], after, minimum))
    .sort((a, b) => b.weight - a.weight || a.t - b.t)
  const chosen: Moved[] = []
  for (const one of candidates) {
    const isApart = chosen.every((other) => Math.abs(other.t - one.t) >= span * APART)
    if (isApart && chosen.length < MOST) chosen.push(one)
  }
  return chosen.map(({ t, before, after }) => {
    const cause = toCauseText({ before, after })
    return { t, before, after, short: cause, text: `${cause} ${toBucketPhrase(t, bucket)}` }
  })
}

function toMoved(before: SeriesPoint | undefined, after: SeriesPoint, minimum: number): Moved[] {
  if (!before || before.active < minimum || after.active < minimum) return []
  const change = toChange(before, after)
  if (change === null || Math.abs(change) < LEAST) return []
  const weight = Math.abs(change) * Math.sqrt(Math.min(before.active, after.active))
  return [{ t: after.t, before, after, weight }]
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

export const toMovesRule = (bucket: Bucket): string =>
  `Notable moves: of the changes from one ${bucket} to the next of at least ${LEAST / 10_000}, the three with the largest size × √n, n being the fewer of both sides.`
