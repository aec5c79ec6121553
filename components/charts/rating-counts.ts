import { stack, stackOffsetExpand, stackOffsetNone } from 'd3-shape'
import type { TimePoint, TrendUnit } from './chart-data.ts'
import { toCountScale } from './scales.ts'

type Counted = Pick<TimePoint, 'active' | 'byRating'>

export type StackPart = { column: number; rating: number; from: number; to: number }

/** `bound` is the top, in ratings or percent. */
export function toTrendScale(
  points: readonly Counted[],
  unit: TrendUnit,
): { bound: number; ticks: number[] } {
  if (unit === 'percent') return { bound: 100, ticks: [0, 50, 100] }
  return toCountScale(points.map(({ byRating }) => toSum(byRating)))
}

/** Percentages are of the ratings on the scale, so that they fill the bar. */
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

const toSum = (counts: readonly number[]) => counts.reduce((sum, count) => sum + count, 0)

export const RATINGS = [1, 2, 3, 4, 5] as const
