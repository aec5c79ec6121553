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
  id: parameter.wholes('Ids of ratings.', '1'),
  symbol: parameter.symbols(),
  user: parameter.wholes('Numbers of users.', '12'),
  rating: parameter.wholes('Codes of ratings, 1 to 5.', '4,5'),
  action: parameter.wholes('Codes of actions, 1 to 4.', '2'),
  prediction: parameter.decimals('Predictions, exactly.', '12.5'),
  agree: parameter.wholes('Numbers of users who agree.', '1'),
  disagree: parameter.wholes('Numbers of users who disagree.', '1'),
  comments: parameter.wholes('Numbers of comments.', '1'),
  created: parameter.periods('Days, months or years (UTC) that ratings were posted in.', '2024-01'),
  expires: parameter.expiries(
    'Days, months or years (UTC) that ratings expire in, or never.',
    'never',
  ),
  quality: parameter.choices(QUALITIES, 'Lenses on the quality of the data.'),
  moved: parameter.choices(MOVES, 'What happened to the ratings that were active.'),
  moved_from: parameter.instant('With moved: what happened from then on.', '2024-01-01'),
  moved_to: parameter.instant('With moved: what happened before then.', '2026-01-01'),
  from: parameter.instant('Posted from then on.', '2024-01-01'),
  to: parameter.instant('Posted before then.', '2026-01-01'),
  prediction_min: parameter.decimal('The least prediction.', '5'),
  prediction_max: parameter.decimal('The largest prediction.', '50'),
  prediction_above: parameter.decimal('Predictions above it.', '5'),
  prediction_below: parameter.decimal('Predictions below it.', '50'),
  state: parameter.choice(RATING_STATES, null, 'Ratings in that state at asof.'),
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

/**
 * `from` and `to` filter `created_at`. Instants are seconds since 1970, predictions decimal text,
 * symbols upper case.
 */
export const ratingsQuery = querySchema(RATINGS_PARAMETERS, RATINGS_RULES)

export type RatingsQuery = QueryOf<typeof ratingsQuery>

export const parseRatingsQuery = (params: URLSearchParams): Parsed<RatingsQuery> =>
  parseParameters(ratingsQuery, params)

/** Includes `?`, or is empty. Leaves commas, colons and slashes readable. */
export function toQueryText(params: URLSearchParams): string {
  const text = params
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}

export const EVERY_RATING: RatingsQuery = toDefaults(ratingsQuery)
