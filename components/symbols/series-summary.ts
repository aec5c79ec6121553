import { ENGLISH_FORMATS, type Formats, MINUS } from '#components/format/numbers.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { type BucketWords, createBucketWords, type Judged } from './bucket-words.ts'
import { toBucketPhrase } from './buckets.ts'
import { MINIMUM_DEFAULT } from './series-address.ts'
import { selectMoves, toCauseText, toChangeText } from './series-moves.ts'
import { toGivenText, withCount } from './series-reading.ts'
import { toSignedText } from './signed-consensus.ts'

type Summed = Pick<Series, 'points'> & Judged

/** A chart in a paragraph, for whoever cannot or does not want to look at it. */
export function toSeriesSummary(
  series: Summed,
  minimum = MINIMUM_DEFAULT,
  formats: Formats = ENGLISH_FORMATS,
): string {
  if (series.points.length === 0) return 'No rating was posted or active in this range.'
  const shown = series.points.filter((point) => point.active >= minimum && point.consensus !== null)
  const words = createBucketWords(series)
  return [
    toConsensusSentence(shown, { minimum, words }, formats),
    toMoveSentence(series, minimum, formats),
    toPredictionSentence(shown, formats),
    toPostedSentence(series, formats),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

type Said = { minimum: number; words: BucketWords }

function toConsensusSentence(
  shown: readonly SeriesPoint[],
  { minimum, words: { toWhen } }: Said,
  formats: Formats,
) {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) {
    return minimum === 1
      ? 'No rating was active at any time, so there is no consensus to draw.'
      : `Fewer than ${minimum} ratings were active at any time, so there is no consensus to draw.`
  }
  const toText = (point: SeriesPoint) => {
    const figure = withCount(formats.formatConsensus(point.consensus), point.active, formats)
    return `${figure} ${toWhen(point.t)}`
  }
  if (first === last) return `Consensus: ${toText(first)}.`
  const lowest = shown.reduce((least, point) => (rank(point) < rank(least) ? point : least))
  const highest = shown.reduce((most, point) => (rank(point) > rank(most) ? point : most))
  if (rank(lowest) === rank(highest)) {
    const toEnd = ({ t, active }: SeriesPoint) => `n=${formats.formatCount(active)} ${toWhen(t)}`
    return `Consensus was ${formats.formatConsensus(first.consensus)} throughout: ${toEnd(first)}, ${toEnd(last)}.`
  }
  return `Consensus moved from ${toText(first)} to ${toText(last)}; it was lowest at ${toText(lowest)} and highest at ${toText(highest)}.`
}

/** Only to compare: what is written stays the answer's text. */
const rank = (point: SeriesPoint) => Number(point.consensus)

function toMoveSentence(series: Summed, minimum: number, formats: Formats): string {
  const move = selectMoves(series, minimum, formats).at(0)
  if (!move) return ''
  const change = toSignedText(toChangeText(move), formats)
  const went = `${change.startsWith(MINUS) ? 'fell' : 'rose'} by ${change.slice(1)}`
  const to = withCount(formats.formatConsensus(move.after.consensus), move.after.active, formats)
  return `Its most notable move: it ${went} to ${to} ${toBucketPhrase(move.t, series.bucket)}, with ${toCauseText(move, formats)}.`
}

function toPredictionSentence(shown: readonly SeriesPoint[], formats: Formats): string {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) return ''
  const [from, to] = [first, last].map((point) => toGivenText(point.prediction_median, formats))
  const extremes = toExtremesText(shown, formats)
  if (first === last) return `The median prediction was ${from}; ${extremes}.`
  const moved = from === to ? `was ${from} at either end` : `moved from ${from} to ${to}`
  return `The median prediction ${moved}; ${extremes}.`
}

function toExtremesText(shown: readonly SeriesPoint[], formats: Formats): string {
  const lows = shown.flatMap(({ prediction_low: low }) => low ?? [])
  const highs = shown.flatMap(({ prediction_high: high }) => high ?? [])
  const lowest = lows.reduce<string | null>((least, one) => pick(least, one, -1), null)
  const highest = highs.reduce<string | null>((most, one) => pick(most, one, 1), null)
  return `the lowest of all was ${toGivenText(lowest, formats)}, the highest ${toGivenText(highest, formats)}`
}

/** The one of two predictions that goes farther in a direction; compared as numbers, kept as the text that came. */
const pick = (one: string | null, other: string, direction: 1 | -1): string =>
  one !== null && (Number(one) - Number(other)) * direction >= 0 ? one : other

function toPostedSentence({ points, bucket }: Summed, { formatCounted }: Formats) {
  const posted = points.reduce((sum, point) => sum + point.posted, 0)
  const were = formatCounted(posted, 'rating was', 'ratings were')
  const span =
    points.length === 1 ? `this ${bucket}` : `these ${formatCounted(points.length, bucket)}`
  return `${were} posted in ${span}.`
}
