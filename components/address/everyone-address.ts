import { trackQuery } from '#lib/contract/api-queries.ts'
import type { HorizonName } from '#lib/contract/horizons.ts'
import { usersQuery } from '#lib/contract/lists/users.ts'
import { toParams } from '#lib/contract/query-schema.ts'
import { toQueryText } from '#lib/contract/ratings-query.ts'

export const EVERYONE_PATH = '/users/everyone'

export const toEveryoneHref = (horizon: HorizonName): string =>
  `${EVERYONE_PATH}${toQueryText(toParams(trackQuery, { horizon }))}`
export const toUsersHref = (horizon: HorizonName): string =>
  `/users${toQueryText(toParams(usersQuery, { horizon }))}`
