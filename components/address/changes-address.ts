import { type ChangesQuery, changesQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import { toInstantText } from '#lib/contract/instant-text.ts'
import type { MoveKind } from '#lib/contract/moves.ts'
import { withAsof } from '#lib/contract/outlook.ts'
import type { Quality } from '#lib/contract/quality.ts'
import { readLeniently } from '#lib/contract/query-schema.ts'
import { EVERY_RATING, toQueryText, toSearchParams } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'

/** The period that the address of the report asks for (null is left to the API), and what had to be ignored in it. */
export function readChangesView(params: URLSearchParams): {
  view: ChangesQuery
  ignored: Issue[]
} {
  const { query, ignored } = readLeniently(changesQuery, params)
  return { view: query, ignored }
}

/** The canonical parameters of a period. */
export function toChangesParams({ from, to, asof }: ChangesQuery): URLSearchParams {
  const params = new URLSearchParams()
  if (from !== null) params.set('from', toInstantText(from))
  if (to !== null) params.set('to', toInstantText(to))
  return withAsof(params, asof)
}

/** The report of a period; for an end that is null the week of the editions is taken. */
export const toChangesHref = (period: Pick<ChangesQuery, 'from' | 'to'>): string =>
  `/changes${toQueryText(toChangesParams({ ...period, asof: null }))}`

type Period = { from: number; to: number }

/** The ratings that were posted in a period, or those of them that a lens finds. */
export const toPostedHref = ({ from, to }: Period, quality?: Quality): string =>
  `/${toQueryText(
    toSearchParams({
      ...EVERY_RATING,
      ...{ from, to },
      ...(quality === undefined ? {} : { quality: only(quality) }),
    }),
  )}`

/** The ratings of all symbols that something happened to in a period. */
export const toHappenedHref = ({ from, to }: Period, kind: MoveKind): string =>
  `/${toQueryText(
    toSearchParams({ ...EVERY_RATING, moved: only(kind), moved_from: from, moved_to: to }),
  )}`
