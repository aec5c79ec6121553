import { withZone } from './outlook.ts'
import { parameter, type QueryOf, querySchema, readLeniently, toDefaults } from './query-schema.ts'
import { RATINGS_PARAMETERS, refuseEmptySpans, toSearchParams } from './ratings-query.ts'

/**
 * What the ratings page shows: a query, and how it is looked at. `tz` is the zone that times are written in, `open` the
 * id of the rating in the side sheet, `columns` the columns in their order, where the address names them.
 */
const ratingsView = querySchema(
  {
    ...RATINGS_PARAMETERS,
    tz: parameter.zone(),
    open: parameter.whole(),
    columns: parameter.names(),
  },
  refuseEmptySpans,
)

export type RatingsView = QueryOf<typeof ratingsView>

/** The nearest valid view to the page's address, and what had to be ignored to get there. */
export const readRatingsView = (params: URLSearchParams) => readLeniently(ratingsView, params)

/** The canonical address of a view: the query's, then how it is looked at. */
export function toViewParams(view: RatingsView): URLSearchParams {
  const params = withZone(toSearchParams(view), view.tz)
  if (view.columns.length > 0) params.set('columns', view.columns.join(','))
  if (view.open !== null) params.set('open', String(view.open))
  return params
}

/** The view with nothing asked. */
export const EVERY_VIEW: RatingsView = toDefaults(ratingsView)
