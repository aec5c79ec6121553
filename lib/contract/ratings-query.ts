import type { Issue } from './faults.ts'
import { MOVES } from './moves.ts'
import { QUALITIES } from './quality.ts'
import { parameter, type Sort } from './query-parameters.ts'
import {
  type Parsed,
  parseParameters,
  type QueryOf,
  querySchema,
  toDefaults,
} from './query-schema.ts'
import { RATING_FIELDS } from './rating-fields.ts'

export const RATING_SORTS = RATING_FIELDS
export type RatingSort = Sort<(typeof RATING_SORTS)[number]>

export const RATING_STATES = ['active', 'expired'] as const

const NEWEST_FIRST: RatingSort = { column: 'created_at', direction: 'desc' }

export const RATINGS_PARAMETERS = {
  id: parameter.wholes('Rating ids.', '1'),
  symbol: parameter.symbols(),
  user: parameter.wholes('User numbers.', '12'),
  rating: parameter.wholes('Rating codes, 1 to 5.', '4,5'),
  action: parameter.wholes('Action codes, 1 to 4.', '2'),
  prediction: parameter.decimals('Exact predictions.', '12.5'),
  agree: parameter.wholes('Agree counts.', '1'),
  disagree: parameter.wholes('Disagree counts.', '1'),
  comments: parameter.wholes('Comment counts.', '1'),
  created: parameter.periods('Posted in these periods.', '2024-01'),
  expires: parameter.expiries('Expire in these periods, or never.', 'never'),
  quality: parameter.choices(QUALITIES, 'Data quality checks.'),
  moved: parameter.choices(MOVES, 'Changes to active ratings.'),
  moved_from: parameter.instant('With `moved`: start, inclusive.', '2024-01-01'),
  moved_to: parameter.instant('With `moved`: end, exclusive.', '2026-01-01'),
  from: parameter.instant('Posted at or after.', '2024-01-01'),
  to: parameter.instant('Posted before.', '2026-01-01'),
  prediction_min: parameter.decimal('Minimum prediction, inclusive.', '5'),
  prediction_max: parameter.decimal('Maximum prediction, inclusive.', '50'),
  prediction_above: parameter.decimal('Predictions above this value.', '5'),
  prediction_below: parameter.decimal('Predictions below this value.', '50'),
  state: parameter.choice(RATING_STATES, null, 'State at `asof`.'),
  asof: parameter.asof(),
  sort: parameter.sort(RATING_SORTS, NEWEST_FIRST),
  page: parameter.page(),
  per_page: parameter.perPage(),
}

type Spans = Record<'from' | 'to' | 'moved_from' | 'moved_to', number | null> &
  Record<
    'prediction_min' | 'prediction_max' | 'prediction_above' | 'prediction_below',
    string | null
  >

function refuseEmptySpans({ from, to, ...bounds }: Spans): Issue[] {
  const { moved_from: movedFrom, moved_to: movedTo } = bounds
  const issues: Issue[] = []
  const refuse = (parameter: string, message: string) => issues.push({ parameter, message })
  if (from !== null && to !== null && from >= to) refuse('to', 'is not after from')
  if (movedFrom !== null && movedTo !== null && movedFrom >= movedTo) {
    refuse('moved_to', 'is not after moved_from')
  }
  const { prediction_min: least, prediction_above: above } = bounds
  const { prediction_max: most, prediction_below: below } = bounds
  if (least !== null && most !== null && Number(least) > Number(most)) {
    refuse('prediction_max', 'is below prediction_min')
  }
  if (above !== null && most !== null && Number(above) >= Number(most)) {
    refuse('prediction_max', 'is not above prediction_above')
  }
  for (const [name, low] of [
    ['prediction_min', least],
    ['prediction_above', above],
  ] as const) {
    if (low === null || below === null || Number(low) < Number(below)) continue
    refuse('prediction_below', `is not above ${name}`)
  }
  return issues
}

export const LISTS = [
  'id',
  'symbol',
  'user',
  'rating',
  'action',
  'prediction',
  'agree',
  'disagree',
  'comments',
  'created',
  'expires',
  'quality',
  'moved',
] as const satisfies readonly (keyof typeof RATINGS_PARAMETERS)[]
export type ListName = (typeof LISTS)[number]

export const RATINGS_RULES = { refuse: refuseEmptySpans, order: [...LISTS, 'from', 'to'] }

/** Instants are seconds since 1970, predictions decimal text, symbols upper case. */
export const ratingsQuery = querySchema(RATINGS_PARAMETERS, RATINGS_RULES)

export type RatingsQuery = QueryOf<typeof ratingsQuery>

export const parseRatingsQuery = (params: URLSearchParams): Parsed<RatingsQuery> =>
  parseParameters(ratingsQuery, params)

/** Includes `?`, or is empty. */
export function toQueryText(params: URLSearchParams): string {
  const text = params
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}

export const EVERY_RATING: RatingsQuery = toDefaults(ratingsQuery)
