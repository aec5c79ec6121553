import type { PointReading, Reading } from '#components/charts/pane-frame.ts'
import { formatConsensus } from '#components/format/consensus.ts'
import { formatCount } from '#components/format/count.ts'
import { formatMeanPrediction } from '#components/format/prediction.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/symbols.ts'
import { toBucketName } from './buckets.ts'
import { MINIMUM_ACTIVE } from './to-time-points.ts'

/** What the chart says of each of a series' points: the answer's own digits, n beside every mean. */
export function createReading({ bucket, points }: Series): (index: number) => PointReading {
  return (index) => {
    const point = points[index]
    if (!point) return { when: '', consensus: [], prediction: [], counts: [] }
    return { when: toBucketName(point.t, bucket), ...toReadings(point) }
  }
}

function toReadings(point: SeriesPoint): Omit<PointReading, 'when'> {
  const { active, posted } = point
  const ofActive = (text: string) =>
    active < MINIMUM_ACTIVE ? `too few (n=${formatCount(active)})` : withCount(text, active)
  return {
    consensus: [
      { name: 'Consensus', text: ofActive(formatConsensus(point.consensus)) },
      ...ofPosted(posted, formatConsensus(point.avg_rating)),
    ],
    prediction: [
      { name: 'Active', text: ofActive(formatMeanPrediction(point.active_prediction)) },
      ...ofPosted(posted, formatMeanPrediction(point.avg_prediction)),
    ],
    counts: [
      { name: 'Active', text: formatCount(active) },
      { name: 'Posted', text: formatCount(posted) },
    ],
  }
}

const ofPosted = (posted: number, text: string): Reading[] =>
  posted === 0 ? [] : [{ name: 'Posted', text: withCount(text, posted) }]

/** A mean with how many it is of: `4.21 (n=184)`. */
export const withCount = (text: string, count: number): string =>
  `${text} (n=${formatCount(count)})`
