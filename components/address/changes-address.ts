import { type ChangesQuery, changesQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'

/** The period that the address of the report asks for (null is left to the API), and what had to be ignored in it. */
export function readChangesView(params: URLSearchParams): {
  view: ChangesQuery
  ignored: Issue[]
} {
  const { query, ignored } = readLeniently(changesQuery, params)
  return { view: query, ignored }
}

/** The report of a period; for an end that is null the week of the editions is taken. */
export const toChangesHref = ({ from, to }: Pick<ChangesQuery, 'from' | 'to'>): string =>
  `/changes${toQueryText(toParams(changesQuery, { from, to }))}`

type Period = { from: number; to: number }

/** The ratings that were posted in a period, or those of them that a lens finds. */
export const toPostedHref = ({ from, to }: Period, quality?: Quality): string =>
  `/${toQueryText(toParams(ratingsQuery, { from, to, quality: quality && only(quality) }))}`

/** The ratings of all symbols that something happened to in a period. */
export const toHappenedHref = ({ from, to }: Period, kind: MoveKind): string =>
  `/${toQueryText(toParams(ratingsQuery, { moved: only(kind), moved_from: from, moved_to: to }))}`
