import type { UserAnswer, UsersPage } from '#lib/contract/answers/users.ts'
import { AppError } from '#lib/contract/faults.ts'
import { noQuery, usersQuery } from '#lib/contract/other-queries.ts'
import { readParameters, toBadRequest } from '../read-parameters.ts'
import { toMeta, toPageInfo } from '../respond.ts'
import type { Route } from '../route.ts'

const USER_ID = /^-?\d{1,15}$/

export const usersRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/users',
  handle: async ({ deps, params }): Promise<UsersPage> => {
    const query = readParameters(usersQuery, params)
    const at = deps.now()
    const { rows, total } = await deps.archive.selectUsers(query, { at })
    const page = toPageInfo(query, total)
    return { success: true, code: 200, data: rows, page, meta: toMeta(deps, at) }
  },
}

export const userRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/users/{id}',
  handle: async ({ deps, params, path }): Promise<UserAnswer> => {
    const id = path.id ?? ''
    if (!USER_ID.test(id)) {
      throw toBadRequest([{ parameter: 'id', message: 'is not a whole number' }])
    }
    readParameters(noQuery, params)
    const at = deps.now()
    const data = await deps.archive.selectUser(Number(id), { at })
    if (!data) throw new AppError('not_found', 'No member of this number has ever rated.')
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}
