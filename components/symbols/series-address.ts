import type { Issue } from '#lib/contract/faults.ts'
import { toInstantText } from '#lib/contract/instant-text.ts'
import { type SeriesQuery, seriesQuery } from '#lib/contract/other-queries.ts'
import { readLeniently } from '#lib/contract/read-leniently.ts'

/** What a symbol's page shows: the series asked for, and whether as a table. */
export type SeriesView = SeriesQuery & { asTable: boolean }

const VIEW = 'view'
const TABLE = 'table'

/** The view that an address asks for, and what had to be ignored in it. */
export function readSeriesView(params: URLSearchParams): { view: SeriesView; ignored: Issue[] } {
  const views = params.getAll(VIEW)
  const rest = new URLSearchParams(params)
  rest.delete(VIEW)
  const { query, ignored } = readLeniently(seriesQuery, rest)
  const asTable = views.length === 1 && views[0] === TABLE
  if (views.length > 0 && !asTable) ignored.push({ parameter: VIEW, message: `is not ${TABLE}` })
  return { view: { ...query, asTable }, ignored }
}

/** The parameters that the API is asked with; defaults are not written. */
export function toSeriesParams({ bucket, from, to }: SeriesQuery): URLSearchParams {
  const params = new URLSearchParams()
  if (bucket !== 'auto') params.set('bucket', bucket)
  if (from !== null) params.set('from', toInstantText(from))
  if (to !== null) params.set('to', toInstantText(to))
  return params
}

/** The canonical address of a view. */
export function toViewParams(view: SeriesView): URLSearchParams {
  const params = toSeriesParams(view)
  if (view.asTable) params.set(VIEW, TABLE)
  return params
}
