import { formatPrediction } from '#components/format/prediction.ts'
import { actionLabel, ratingLabel } from '#lib/contract/rating-codes.ts'
import type { ListName, RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { toReadableInstant, toSpanText } from './posted-span.ts'
import { withFilter } from './query-change.ts'

/**
 * One filter that holds: what it says in words, what it leaves (`values`) or, with `isNot`, takes out; `drop` takes it
 * away.
 */
export type Filter = {
  name: string
  isNot: boolean
  values: string[]
  drop: <Q extends RatingsQuery>(query: Q) => Q
}

/** How the values of a list are written. */
const LISTS: readonly (readonly [ListName, toText: (value: never) => string])[] = [
  ['id', (id: number) => `#${id}`],
  ['symbol', (symbol: string) => symbol],
  ['user', (id: number) => `#${id}`],
  ['rating', ratingLabel],
  ['action', actionLabel],
  ['created', (period: string) => period],
  ['prediction', formatPrediction],
  ['agree', String],
  ['disagree', String],
  ['comments', String],
  ['expires', (period: string) => period],
]

/** The filters that hold, in the order of the page. */
export function selectFilters(query: RatingsQuery): Filter[] {
  const span = toSpanText(query)
  const bounds = toPredictionBoundsText(query)
  const asOf = query.asof === null ? null : toReadableInstant(query.asof)
  return [
    ...LISTS.flatMap(([list, toText]) => toListFilters(query, list, toText)),
    ...one('created', span, { from: null, to: null }),
    ...one('prediction', bounds, {
      prediction_min: null,
      prediction_max: null,
      prediction_above: null,
      prediction_below: null,
    }),
    ...one('state', query.state, { state: null }),
    ...one('as of', asOf, { asof: null }),
  ]
}

function toListFilters(
  query: RatingsQuery,
  list: ListName,
  toText: (value: never) => string,
): Filter[] {
  const chosen: Chosen<string | number> = query[list]
  const toFilter = (how: keyof Chosen<unknown>): Filter[] => {
    if (chosen[how].length === 0) return []
    const values = [...chosen[how]].sort(compare).map((value) => toText(value as never))
    const drop = <Q extends RatingsQuery>(from: Q) =>
      withFilter(from, { [list]: { ...from[list], [how]: [] } })
    return [{ name: list, isNot: how === 'not', values, drop }]
  }
  return [...toFilter('only'), ...toFilter('not')]
}

const compare = (a: string | number, b: string | number) =>
  typeof a === 'number' && typeof b === 'number' ? a - b : 0

const one = (
  name: string,
  text: string | null,
  without: Parameters<typeof withFilter>[1],
): Filter[] =>
  text === null
    ? []
    : [{ name, isNot: false, values: [text], drop: (query) => withFilter(query, without) }]

type Bounds = Pick<
  RatingsQuery,
  'prediction_min' | 'prediction_max' | 'prediction_above' | 'prediction_below'
>

/** The bounds of the prediction as people say them, or null where there are none. */
function toPredictionBoundsText(bounds: Bounds): string | null {
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
