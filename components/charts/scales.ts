import type { RatingDot, TimePoint } from './chart-data.ts'

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

/** The fixed scale of ratings in a pane of that height: each label has a band, with its rating in the middle. */
export const toConsensusScale = (height: number): PaneScale =>
  toPaneScale({ height, domain: [0.5, 5.5], padding: { top: 0, bottom: 0 } })

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
 * A symmetric scale on which medians, middle halves and single ratings are read. The lowest and the highest of a bucket are said in
 * words, and take no room.
 */
export const toPredictionScale = (
  points: readonly TimePoint[],
  dots: readonly RatingDot[] = [],
): PercentScale =>
  toPercentScale([
    ...points.flatMap(({ q1, median, q3 }) => [q1, median, q3]),
    ...dots.map((dot) => dot.prediction),
  ])
