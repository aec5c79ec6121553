import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'
import { formatDay } from '#components/format/instant.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/symbols.ts'
import { withCount } from './series-reading.ts'
import { MINIMUM_ACTIVE } from './to-time-points.ts'

/** A chart in a paragraph, for whoever cannot or does not want to look at it. */
export function toSeriesSummary(
  { bucket, points }: Pick<Series, 'bucket' | 'points'>,
  formats: Formats = ENGLISH_FORMATS,
): string {
  const { formatCounted } = formats
  const first = points.at(0)
  if (!first) return 'No rating was posted or active in this range.'
  const posted = points.reduce((sum, point) => sum + point.posted, 0)
  const shown = points.filter((point) => point.active >= MINIMUM_ACTIVE && point.consensus !== null)
  const count = `${formatCounted(posted, 'rating was', 'ratings were')} posted in the ${formatCounted(points.length, bucket)} from ${formatDay(first.t)} on.`
  return [toConsensusSentence(shown, formats), toPredictionSentence(shown, formats), count]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function toConsensusSentence(shown: readonly SeriesPoint[], formats: Formats): string {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) {
    return `Fewer than ${MINIMUM_ACTIVE} ratings were active at any time, so there is no consensus to draw.`
  }
  const toText = (point: SeriesPoint) => toConsensus(point, formats)
  const [from, to] = [toText(first), toText(last)]
  if (first === last) return `Consensus was ${from} on ${formatDay(first.t)}.`
  const lowest = shown.reduce((least, point) => (rank(point) < rank(least) ? point : least))
  const highest = shown.reduce((most, point) => (rank(point) > rank(most) ? point : most))
  return `Consensus moved from ${from} to ${to} between ${formatDay(first.t)} and ${formatDay(last.t)}; it was lowest at ${toText(lowest)} on ${formatDay(lowest.t)} and highest at ${toText(highest)} on ${formatDay(highest.t)}.`
}

function toPredictionSentence(shown: readonly SeriesPoint[], formats: Formats): string {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last || first === last) return ''
  const [from, to] = [first, last].map((point) =>
    formats.formatMeanPrediction(point.active_prediction),
  )
  return `The mean prediction of the active ratings moved from ${from} to ${to}.`
}

const toConsensus = (point: SeriesPoint, formats: Formats) =>
  withCount(formats.formatConsensus(point.consensus), point.active, formats)

/** Only to compare: what is written stays the answer's text. */
const rank = (point: SeriesPoint) => Number(point.consensus)
