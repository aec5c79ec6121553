import { ENGLISH_FORMATS, type Formats } from '#components/format/formats.ts'
import { formatDay } from '#components/format/instant.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/series.ts'
import { toBucketPhrase } from './buckets.ts'
import { MINIMUM_DEFAULT } from './series-address.ts'
import { selectMoves, toCauseText, toChangeText } from './series-moves.ts'
import { toGivenText, withCount } from './series-reading.ts'
import { toSignedText } from './signed-consensus.ts'

type Summed = Pick<Series, 'bucket' | 'points'>

/** A chart in a paragraph, for whoever cannot or does not want to look at it. */
export function toSeriesSummary(
  series: Summed,
  minimum = MINIMUM_DEFAULT,
  formats: Formats = ENGLISH_FORMATS,
): string {
  const first = series.points.at(0)
  if (!first) return 'No rating was posted or active in this range.'
  const shown = series.points.filter((point) => point.active >= minimum && point.consensus !== null)
  return [
    toConsensusSentence(shown, minimum, formats),
    toMoveSentence(series, minimum, formats),
    toPredictionSentence(shown, formats),
    toPostedSentence(series, first, formats),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function toConsensusSentence(shown: readonly SeriesPoint[], minimum: number, formats: Formats) {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) {
    return minimum === 1
      ? 'No rating was active at any time, so there is no consensus to draw.'
      : `Fewer than ${minimum} ratings were active at any time, so there is no consensus to draw.`
  }
  const toText = (point: SeriesPoint) =>
    withCount(formats.formatConsensus(point.consensus), point.active, formats)
  const [from, to] = [toText(first), toText(last)]
  if (first === last) return `Consensus was ${from} on ${formatDay(first.t)}.`
  const lowest = shown.reduce((least, point) => (rank(point) < rank(least) ? point : least))
  const highest = shown.reduce((most, point) => (rank(point) > rank(most) ? point : most))
  if (rank(lowest) === rank(highest)) {
    return `Consensus was ${formats.formatConsensus(first.consensus)} throughout, from ${formatDay(first.t)} (n=${formats.formatCount(first.active)}) to ${formatDay(last.t)} (n=${formats.formatCount(last.active)}).`
  }
  return `Consensus moved from ${from} to ${to} between ${formatDay(first.t)} and ${formatDay(last.t)}; it was lowest at ${toText(lowest)} on ${formatDay(lowest.t)} and highest at ${toText(highest)} on ${formatDay(highest.t)}.`
}

/** Only to compare: what is written stays the answer's text. */
const rank = (point: SeriesPoint) => Number(point.consensus)

function toMoveSentence(series: Summed, minimum: number, formats: Formats): string {
  const move = selectMoves(series, minimum, formats).at(0)
  if (!move) return ''
  const to = withCount(formats.formatConsensus(move.after.consensus), move.after.active, formats)
  const change = toSignedText(toChangeText(move), formats)
  const when = toBucketPhrase(move.t, series.bucket)
  return `Its most notable move was ${change} to ${to}, ${when}: ${toCauseText(move, formats)}.`
}

function toPredictionSentence(shown: readonly SeriesPoint[], formats: Formats): string {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) return ''
  const [from, to] = [first, last].map((point) => toGivenText(point.prediction_median, formats))
  if (first === last) return `The median prediction was ${from}.`
  return from === to
    ? `The median prediction was ${from} at either end.`
    : `The median prediction moved from ${from} to ${to}.`
}

function toPostedSentence({ points, bucket }: Summed, first: SeriesPoint, formats: Formats) {
  const { formatCounted } = formats
  const posted = points.reduce((sum, point) => sum + point.posted, 0)
  const were = formatCounted(posted, 'rating was', 'ratings were')
  return `${were} posted in the ${formatCounted(points.length, bucket)} from ${formatDay(first.t)} on.`
}
