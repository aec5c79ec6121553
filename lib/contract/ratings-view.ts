import { parameter } from './query-parameters.ts'
import { type QueryOf, querySchema, readLeniently, toDefaults } from './query-schema.ts'
import { RATINGS_PARAMETERS, RATINGS_RULES, ratingsQuery } from './ratings-query.ts'

export const ratingsView = querySchema(
  {
    ...RATINGS_PARAMETERS,
    tz: parameter.zone(),
    open: parameter.whole('The id of the rating in the side sheet.'),
    columns: parameter.names('Columns, in order.', 'symbol,rating'),
  },
  { ...RATINGS_RULES, order: [...ratingsQuery.order, 'tz', 'columns'] },
)

export type RatingsView = QueryOf<typeof ratingsView>

export const readRatingsView = (params: URLSearchParams) => readLeniently(ratingsView, params)

export const EVERY_VIEW: RatingsView = toDefaults(ratingsView)
