import { ratingList } from './lists/ratings.ts'
import { parameter } from './query-parameters.ts'
import { type QueryOf, querySchema, readLeniently, toDefaults } from './query-schema.ts'
import { type RatingSort, type RatingsQuery, ratingsQuery } from './ratings-query.ts'

export const ratingsView = querySchema(
  {
    ...ratingsQuery.parameters,
    open: parameter.whole('The id of the rating in the side sheet.'),
    columns: parameter.names('Columns, in order.', 'symbol,rating'),
  },
  { ...ratingsQuery, order: [...ratingsQuery.order, 'columns'] },
)

export type RatingsView = QueryOf<typeof ratingsView>

export const readRatingsView = (params: URLSearchParams) => readLeniently(ratingsView, params)

export const EVERY_VIEW: RatingsView = toDefaults(ratingsView)

export const RATINGS_PAGE = {
  path: '/',
  title: ratingList.title,
  one: ratingList.one,
  filters: ratingList.filters,
  query: ratingsView,
}

/** `to` receives the view in the URL at that moment. */
export type ChangeQuery = (to: (view: RatingsView) => RatingsView, how?: 'push' | 'replace') => void

export type QueryProps = { query: RatingsView; change: ChangeQuery }

type Filters = Omit<RatingsQuery, 'sort' | 'page' | 'per_page'>

export const withFilter = <Q extends RatingsQuery>(query: Q, filters: Partial<Filters>): Q => ({
  ...query,
  ...filters,
  page: 1,
})

export const withSort = <Q extends RatingsQuery>(query: Q, sort: RatingSort): Q => ({
  ...query,
  sort,
  page: 1,
})

export const withPage = <Q extends RatingsQuery>(query: Q, page: number): Q => ({ ...query, page })

export const withPerPage = <Q extends RatingsQuery>(query: Q, perPage: number): Q => ({
  ...query,
  per_page: perPage,
  page: 1,
})

export const NO_PREDICTION_BOUNDS = {
  prediction_min: null,
  prediction_max: null,
  prediction_above: null,
  prediction_below: null,
} as const
