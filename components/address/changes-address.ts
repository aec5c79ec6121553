import { type ChangesQuery, changesQuery } from '#lib/contract/api-queries.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { ratingsQuery, toQueryText } from '#lib/contract/ratings-query.ts'

/** Null ends: the week of the editions. */
export const toChangesHref = ({ from, to }: Pick<ChangesQuery, 'from' | 'to'>): string =>
  `/changes${toQueryText(toParams(changesQuery, { from, to }))}`

type Period = { from: number; to: number }

export const toPostedHref = ({ from, to }: Period): string =>
  `/${toQueryText(toParams(ratingsQuery, { from, to }))}`
