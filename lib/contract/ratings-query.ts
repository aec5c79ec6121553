import * as z from 'zod/mini'
import { toInstantText } from './instant-text.ts'
import { type Parsed, parameter, parseParameters, type Sort } from './parameters.ts'
import { RATING_FIELDS } from './rating.ts'
import { readLeniently } from './read-leniently.ts'

export const PER_PAGE_DEFAULT = 50
export const PER_PAGE_MAX = 500

/** The columns that ratings can be sorted by: every field, as it came. */
export const RATING_SORTS = RATING_FIELDS
export type RatingSort = Sort<(typeof RATING_SORTS)[number]>

export const RATING_STATES = ['active', 'expired'] as const

const NEWEST_FIRST: RatingSort = { column: 'created_at', direction: 'desc' }

/**
 * What somebody asks of the ratings: the one schema behind the page's URL, the API and the exports.
 * `from` is inclusive, `to` exclusive, both on `created_at`; `asof` leaves only what existed then.
 * Instants are seconds since 1970, predictions decimal texts, symbols upper case.
 */
export const ratingsQuery = z
  .strictObject({
    symbol: parameter.symbols(),
    user: parameter.wholes(),
    rating: parameter.wholes(),
    action: parameter.wholes(),
    from: parameter.instant(),
    to: parameter.instant(),
    prediction_min: parameter.decimal(),
    prediction_max: parameter.decimal(),
    state: parameter.choice(RATING_STATES, null),
    asof: parameter.instant(),
    sort: parameter.sort(RATING_SORTS, NEWEST_FIRST),
    page: parameter.page(),
    per_page: parameter.perPage(PER_PAGE_MAX, PER_PAGE_DEFAULT),
  })
  .check((context) => {
    const { from, to, prediction_min: low, prediction_max: high } = context.value
    const refuse = (name: string, message: string) =>
      context.issues.push({ code: 'custom', path: [name], message, input: context.value })
    if (from !== null && to !== null && from >= to) refuse('to', 'is not after from')
    if (low !== null && high !== null && Number(low) > Number(high)) {
      refuse('prediction_max', 'is below prediction_min')
    }
  })

export type RatingsQuery = z.output<typeof ratingsQuery>

/** The query of an API address, or everything that is wrong with it. */
export const parseRatingsQuery = (params: URLSearchParams): Parsed<RatingsQuery> =>
  parseParameters(ratingsQuery, params)

/** The nearest valid query to a page's address, and what had to be ignored to get there. */
export const readRatingsQuery = (params: URLSearchParams) => readLeniently(ratingsQuery, params)

/** The canonical address of a query: names in a fixed order, lists sorted, defaults left out. */
export function toSearchParams(query: RatingsQuery): URLSearchParams {
  const params = new URLSearchParams()
  const set = (name: string, value: string | null) => {
    if (value !== null && value !== '') params.set(name, value)
  }
  const instant = (value: number | null) => (value === null ? null : toInstantText(value))
  const numbers = (values: readonly number[]) => [...values].sort((a, b) => a - b).join(',')
  set('symbol', [...query.symbol].sort().join(','))
  set('user', numbers(query.user))
  set('rating', numbers(query.rating))
  set('action', numbers(query.action))
  set('from', instant(query.from))
  set('to', instant(query.to))
  set('prediction_min', query.prediction_min)
  set('prediction_max', query.prediction_max)
  set('state', query.state)
  set('asof', instant(query.asof))
  set('sort', toSortText(query.sort))
  set('page', query.page === 1 ? null : String(query.page))
  set('per_page', query.per_page === PER_PAGE_DEFAULT ? null : String(query.per_page))
  return params
}

function toSortText({ column, direction }: RatingSort): string | null {
  if (column === NEWEST_FIRST.column && direction === NEWEST_FIRST.direction) return null
  return direction === 'desc' ? `-${column}` : column
}

/** Text for `href` or `fetch`: the canonical address, with commas left readable, or nothing. */
export function toQueryText(params: URLSearchParams): string {
  const text = params.toString().replaceAll('%2C', ',').replaceAll('%3A', ':')
  return text === '' ? '' : `?${text}`
}

/** The query with nothing asked. */
export const EVERY_RATING: RatingsQuery = ratingsQuery.parse({})
