import { NO_PREDICTION_BOUNDS, withFilter } from '#components/address/ratings-address.ts'
import { toAsofText } from '#components/format/instants.ts'
import { ENGLISH_FORMATS, type Formats } from '#components/format/numbers.ts'
import { joinByOr } from '#components/format/texts.ts'
import { moveLabel } from '#lib/contract/moves.ts'
import { ZONE_DEFAULT } from '#lib/contract/outlook.ts'
import { qualityLabel } from '#lib/contract/quality.ts'
import { actionLabel, ratingLabel } from '#lib/contract/rating-fields.ts'
import type { ListName, RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import type { Chosen } from '#lib/contract/value-list.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { toSpanText } from './posted-range.ts'

export type Filter = {
  /** Unique; names are not. */
  key: string
  name: string
  isNot: boolean
  values: string[]
  drop: <Q extends RatingsQuery>(query: Q) => Q
}

type Reader = Formats & { zone: string }
type ToText = (value: never, reader: Reader) => string
const toPeriodText = (period: string, { zone }: Reader) =>
  zone === ZONE_DEFAULT ? period : `${period} UTC`
const toCountText = (count: number, { formatCount }: Reader) => formatCount(count)

const LISTS: readonly (readonly [ListName, ToText])[] = [
  ['id', (id: number) => `#${id}`],
  ['symbol', toVisibleText],
  ['user', (id: number) => `#${id}`],
  ['rating', ratingLabel],
  ['action', actionLabel],
  ['created', toPeriodText],
  ['prediction', (prediction: string, reader) => reader.formatPrediction(prediction)],
  ['agree', toCountText],
  ['disagree', toCountText],
  ['comments', toCountText],
  ['expires', toPeriodText],
  ['quality', qualityLabel],
  ['moved', moveLabel],
]

const AS_OF = 'as of'
const POSTED = 'posted'

type SummaryQuery = RatingsQuery & Partial<Pick<RatingsView, 'tz'>>

export function selectFilters(query: SummaryQuery, formats: Formats = ENGLISH_FORMATS): Filter[] {
  const { tz: zone = ZONE_DEFAULT } = query
  const reader = { ...formats, zone }
  const span = toSpanText(query, zone)
  const moved = toSpanText({ from: query.moved_from, to: query.moved_to }, zone)
  const bounds = toPredictionBoundsText(query, formats)
  const asOf = query.asof === null ? null : toAsofText(query.asof, zone)
  return [
    ...LISTS.flatMap(([list, toText]) =>
      toListFilters(query, list, (value) => toText(value as never, reader)),
    ),
    ...one(POSTED, span, { from: null, to: null }),
    ...one('moved in', moved, { moved_from: null, moved_to: null }),
    ...one('prediction', bounds, NO_PREDICTION_BOUNDS),
    ...one('state', query.state, { state: null }),
    ...one(AS_OF, asOf, { asof: null }),
  ]
}

export const selectChips = (query: SummaryQuery, formats?: Formats): Filter[] =>
  selectFilters(query, formats).filter(({ name }) => name !== AS_OF)

function toListFilters(
  query: RatingsQuery,
  list: ListName,
  toText: (value: string | number) => string,
): Filter[] {
  const chosen: Chosen<string | number> = query[list]
  const toFilter = (how: keyof Chosen<unknown>): Filter[] => {
    if (chosen[how].length === 0) return []
    const values = [...chosen[how]].sort(compare).map(toText)
    const drop = <Q extends RatingsQuery>(from: Q) =>
      withFilter(from, { [list]: { ...from[list], [how]: [] } })
    const name = list === 'created' ? POSTED : list
    return [{ key: `${list} ${how}`, name, isNot: how === 'not', values, drop }]
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
    : [
        {
          key: name,
          name,
          isNot: false,
          values: [text],
          drop: (query) => withFilter(query, without),
        },
      ]

type Bounds = Pick<
  RatingsQuery,
  'prediction_min' | 'prediction_max' | 'prediction_above' | 'prediction_below'
>

function toPredictionBoundsText(bounds: Bounds, { formatPrediction }: Formats): string | null {
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

const MOST_IN_TITLE = 3

/** `AAPL, Moderate Buy or Strong Buy · Ratings` */
export function toQueryTitle(query: SummaryQuery, formats?: Formats): string {
  const phrase = toFilterPhrase(query, formats)
  return [...(phrase === '' ? [] : [phrase]), 'Ratings'].join(' · ')
}

export const toFilterPhrase = (query: SummaryQuery, formats?: Formats): string =>
  selectFilters(query, formats).map(toPhrase).join(', ')

export const toFilterWords = (query: SummaryQuery): string =>
  selectFilters(query).map(toPhrase).join(' · ') || 'Every rating'

/** The layout's title template does not apply to a page on its own level. */
export const toPageTitle = (query: SummaryQuery, formats?: Formats): string =>
  `${toQueryTitle(query, formats)} · Bellwether`

const PLAIN = new Set(['symbol', 'rating', 'action', 'state', 'quality', 'moved'])
const COUNTED = new Set(['agree', 'disagree', 'comments'])

function toPhrase({ name, isNot, values }: Filter): string {
  const value = joinValues(values)
  const text = PLAIN.has(name) ? value : COUNTED.has(name) ? `${value} ${name}` : `${name} ${value}`
  return isNot ? `not ${text}` : text
}

/** `A, B or C` or `A, B, C or 4 more` */
function joinValues(values: readonly string[]): string {
  const named = values.slice(0, values.length > MOST_IN_TITLE + 1 ? MOST_IN_TITLE : values.length)
  const rest = values.length - named.length
  return joinByOr(rest > 0 ? [...named, `${rest} more`] : named)
}

const MOST_NAMED = 4

export function toShortList(values: readonly string[]): string {
  const named = values.length > MOST_NAMED ? values.slice(0, MOST_NAMED - 1) : values
  const rest = values.length - named.length
  return rest > 0 ? `${named.join(', ')} and ${rest} more` : named.join(', ')
}
