import type { Issue } from '#lib/contract/faults.ts'
import type { RatingsView } from '#lib/contract/ratings-view.ts'
import { isColumnId, knownColumns } from './column-facts.ts'

type Read = { query: RatingsView; ignored: Issue[] }

/** The view of an address without the columns that there are not, and those among what was ignored. */
export function withKnownColumns({ query, ignored }: Read): Read {
  const unknown = query.columns.filter((name) => !isColumnId(name))
  if (unknown.length === 0) return { query, ignored }
  const message = `holds ${unknown.slice(0, 3).join(', ')}, which is no column`
  return {
    query: { ...query, columns: knownColumns(query.columns) },
    ignored: [...ignored, { parameter: 'columns', message }],
  }
}
