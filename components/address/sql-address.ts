import { parameter } from '#lib/contract/query-parameters.ts'
import { type QueryOf, querySchema, toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

/** Characters. */
const QUERY_MAX_LENGTH = 7000
const NAME_MAX_LENGTH = 200

const SQL_CHARTS = ['line', 'bar', 'scatter'] as const

export const sqlQuery = querySchema({
  q: parameter.text(QUERY_MAX_LENGTH, 'A query.', 'SELECT 1'),
  sort: parameter.text(NAME_MAX_LENGTH, 'Column of the result. A minus sorts descending.', '-n'),
  chart: parameter.choice(SQL_CHARTS, null, 'Draws the result.'),
  x: parameter.text(NAME_MAX_LENGTH, 'Column along the chart.', 'month'),
  y: parameter.text(NAME_MAX_LENGTH, 'Column up the chart.', 'n'),
  page: parameter.page(),
})
export type SqlQuery = QueryOf<typeof sqlQuery>

/** The server takes 8,192 characters of address; the base path and a zone need room. */
const ADDRESS_MAX_LENGTH = 7900

/** Null if the query is too long for an address. */
export function toSqlHref(q: string): string | null {
  const href = `/sql${toQueryText(toParams(sqlQuery, { q }))}`
  return q.length <= QUERY_MAX_LENGTH && href.length <= ADDRESS_MAX_LENGTH ? href : null
}
