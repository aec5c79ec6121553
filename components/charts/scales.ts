import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import type { RatingDot, TimePoint } from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'

/** What lies around the part of a pane that is drawn in, in pixels. */
export const PANE_TOP = 4
export const TIME_AXIS_HEIGHT = 24
const NO_AXIS_HEIGHT = 1

/** A pane's own scale: the two ends of its values, and where they stand, in pixels from the pane's top. */
export type PaneScale = {
  domain: readonly [number, number]
  /** Of the lowest and of the highest value. */
  low: number
  high: number
}

type PaneShape = {
  height: number
  domain: readonly [number, number]
  padding: { top: number; bottom: number }
  showsTime?: boolean
}

/** The scale of a pane of that height (pixels), with the padding that its marks need beyond its ends. */
export function toPaneScale({ height, domain, padding, showsTime = false }: PaneShape): PaneScale {
  const below = showsTime ? TIME_AXIS_HEIGHT : NO_AXIS_HEIGHT
  return {
    domain,
    low: height - below - padding.bottom,
    high: PANE_TOP + padding.top,
  }
}

/** Where a value stands, in pixels from the pane's top. */
export function toY({ domain: [from, to], low, high }: PaneScale, value: number): number {
  return low + ((value - from) / (to - from)) * (high - low)
}

/** The fixed scale from 1 to 5, with room for the marks on its first and last line. */
export const CONSENSUS_SCALE = toPaneScale({
  height: PANE_HEIGHTS.consensus,
  domain: [1, 5],
  padding: { top: 12, bottom: 12 },
})

/** An axis from 0 to `bound`, and the whole numbers that it names. */
type CountScale = { bound: number; ticks: number[] }

const MANTISSAS = [1, 2, 5, 10]
/** The axis names no more than so many values above zero. */
const MOST = 5
const SMALLEST_BOUND = 2

/** A scale that ends with the largest count, and names round numbers below it. */
export function toCountScale(counts: readonly number[]): CountScale {
  const bound = counts.reduce((most, count) => Math.max(most, count), SMALLEST_BOUND)
  const least = Math.max(1, bound / MOST)
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (MANTISSAS.find((mantissa) => mantissa * power >= least) ?? 10) * power
  const ticks = Array.from({ length: Math.floor(bound / step) + 1 }, (_, index) => index * step)
  return { bound, ticks }
}

/** An axis from `-bound` to `+bound` percent, and how many values lie beyond it. */
export type PercentScale = { bound: number; ticks: number[]; beyond: number }

const PERCENT_MANTISSAS = [1, 2, 3, 4, 6, 8, 10]
/** A bound that a few values would stretch further than this keeps its size, and those values stand at its edge. */
const STRETCH = 1.5
const USUAL_SHARE = 0.95

/**
 * A symmetric scale for percentages: wide enough for the usual values, and for all of them where the rest are not far
 * off. Values beyond it are counted, never lost: `toClipped` puts them on the edge.
 */
export function toPercentScale(values: readonly (number | null)[]): PercentScale {
  const sizes = values.flatMap((value) => (value === null ? [] : [Math.abs(value)]))
  sizes.sort((a, b) => a - b)
  const usual = sizes[Math.max(0, Math.ceil(sizes.length * USUAL_SHARE) - 1)] ?? 0
  const largest = sizes.at(-1) ?? 0
  const narrow = toNice(usual)
  const bound = largest <= narrow * STRETCH ? toNice(largest) : narrow
  return {
    bound,
    ticks: [-bound, -bound / 2, 0, bound / 2, bound],
    beyond: sizes.filter((size) => size > bound).length,
  }
}

/** The value where it fits, else the edge on its side. */
export const toClipped = (value: number | null, bound: number): number | null =>
  value === null ? null : Math.max(-bound, Math.min(bound, value))

function toNice(value: number): number {
  if (value <= SMALLEST_BOUND) return SMALLEST_BOUND
  const power = 10 ** Math.floor(Math.log10(value))
  const mantissa = PERCENT_MANTISSAS.find((candidate) => candidate * power >= value) ?? 10
  return mantissa * power
}

/**
 * The scale of the prediction pane. `above` and `below` are the buckets (by index) in which something lies beyond its
 * edges; `beyond` counts those with one or both. `isMarked`: they are few, so that a mark for each says something.
 */
export type PredictionScale = {
  bound: number
  ticks: number[]
  above: readonly number[]
  below: readonly number[]
  beyond: number
  isMarked: boolean
}

/** The lowest and the highest widen the scale up to this, so that the middle half keeps a course that can be seen. */
const WIDEST = 2.5
/** Where more of the buckets than this would have a mark at the edge, it would say nothing: the scale is widened further. */
const MARKED_SHARE = 0.25
const WIDEST_WHERE_USUAL = 5

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
  const isUsual = isOften(
    points.filter(({ low, high }) => (low ?? 0) < -core.bound || (high ?? 0) > core.bound).length,
    points,
  )
  const widest = core.bound * (isUsual ? WIDEST_WHERE_USUAL : WIDEST)
  const { bound, ticks } = whole.bound > core.bound && whole.bound <= widest ? whole : core
  // A single rating may be far out and never be the lowest or the highest at a bucket's end.
  const up = toColumns(points, dots, ({ prediction }) => prediction > bound)
  const down = toColumns(points, dots, ({ prediction }) => prediction < -bound)
  const above = selectColumns(points, ({ high }, at) => (high ?? 0) > bound || up.has(at))
  const below = selectColumns(points, ({ low }, at) => (low ?? 0) < -bound || down.has(at))
  const beyond = new Set([...above, ...below]).size
  return { bound, ticks, above, below, beyond, isMarked: beyond > 0 && !isOften(beyond, points) }
}

const isOften = (buckets: number, points: readonly TimePoint[]): boolean =>
  buckets > points.length * MARKED_SHARE

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
  const { bound, beyond, isMarked } = toPredictionScale(points, dots)
  if (beyond === 0) return null
  const where = `${formats.formatCount(beyond)} of ${formats.formatCounted(points.length, bucket)}`
  return `In ${where} a prediction lies beyond ${toBoundText(bound, formats)} and is ${isMarked ? 'marked at the edge' : 'not drawn'}.`
}

/** Both edges of a percent axis: `±30%`. */
export const toBoundText = (bound: number, { formatPrediction }: Formats): string =>
  `±${formatPrediction(String(bound)).slice(1)}`
