import { stack, stackOffsetExpand } from 'd3-shape'
import type { TimePoint } from './chart-data.ts'

type Counted = Pick<TimePoint, 'byRating'>

/** Percent. */
export type StackPart = { column: number; rating: number; from: number; to: number }

/** Percentages are of the ratings on the scale, so that they fill the bar. */
export function toStack(points: readonly Counted[]): StackPart[] {
  const toSeries = stack<Counted, number>()
    .keys(RATINGS)
    .value(({ byRating }, rating) => byRating[rating - 1] ?? 0)
    .offset(stackOffsetExpand)
  return toSeries(points).flatMap((series) =>
    series.flatMap(([from, to], column) =>
      to > from ? [{ column, rating: series.key, from: from * 100, to: to * 100 }] : [],
    ),
  )
}

export const RATINGS = [1, 2, 3, 4, 5] as const
