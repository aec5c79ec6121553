import type { PointReading, Reading } from '#components/charts/pane-frame.ts'
import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/symbols.ts'
import { toBucketName } from './buckets.ts'
import { MINIMUM_ACTIVE } from './to-time-points.ts'

/** What the chart says of each of a series' points: the answer's own digits, n beside every mean. */
export function createReading(
  { bucket, points }: Series,
  formats: Formats = ENGLISH_FORMATS,
): (index: number) => PointReading {
  return (index) => {
    const point = points[index]
    if (!point) return { when: '', consensus: [], prediction: [], counts: [] }
    return { when: toBucketName(point.t, bucket), ...toReadings(point, formats) }
  }
}

function toReadings(point: SeriesPoint, formats: Formats): Omit<PointReading, 'when'> {
  const { formatConsensus, formatCount, formatMeanPrediction } = formats
  const { active, posted } = point
  const ofActive = (text: string) =>
    active < MINIMUM_ACTIVE
      ? `too few (n=${formatCount(active)})`
      : withCount(text, active, formats)
  const ofPosted = (text: string): Reading[] =>
    posted === 0 ? [] : [{ name: 'Posted', text: withCount(text, posted, formats) }]
  return {
    consensus: [
      { name: 'Consensus', text: ofActive(formatConsensus(point.consensus)) },
      ...ofPosted(formatConsensus(point.avg_rating)),
    ],
    prediction: [
      { name: 'Active', text: ofActive(formatMeanPrediction(point.active_prediction)) },
      ...ofPosted(formatMeanPrediction(point.avg_prediction)),
    ],
    counts: [
      { name: 'Active', text: formatCount(active) },
      { name: 'Posted', text: formatCount(posted) },
    ],
  }
}

/** A mean with how many it is of: `4.21 (n=184)`. */
export const withCount = (text: string, count: number, { formatCount }: Formats): string =>
  `${text} (n=${formatCount(count)})`
