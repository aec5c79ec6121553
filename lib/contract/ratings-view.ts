import { ratingList } from './lists/ratings.ts'
import { parameter } from './query-parameters.ts'
import { type QueryOf, querySchema, readLeniently, toDefaults } from './query-schema.ts'
import { ratingsQuery } from './ratings-query.ts'

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
