import { type ChangesQuery, changesQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'

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

export const toHappenedHref = ({ from, to }: Period, kind: MoveKind): string =>
  `/${toQueryText(toParams(ratingsQuery, { moved: only(kind), moved_from: from, moved_to: to }))}`
