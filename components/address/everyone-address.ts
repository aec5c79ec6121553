import { type TrackQuery, trackQuery } from '#lib/contract/api-queries.ts'
import type { Issue } from '#lib/contract/faults.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { usersQuery } from '#lib/contract/lists/users.ts'
import { readLeniently, toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

export const EVERYONE_PATH = '/users/everyone'

export function readEveryoneView(params: URLSearchParams): { view: TrackQuery; ignored: Issue[] } {
  const { query, ignored } = readLeniently(trackQuery, params)
  return { view: query, ignored }
}

export const toEveryoneHref = (horizon: HorizonName): string =>
  `${EVERYONE_PATH}${toQueryText(toParams(trackQuery, { horizon }))}`
export const toUsersHref = (horizon: HorizonName): string =>
  `/users${toQueryText(toParams(usersQuery, { horizon }))}`
