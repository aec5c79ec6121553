import { formatCounted } from '#components/format/numbers.ts'
import type { RatingDot, TimePoint } from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'

const PANE_TOP = 4
export const TIME_AXIS_HEIGHT = 24
const NO_AXIS_HEIGHT = 1

export type PaneScale = {
  domain: readonly [number, number]
  /** Pixels from the pane's top. */
  low: number
  high: number
}

type PaneShape = {
  height: number
  domain: readonly [number, number]
  padding: { top: number; bottom: number }
  showsTime?: boolean
}

export function toPaneScale({ height, domain, padding, showsTime = false }: PaneShape): PaneScale {
  const below = showsTime ? TIME_AXIS_HEIGHT : NO_AXIS_HEIGHT
  return {
    domain,
    low: height - below - padding.bottom,
    high: PANE_TOP + padding.top,
  }
}

export function toY({ domain: [from, to], low, high }: PaneScale, value: number): number {
  return low + ((value - from) / (to - from)) * (high - low)
}

export const CONSENSUS_SCALE = toPaneScale({
  height: PANE_HEIGHTS.consensus,
  domain: [0.5, 5.5],
  padding: { top: 0, bottom: 0 },
})

export type PercentScale = { bound: number; ticks: number[] }

const SMALLEST_BOUND = 2
const PERCENT_MANTISSAS = [1, 2, 3, 4, 6, 8, 10]
/** Outliers beyond this factor of the usual bound are clipped. */
const STRETCH = 1.5
const USUAL_SHARE = 0.95
/** Of few values, the largest is an outlier beyond this factor of the median. */
const USUAL_FACTOR = 20

/** `toClipped` moves larger values to the edge. */
export function toPercentScale(values: readonly (number | null)[]): PercentScale {
  const sizes = values.flatMap((value) => (value === null ? [] : [Math.abs(value)]))
  sizes.sort((a, b) => a - b)
  const sizeAt = (share: number) => sizes[Math.max(0, Math.ceil(sizes.length * share) - 1)] ?? 0
  const median = sizeAt(0.5)
  const usual = Math.min(sizeAt(USUAL_SHARE), median > 0 ? USUAL_FACTOR * median : Infinity)
  const largest = sizes.at(-1) ?? 0
  const narrow = toNice(usual)
  const bound = largest <= narrow * STRETCH ? toNice(largest) : narrow
  return { bound, ticks: [-bound, -bound / 2, 0, bound / 2, bound] }
}

export const toClipped = <T extends number | null>(value: T, bound: number): T | number =>
  value === null ? value : Math.max(-bound, Math.min(bound, value))

export type OffScale = { above: string | null; below: string | null }

/** Texts for the two edges; null if nothing is clipped there. */
export function toOffScale(
  points: readonly TimePoint[],
  dots: readonly RatingDot[],
  bound: number,
): OffScale {
  const toText = (sign: 1 | -1) => {
    const isOff = (value: number | null) => value !== null && value * sign > bound
    const count = dots.filter(({ prediction }) => isOff(prediction)).length
    if (count > 0) return `${formatCounted(count, 'rating')} off the scale`
    const isLineOff = points.some(({ q1, median, q3 }) => [q1, median, q3].some(isOff))
    return isLineOff ? 'off the scale' : null
  }
  return { above: toText(1), below: toText(-1) }
}

function toNice(value: number): number {
  if (value <= SMALLEST_BOUND) return SMALLEST_BOUND
  const power = 10 ** Math.floor(Math.log10(value))
  const mantissa = PERCENT_MANTISSAS.find((candidate) => candidate * power >= value) ?? 10
  return mantissa * power
}

export const toPredictionScale = (
  points: readonly TimePoint[],
  dots: readonly RatingDot[] = [],
): PercentScale =>
  toPercentScale([
    ...points.flatMap(({ q1, median, q3 }) => [q1, median, q3]),
    ...dots.map((dot) => dot.prediction),
  ])
