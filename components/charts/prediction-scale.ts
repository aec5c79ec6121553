import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import { toPercentScale } from './percent-scale.ts'
import type { RatingDot, TimePoint } from './time-point.ts'

/**
 * The scale of the prediction pane. `above` and `below` are the buckets (by index) in which something lies beyond its
 * edges; `beyond` counts those with one or both.
 */
export type PredictionScale = {
  bound: number
  ticks: number[]
  above: readonly number[]
  below: readonly number[]
  beyond: number
}

/** The lowest and the highest widen the scale up to this, so that the middle half keeps a course that can be seen. */
const WIDEST = 2.5

/**
 * A symmetric scale on which medians, middle halves and single ratings are read; the lowest and the highest of each
 * bucket have their place on it where they leave the others enough of it.
 */
export function toPredictionScale(
  points: readonly TimePoint[],
  dots: readonly RatingDot[] = [],
): PredictionScale {
  const core = toPercentScale([
    ...points.flatMap(({ q1, median, q3 }) => [q1, median, q3]),
    ...dots.map((dot) => dot.prediction),
  ])
  const whole = toPercentScale(points.flatMap(({ low, high }) => [low, high]))
  const isRoomy = whole.bound > core.bound && whole.bound <= core.bound * WIDEST
  const { bound, ticks } = isRoomy ? whole : core
  // A single rating may be far out and never be the lowest or the highest at a bucket's end.
  const up = toColumns(points, dots, ({ prediction }) => prediction > bound)
  const down = toColumns(points, dots, ({ prediction }) => prediction < -bound)
  const above = selectColumns(points, ({ high }, at) => (high ?? 0) > bound || up.has(at))
  const below = selectColumns(points, ({ low }, at) => (low ?? 0) < -bound || down.has(at))
  return { bound, ticks, above, below, beyond: new Set([...above, ...below]).size }
}

const selectColumns = (
  points: readonly TimePoint[],
  isMeant: (point: TimePoint, column: number) => boolean,
) => points.flatMap((point, column) => (isMeant(point, column) ? [column] : []))

/** The buckets that some of the dots were posted in. */
const toColumns = (
  points: readonly TimePoint[],
  dots: readonly RatingDot[],
  isMeant: (dot: RatingDot) => boolean,
) => new Set(dots.filter(isMeant).map((dot) => points.findLastIndex(({ t }) => t <= dot.t)))

type Drawn = { bucket: string; points: readonly TimePoint[]; dots?: readonly RatingDot[] }

/** What is not drawn where it belongs, in words; null where everything is. */
export function toBeyondText(
  { bucket, points, dots = [] }: Drawn,
  formats: Formats = ENGLISH_FORMATS,
): string | null {
  const { bound, beyond } = toPredictionScale(points, dots)
  if (beyond === 0) return null
  const where = `${formats.formatCount(beyond)} of ${formats.formatCounted(points.length, bucket)}`
  return `In ${where} a prediction lies beyond ${toBoundText(bound, formats)} and is marked at the edge.`
}

/** Both edges of a percent axis: `±30%`. */
export const toBoundText = (bound: number, { formatPrediction }: Formats): string =>
  `±${formatPrediction(String(bound)).slice(1)}`
