import { stack, stackOffsetExpand, stackOffsetNone } from 'd3-shape'
import type { TimePoint, TrendUnit } from './chart-data.ts'
import { toCountScale } from './scales.ts'

type Counted = Pick<TimePoint, 'active' | 'byRating'>

/** From where to where a label's part of a bar goes, on the scale of the trend's unit. */
export type StackPart = { column: number; rating: number; from: number; to: number }

/** The scale of the stacked bars: `bound` at the top, in ratings or in percent. */
export function toTrendScale(
  points: readonly Counted[],
  unit: TrendUnit,
): { bound: number; ticks: number[] } {
  if (unit === 'percent') return { bound: 100, ticks: [0, 50, 100] }
  return toCountScale(points.map(({ byRating }) => toSum(byRating)))
}

/** The parts of all bars, Strong Sell at the foot. Shares are of the ratings on the scale, and fill the bar. */
export function toStack(points: readonly Counted[], unit: TrendUnit): StackPart[] {
  const isPercent = unit === 'percent'
  const toSeries = stack<Counted, number>()
    .keys(RATINGS)
    .value(({ byRating }, rating) => byRating[rating - 1] ?? 0)
    .offset(isPercent ? stackOffsetExpand : stackOffsetNone)
  const scale = isPercent ? 100 : 1
  return toSeries(points).flatMap((series) =>
    series.flatMap(([from, to], column) =>
      to > from ? [{ column, rating: series.key, from: from * scale, to: to * scale }] : [],
    ),
  )
}

/** How high a bar is, on the scale of its unit. */
export const toBarTop = ({ byRating }: Counted, unit: TrendUnit): number => {
  const sum = toSum(byRating)
  return unit === 'percent' ? (sum > 0 ? 100 : 0) : sum
}

/** How high the highest of some bars is. */
export const toHighest = (points: readonly Counted[], unit: TrendUnit): number =>
  points.reduce((most, point) => Math.max(most, toBarTop(point, unit)), 0)

const toSum = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

/**
 * Which bars have their n written above them, for bars that are `barWidth` pixels wide and texts of `textWidth`: all of
 * them where there is room, else every k-th, counted from the newest.
 */
export function toLabelled(count: number, barWidth: number, textWidth: number): number[] {
  const every = Math.max(1, Math.ceil(textWidth / Math.max(barWidth, 0.01)))
  const columns = Array.from({ length: count }, (_, column) => column)
  return columns.filter((column) => (count - 1 - column) % every === 0)
}

export const RATINGS = [1, 2, 3, 4, 5] as const

/** How dark a cell is, from few to many. */
export const DENSITY_STEPS = [0.16, 0.32, 0.5, 0.72, 1] as const

/** A few buckets with a rush must not make all others pale: so much of them decides what is many. */
const USUAL_SHARE = 0.95

/** The ratings posted in a bucket with one label: `step` from 0 to 4, as {@link DENSITY_STEPS}. */
export type DensityCell = { column: number; rating: number; step: number }

/** How many ratings are drawn as many: the count that only one cell in twenty exceeds; at least 1. */
export function toFullCount(points: readonly Pick<TimePoint, 'postedByRating'>[]): number {
  const counts = points.flatMap((point) => point.postedByRating.filter((count) => count > 0))
  counts.sort((a, b) => a - b)
  return counts[Math.max(0, Math.ceil(counts.length * USUAL_SHARE) - 1)] ?? 1
}

/** A cell for each bucket and label that something was posted with. */
export function toDensityCells(
  points: readonly Pick<TimePoint, 'postedByRating'>[],
): DensityCell[] {
  const full = toFullCount(points)
  const last = DENSITY_STEPS.length - 1
  return points.flatMap((point, column) =>
    point.postedByRating.flatMap((count, index) => {
      if (count <= 0) return []
      const step = Math.min(last, Math.ceil((count / full) * DENSITY_STEPS.length) - 1)
      return [{ column, rating: index + 1, step }]
    }),
  )
}
