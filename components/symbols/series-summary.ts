import { formatConsensus } from '#components/format/consensus.ts'
import { formatCounted } from '#components/format/count.ts'
import { formatDay } from '#components/format/instant.ts'
import { formatMeanPrediction } from '#components/format/prediction.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/symbols.ts'
import { withCount } from './series-reading.ts'
import { MINIMUM_ACTIVE } from './to-time-points.ts'

/** A chart in a paragraph, for whoever cannot or does not want to look at it. */
export function toSeriesSummary({ bucket, points }: Pick<Series, 'bucket' | 'points'>): string {
  const first = points.at(0)
  if (!first) return 'No rating was posted or active in this range.'
  const posted = points.reduce((sum, point) => sum + point.posted, 0)
  const shown = points.filter((point) => point.active >= MINIMUM_ACTIVE && point.consensus !== null)
  const count = `${formatCounted(posted, 'rating was', 'ratings were')} posted in the ${formatCounted(points.length, bucket)} from ${formatDay(first.t)} on.`
  return [toConsensusSentence(shown), toPredictionSentence(shown), count]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function toConsensusSentence(shown: readonly SeriesPoint[]): string {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) {
    return `Fewer than ${MINIMUM_ACTIVE} ratings were active at any time, so there is no consensus to draw.`
  }
  const [from, to] = [toConsensus(first), toConsensus(last)]
  if (first === last) return `Consensus was ${from} on ${formatDay(first.t)}.`
  const lowest = shown.reduce((least, point) => (rank(point) < rank(least) ? point : least))
  const highest = shown.reduce((most, point) => (rank(point) > rank(most) ? point : most))
  return `Consensus moved from ${from} to ${to} between ${formatDay(first.t)} and ${formatDay(last.t)}; it was lowest at ${toConsensus(lowest)} on ${formatDay(lowest.t)} and highest at ${toConsensus(highest)} on ${formatDay(highest.t)}.`
}

function toPredictionSentence(shown: readonly SeriesPoint[]): string {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last || first === last) return ''
  const [from, to] = [first, last].map((point) => formatMeanPrediction(point.active_prediction))
  return `The mean prediction of the active ratings moved from ${from} to ${to}.`
}

const toConsensus = (point: SeriesPoint) =>
  withCount(formatConsensus(point.consensus), point.active)

/** Only to compare: what is written stays the answer's text. */
const rank = (point: SeriesPoint) => Number(point.consensus)
