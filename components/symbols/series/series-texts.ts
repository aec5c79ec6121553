import type { PointReading, Reading } from '#components/charts/chart-data.ts'
import {
  formatConsensus,
  formatCount,
  formatCounted,
  formatPrediction,
  formatShare,
  MINUS,
} from '#components/format/numbers.ts'
import { toSignedText } from '#components/marks/consensus-change.tsx'
import { ratingStyle } from '#components/marks/rating-marks.tsx'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import {
  type BucketContext,
  type BucketWords,
  createBucketWords,
  toBucketPhrase,
} from './buckets.ts'
import { selectMove, toCauseText, toChangeText } from './series-points.ts'

export function createReading(
  series: Pick<Series, 'points'> & BucketContext,
): (index: number) => PointReading {
  const { toTitle } = createBucketWords(series)
  const posted = `Posted that ${series.bucket}`
  return (index) => {
    const point = series.points[index]
    if (!point) return { when: '', consensus: [], prediction: [], trend: [] }
    return {
      when: toTitle(point.t),
      consensus: toConsensusReadings(point, posted),
      prediction: toPredictionReadings(point),
      trend: toTrendReadings(point, posted),
    }
  }
}

function toConsensusReadings(point: SeriesPoint, postedName: string): Reading[] {
  const { active, posted } = point
  return [
    {
      name: 'Consensus',
      text:
        active < CONSENSUS_MIN
          ? `too few (n=${formatCount(active)})`
          : withCount(formatConsensus(point.consensus), active),
    },
    ...(posted === 0
      ? []
      : [
          {
            name: postedName,
            text: withCount(formatConsensus(point.avg_rating), posted),
          },
        ]),
  ]
}

function toPredictionReadings(point: SeriesPoint): Reading[] {
  const { active } = point
  if (active < CONSENSUS_MIN || point.prediction_median === null) {
    return [{ name: 'Median', text: `too few (n=${formatCount(active)})` }]
  }
  return [
    { name: 'Median', text: withCount(toGivenText(point.prediction_median), active) },
    {
      name: 'Middle half',
      text: `${toGivenText(point.prediction_q1)} to ${toGivenText(point.prediction_q3)}`,
    },
    {
      name: 'Range',
      text: `${toGivenText(point.prediction_low)} to ${toGivenText(point.prediction_high)}`,
    },
  ]
}

function toTrendReadings(
  { active, posted, by_rating }: SeriesPoint,
  postedName: string,
): Reading[] {
  const labelled = by_rating.map((count, index) => ({
    name: ratingLabel(index + 1),
    text: formatShare((100 * count) / active),
    glyph: ratingStyle(index + 1).glyph,
  }))
  return [
    { name: 'Active', text: formatCount(active) },
    ...(active === 0 ? [] : labelled.toReversed()),
    { name: postedName, text: formatCount(posted) },
  ]
}

export const toGivenText = (prediction: string | null): string =>
  prediction === null ? '–' : formatPrediction(toGivenDigits(prediction))

/** `4.21 (n=184)` */
const withCount = (text: string, count: number): string => `${text} (n=${formatCount(count)})`

const TRAILING = /(\.\d{2}\d*?)0+$/

/** `'9.500000'` → `'9.50'`, `'0.125000'` → `'0.125'` */
export const toGivenDigits = (prediction: string): string => prediction.replace(TRAILING, '$1')

type Summed = Pick<Series, 'points'> & BucketContext

export function toSeriesSummary(series: Summed): string {
  if (series.points.length === 0) return 'No rating was posted or active in this range.'
  const shown = series.points.filter((point) => point.active >= CONSENSUS_MIN)
  return [
    toConsensusSentence(shown, createBucketWords(series)),
    toMoveSentence(series),
    toPredictionSentence(shown),
    toPostedSentence(series),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ')
}

function toConsensusSentence(shown: readonly SeriesPoint[], { toWhen }: BucketWords) {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) {
    return `Fewer than ${CONSENSUS_MIN} ratings were active at any time, so there is no consensus to draw.`
  }
  const toText = (point: SeriesPoint) => {
    const figure = withCount(formatConsensus(point.consensus), point.active)
    return `${figure} ${toWhen(point.t)}`
  }
  if (first === last) return `Consensus: ${toText(first)}.`
  const lowest = shown.reduce((least, point) => (rank(point) < rank(least) ? point : least))
  const highest = shown.reduce((most, point) => (rank(point) > rank(most) ? point : most))
  if (rank(lowest) === rank(highest)) {
    const toEnd = ({ t, active }: SeriesPoint) => `n=${formatCount(active)} ${toWhen(t)}`
    return `Consensus was ${formatConsensus(first.consensus)} throughout: ${toEnd(first)}, ${toEnd(last)}.`
  }
  return `Consensus moved from ${toText(first)} to ${toText(last)}; it was lowest at ${toText(lowest)} and highest at ${toText(highest)}.`
}

const rank = (point: SeriesPoint) => Number(point.consensus)

function toMoveSentence(series: Summed): string {
  const move = selectMove(series.points)
  if (!move) return ''
  const change = toSignedText(toChangeText(move))
  const went = `${change.startsWith(MINUS) ? 'fell' : 'rose'} by ${change.slice(1)}`
  const to = withCount(formatConsensus(move.after.consensus), move.after.active)
  return `Its most notable move: it ${went} to ${to} ${toBucketPhrase(move.t, series.bucket)}, with ${toCauseText(move)}.`
}

function toPredictionSentence(shown: readonly SeriesPoint[]): string {
  const [first, last] = [shown.at(0), shown.at(-1)]
  if (!first || !last) return ''
  const [from, to] = [first, last].map((point) => toGivenText(point.prediction_median))
  const extremes = toExtremesText(shown)
  if (first === last) return `The median prediction was ${from}; ${extremes}.`
  const moved = from === to ? `was ${from} at either end` : `moved from ${from} to ${to}`
  return `The median prediction ${moved}; ${extremes}.`
}

function toExtremesText(shown: readonly SeriesPoint[]): string {
  const lows = shown.flatMap(({ prediction_low: low }) => low ?? [])
  const highs = shown.flatMap(({ prediction_high: high }) => high ?? [])
  const lowest = lows.reduce<string | null>((least, one) => pick(least, one, -1), null)
  const highest = highs.reduce<string | null>((most, one) => pick(most, one, 1), null)
  return `the lowest of all was ${toGivenText(lowest)}, the highest ${toGivenText(highest)}`
}

const pick = (one: string | null, other: string, direction: 1 | -1): string =>
  one !== null && (Number(one) - Number(other)) * direction >= 0 ? one : other

function toPostedSentence({ points, bucket, isRange }: Summed) {
  const posted = points.reduce((sum, point) => sum + point.posted, 0)
  const were = formatCounted(posted, 'rating was', 'ratings were')
  if (isRange) return `${were} posted in this range.`
  const span =
    points.length === 1 ? `this ${bucket}` : `these ${formatCounted(points.length, bucket)}`
  return `${were} posted in ${span}.`
}
