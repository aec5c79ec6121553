import { type TrackQuery, trackQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

/** The view that the address of the page asks for, and what was ignored. */
export function readRecordView(params: URLSearchParams): { view: TrackQuery; ignored: Issue[] } {
  const { query, ignored } = readLeniently(trackQuery, params)
  return { view: query, ignored }
}

/** The page of the whole community's record. */
export const toRecordHref = (horizon: HorizonName): string =>
  `/record${toQueryText(toParams(trackQuery, { horizon }))}`
