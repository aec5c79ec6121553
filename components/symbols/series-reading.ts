import type { PointReading, Reading } from '#components/charts/pane-frame.ts'
import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import type { Series, SeriesPoint } from '#lib/contract/answers/opinion.ts'
import { ratingLabel } from '#lib/contract/rating-codes.ts'
import { createBucketWords, type Judged } from './bucket-words.ts'
import { toGivenDigits } from './given-prediction.ts'
import { MINIMUM_DEFAULT, type SeriesView } from './series-address.ts'

/** Which of a view's choices change what is said of a point. */
export type ReadingChoice = Pick<SeriesView, 'minimum' | 'trend' | 'showsWeighted'>

/** With what is said of the ratings that came in a bucket: all other figures are of its end. */
type Named = ReadingChoice & { posted: string }

const USUAL: ReadingChoice = { minimum: MINIMUM_DEFAULT, trend: 'count', showsWeighted: false }

/** What the chart says of each of a series' points: the answer's own digits, n beside every figure of several. */
export function createReading(
  series: Pick<Series, 'points'> & Judged,
  choice: ReadingChoice = USUAL,
  formats: Formats = ENGLISH_FORMATS,
): (index: number) => PointReading {
  const { toTitle } = createBucketWords(series)
  const posted = `Posted that ${series.bucket}`
  return (index) => {
    const point = series.points[index]
    if (!point) return { when: '', consensus: [], prediction: [], trend: [] }
    return {
      when: toTitle(point.t),
      consensus: toConsensusReadings(point, { ...choice, posted }, formats),
      prediction: toPredictionReadings(point, choice, formats),
      trend: toTrendReadings(point, { ...choice, posted }, formats),
    }
  }
}

function toConsensusReadings(
  point: SeriesPoint,
  { minimum, showsWeighted, posted: postedName }: Named,
  formats: Formats,
): Reading[] {
  const { formatConsensus } = formats
  const { active, posted } = point
  const isEnough = active >= minimum
  return [
    {
      name: 'Consensus',
      text: isEnough
        ? withCount(formatConsensus(point.consensus), active, formats)
        : `too few (n=${formats.formatCount(active)})`,
    },
    ...(isEnough && showsWeighted
      ? [{ name: 'Weighted', text: formatConsensus(point.weighted) }]
      : []),
    ...(posted === 0
      ? []
      : [
          {
            name: postedName,
            text: withCount(formatConsensus(point.avg_rating), posted, formats),
          },
        ]),
  ]
}

function toPredictionReadings(
  point: SeriesPoint,
  { minimum }: ReadingChoice,
  formats: Formats,
): Reading[] {
  const { active } = point
  if (active < minimum || point.prediction_median === null) {
    return [{ name: 'Median', text: `too few (n=${formats.formatCount(active)})` }]
  }
  const given = (prediction: string | null) => toGivenText(prediction, formats)
  return [
    { name: 'Median', text: withCount(given(point.prediction_median), active, formats) },
    {
      name: 'Middle half',
      text: `${given(point.prediction_q1)} to ${given(point.prediction_q3)}`,
    },
    { name: 'Range', text: `${given(point.prediction_low)} to ${given(point.prediction_high)}` },
  ]
}

function toTrendReadings(
  { active, posted, by_rating }: SeriesPoint,
  { trend, posted: postedName }: Named,
  { formatCount, formatShare }: Formats,
): Reading[] {
  const toText = (count: number) =>
    trend === 'percent' && active > 0
      ? `${formatShare((100 * count) / active)} (${formatCount(count)})`
      : formatCount(count)
  const labelled = by_rating.map((count, index) => ({
    name: ratingLabel(index + 1),
    text: toText(count),
  }))
  return [
    { name: 'Active', text: formatCount(active) },
    ...(active === 0 ? [] : labelled.toReversed()),
    { name: postedName, text: formatCount(posted) },
  ]
}

/** A prediction that somebody gave, as finance writes it, with the digits that it was given with: `+9.50%`. */
export const toGivenText = (prediction: string | null, { formatPrediction }: Formats): string =>
  prediction === null ? '–' : formatPrediction(toGivenDigits(prediction))

/** A figure with how many it is of: `4.21 (n=184)`. */
export const withCount = (text: string, count: number, { formatCount }: Formats): string =>
  `${text} (n=${formatCount(count)})`
