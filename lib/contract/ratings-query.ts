import { type ListQuery, selectSorted } from './lists/define-list.ts'
import { ratingList } from './lists/ratings.ts'
import { type Parameters, type Parsed, parseParameters, toDefaults } from './query-schema.ts'
import type { Chosen } from './value-list.ts'

/** Instants are seconds since 1970, predictions decimal text, symbols upper case. */
export const ratingsQuery = ratingList.query

export type RatingsQuery = ListQuery<typeof ratingList>

export const RATING_SORTS = selectSorted(ratingList.fields)
export type RatingSort = RatingsQuery['sort']

export type ListName = {
  [N in keyof RatingsQuery]: RatingsQuery[N] extends Chosen<unknown> ? N : never
}[keyof RatingsQuery]

const PARAMETERS: Parameters = ratingsQuery.parameters

const isListName = (name: string): name is ListName =>
  Object.hasOwn(PARAMETERS, name) && PARAMETERS[name]?.kind.list !== undefined

export const LISTS: readonly ListName[] = ratingsQuery.order.filter(isListName)

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
