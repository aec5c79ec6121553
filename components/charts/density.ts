import type { TimePoint } from './time-point.ts'

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
