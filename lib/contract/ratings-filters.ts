import {
  AS_OF,
  type FilterReader,
  spanFilter,
  toNumberText,
  type WordedFilter,
} from './filter-words.ts'
import { moveLabel } from './moves.ts'
import { ZONE_DEFAULT } from './outlook.ts'
import { qualityLabel } from './quality.ts'
import { actionLabel, ratingLabel, STATE_LABELS } from './rating-fields.ts'
import type { ListName, RatingsQuery } from './ratings-query.ts'
import { ratingsView } from './ratings-view.ts'

const POSTED = 'posted'

const toPeriodText = (period: string, { zone }: FilterReader) =>
  zone === ZONE_DEFAULT ? period : `${period} UTC`
const toCountText = (count: number, { formatCount }: FilterReader) => formatCount(count)
const toPredictionText = (prediction: string, { formatPrediction }: FilterReader) =>
  formatPrediction(prediction)

const VALUES: Readonly<Record<ListName, Omit<WordedFilter & { by: 'values' }, 'by' | 'name'>>> = {
  id: { toText: toNumberText },
  symbol: { phrase: 'alone' },
  user: { toText: toNumberText },
  rating: { phrase: 'alone', toText: ratingLabel },
  action: { phrase: 'alone', toText: actionLabel },
  created: { word: POSTED, toText: toPeriodText },
  prediction: { toText: toPredictionText },
  agree: { phrase: 'after', toText: toCountText },
  disagree: { phrase: 'after', toText: toCountText },
  comments: { phrase: 'after', toText: toCountText },
  expires: { toText: toPeriodText },
  quality: { phrase: 'alone', toText: qualityLabel },
  moved: { phrase: 'alone', toText: moveLabel },
}

/** In the order of titles and chips. */
const RATING_FILTERS: readonly WordedFilter[] = [
  ...Object.entries(VALUES).map(([name, words]) => ({ by: 'values' as const, name, ...words })),
  spanFilter(POSTED),
  spanFilter('moved in', 'moved_from', 'moved_to'),
  {
    by: 'combined',
    word: 'prediction',
    names: ['prediction_min', 'prediction_max', 'prediction_above', 'prediction_below'],
    toText: toBoundsText,
  },
  {
    by: 'combined',
    word: 'state',
    phrase: 'alone',
    names: ['state'],
    toText: ({ state }: RatingsQuery) => state && STATE_LABELS[state],
  },
  AS_OF,
]

type Bounds = Pick<
  RatingsQuery,
  'prediction_min' | 'prediction_max' | 'prediction_above' | 'prediction_below'
>

function toBoundsText(bounds: Bounds, { formatPrediction }: FilterReader): string | null {
  const { prediction_min: low, prediction_max: high } = bounds
  const { prediction_above: above, prediction_below: below } = bounds
  if (above === null && below === null && low !== null && high !== null) {
    return low === high
      ? formatPrediction(low)
      : `${formatPrediction(low)} to ${formatPrediction(high)}`
  }
  const words = [
    above !== null && `above ${formatPrediction(above)}`,
    low !== null && `${formatPrediction(low)} or more`,
    below !== null && `below ${formatPrediction(below)}`,
    high !== null && `up to ${formatPrediction(high)}`,
  ].filter((word) => word !== false)
  return words.length === 0 ? null : words.join(', ')
}

export const RATINGS_PAGE = {
  path: '/',
  title: 'Ratings',
  one: 'rating',
  filters: RATING_FILTERS,
  query: ratingsView,
}
