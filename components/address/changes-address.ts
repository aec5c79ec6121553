import { type ChangesQuery, changesQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'

export function readChangesView(params: URLSearchParams): {
  view: ChangesQuery
  ignored: Issue[]
} {
  const { query, ignored } = readLeniently(changesQuery, params)
  return { view: query, ignored }
}

/** Null ends: the week of the editions. */
export const toChangesHref = ({ from, to }: Pick<ChangesQuery, 'from' | 'to'>): string =>
  `/changes${toQueryText(toParams(changesQuery, { from, to }))}`

type Period = { from: number; to: number }

export const toPostedHref = ({ from, to }: Period): string =>
  `/${toQueryText(toParams(ratingsQuery, { from, to }))}`
