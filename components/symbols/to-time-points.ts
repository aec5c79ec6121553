import type { TimePoint } from '#components/charts/time-point.ts'
import type { SeriesPoint } from '#lib/contract/answers/symbols.ts'

/** Below so many active ratings a mean says little about a community: it is left out, and the subtitle says so. */
export const MINIMUM_ACTIVE = 3

/** A series as it is drawn: decimals as coordinates, gaps where fewer than `minimum` ratings are active. */
export const toTimePoints = (
  points: readonly SeriesPoint[],
  minimum = MINIMUM_ACTIVE,
): TimePoint[] =>
  points.map((point) => {
    const enough = point.active >= minimum
    return {
      t: point.t,
      posted: point.posted,
      active: point.active,
      consensus: enough ? toCoordinate(point.consensus) : null,
      postedRating: toCoordinate(point.avg_rating),
      activePrediction: enough ? toCoordinate(point.active_prediction) : null,
      postedPrediction: toCoordinate(point.avg_prediction),
    }
  })

const toCoordinate = (text: string | null): number | null => (text === null ? null : Number(text))
