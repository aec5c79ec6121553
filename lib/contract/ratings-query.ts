import { type ListQuery, selectSorted } from './lists/define-list.ts'
import { ratingList } from './lists/ratings.ts'
import {
  type Parameters,
  type Parsed,
  parseParameters,
  querySchema,
  toDefaults,
  toParams,
  toQueryText,
} from './query-schema.ts'
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

export const EVERY_RATING: RatingsQuery = toDefaults(ratingsQuery)

const { sort: _sort, asof: _asof, ...PAGED_FILTERS } = ratingsQuery.parameters
const { page: _page, per_page: _perPage, ...FILTERS } = PAGED_FILTERS

export const ratingsFeedQuery = querySchema(PAGED_FILTERS, ratingsQuery)

export const newestRatingsQuery = querySchema(FILTERS, ratingsQuery)

/** Carries the token of a reader that cannot sign in. */
export const LINK_PARAMETER = 'link'

export const CHANGES_FEED = '/api/changes.atom'

export const toRatingsFeed = (query: Partial<RatingsQuery>): string =>
  `/api/ratings.atom${toQueryText(toParams(newestRatingsQuery, query))}`
