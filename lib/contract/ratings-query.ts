import type { Issue } from './faults.ts'
import { toAsofParameter, toInstantText } from './instant-text.ts'
import { MOVES } from './moves.ts'
import { QUALITIES } from './quality.ts'
import {
  type Parsed,
  parameter,
  parseParameters,
  type QueryOf,
  querySchema,
  type Sort,
  toDefaults,
  toSortParameter,
} from './query-schema.ts'
import { RATING_FIELDS } from './rating-fields.ts'
import { toListText } from './value-list.ts'

export const PER_PAGE_DEFAULT = 50
export const PER_PAGE_MAX = 500

/** The columns that ratings can be sorted by: every field, as it came. */
export const RATING_SORTS = RATING_FIELDS
export type RatingSort = Sort<(typeof RATING_SORTS)[number]>

export const RATING_STATES = ['active', 'expired'] as const

const NEWEST_FIRST: RatingSort = { column: 'created_at', direction: 'desc' }

/** Every parameter of the query. Lists hold what is left and what is taken out ({@link Chosen}). */
export const RATINGS_PARAMETERS = {
  id: parameter.wholes(),
  symbol: parameter.symbols(),
  user: parameter.wholes(),
  rating: parameter.wholes(),
  action: parameter.wholes(),
  prediction: parameter.decimals(),
  agree: parameter.wholes(),
  disagree: parameter.wholes(),
  comments: parameter.wholes(),
  created: parameter.periods(),
  expires: parameter.expiries(),
  quality: parameter.choices(QUALITIES),
  moved: parameter.choices(MOVES),
  moved_from: parameter.instant(),
  moved_to: parameter.instant(),
  from: parameter.instant(),
  to: parameter.instant(),
  prediction_min: parameter.decimal(),
  prediction_max: parameter.decimal(),
  prediction_above: parameter.decimal(),
  prediction_below: parameter.decimal(),
  state: parameter.choice(RATING_STATES, null),
  asof: parameter.asof(),
  sort: parameter.sort(RATING_SORTS, NEWEST_FIRST),
  page: parameter.page(),
  per_page: parameter.perPage(PER_PAGE_MAX, PER_PAGE_DEFAULT),
}

type Spans = Record<'from' | 'to' | 'moved_from' | 'moved_to', number | null> &
  Record<
    'prediction_min' | 'prediction_max' | 'prediction_above' | 'prediction_below',
    string | null
  >

/** Refuses ranges that nothing lies in; for a schema that holds these parameters. */
export function refuseEmptySpans({ from, to, ...bounds }: Spans): Issue[] {
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

/**
 * What somebody asks of the ratings: the one schema behind the page's URL, the API and the exports.
 * `from` is inclusive, `to` exclusive, both on `created_at`; `asof` leaves only what existed then.
 * `created` and `expires` are days, months or years of UTC, `expires` also `never`. `quality` names lenses.
 * `moved` leaves ratings with an event of those kinds ({@link MOVES}), from `moved_from` on and before `moved_to`.
 * Instants are seconds since 1970, predictions decimal texts, symbols upper case.
 */
export const ratingsQuery = querySchema(RATINGS_PARAMETERS, refuseEmptySpans)

export type RatingsQuery = QueryOf<typeof ratingsQuery>

/** The filters that are lists of values, in the order of the canonical address. */
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
] as const satisfies readonly (keyof RatingsQuery)[]
export type ListName = (typeof LISTS)[number]

/** The query of an API address, or everything that is wrong with it. */
export const parseRatingsQuery = (params: URLSearchParams): Parsed<RatingsQuery> =>
  parseParameters(ratingsQuery, params)

/** The canonical address of a query: names in a fixed order, lists sorted, defaults left out. */
export function toSearchParams(query: RatingsQuery): URLSearchParams {
  const params = new URLSearchParams()
  const set = (name: string, value: string | null) => {
    if (value !== null && value !== '') params.set(name, value)
  }
  const instant = (value: number | null) => (value === null ? null : toInstantText(value))
  for (const name of LISTS) set(name, toListText<string | number>(query[name]))
  set('from', instant(query.from))
  set('to', instant(query.to))
  set('moved_from', instant(query.moved_from))
  set('moved_to', instant(query.moved_to))
  set('prediction_min', query.prediction_min)
  set('prediction_max', query.prediction_max)
  set('prediction_above', query.prediction_above)
  set('prediction_below', query.prediction_below)
  set('state', query.state)
  set('asof', query.asof === null ? null : toAsofParameter(query.asof))
  set('sort', toSortParameter(query.sort, NEWEST_FIRST))
  set('page', query.page === 1 ? null : String(query.page))
  set('per_page', query.per_page === PER_PAGE_DEFAULT ? null : String(query.per_page))
  return params
}

/** Text for `href` or `fetch`: the canonical address, with commas left readable, or nothing. */
export function toQueryText(params: URLSearchParams): string {
  const text = params
    .toString()
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%2F', '/')
  return text === '' ? '' : `?${text}`
}

/** The query with nothing asked. */
export const EVERY_RATING: RatingsQuery = toDefaults(ratingsQuery)
