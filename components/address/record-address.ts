import type { Issue } from '#lib/contract/faults.ts'
import { HORIZON_NAME_DEFAULT, HORIZON_NAMES, type HorizonName } from '#lib/contract/horizons.ts'
import { withAsof } from '#lib/contract/outlook.ts'
import { parameter, type QueryOf, querySchema, readLeniently } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

/**
 * What the page of the whole community's record shows: after how many days (`horizon`) ratings are looked at again, and the
 * instant (seconds since 1970) that all is judged at, null for now.
 */
const viewQuery = querySchema({
  horizon: parameter.choice(HORIZON_NAMES, HORIZON_NAME_DEFAULT),
  asof: parameter.asof(),
})
export type RecordView = QueryOf<typeof viewQuery>

/** The view that the address of the page asks for, and what had to be ignored in it. */
export function readRecordView(params: URLSearchParams): { view: RecordView; ignored: Issue[] } {
  const { query, ignored } = readLeniently(viewQuery, params)
  return { view: query, ignored }
}

/** The canonical address of a view. */
export function toRecordParams({ horizon, asof }: RecordView): URLSearchParams {
  const params = new URLSearchParams()
  if (horizon !== HORIZON_NAME_DEFAULT) params.set('horizon', horizon)
  return withAsof(params, asof)
}

/** The page of the whole community's record. */
export const toRecordHref = (horizon: HorizonName): string =>
  `/record${toQueryText(toRecordParams({ horizon, asof: null }))}`
