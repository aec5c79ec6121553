import type { CallsAnswer, RecordAnswer } from '#lib/contract/answers/record.ts'
import type { UserAnswer, UsersPage } from '#lib/contract/answers/users.ts'
import { AppError } from '#lib/contract/faults.ts'
import { asofQuery, usersQuery } from '#lib/contract/other-queries.ts'
import { readParameters, toBadRequest } from '../read-parameters.ts'
import { toMeta, toPageInfo } from '../respond.ts'
import type { Route, RouteContext } from '../route.ts'

const USER_ID = /^-?\d{1,15}$/

export const usersRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/users',
  handle: async ({ deps, params }): Promise<UsersPage> => {
    const query = readParameters(usersQuery, params)
    const at = query.asof ?? deps.now()
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
    const id = selectUserId(path)
    const at = readParameters(asofQuery, params).asof ?? deps.now()
    const data = await deps.archive.selectUser(id, { at })
    if (!data) throw hasNotRated()
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}

export const userCallsRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/users/{id}/calls',
  handle: async ({ deps, params, path }): Promise<CallsAnswer> => {
    const id = selectUserId(path)
    const at = readParameters(asofQuery, params).asof ?? deps.now()
    const data = await deps.archive.selectCalls(id, { at })
    if (!data) throw hasNotRated()
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}

export const userRecordRoute: Route = {
  kind: 'kept',
  method: 'GET',
  pattern: '/api/users/{id}/record',
  handle: async ({ deps, params, path }): Promise<RecordAnswer> => {
    const id = selectUserId(path)
    const at = readParameters(asofQuery, params).asof ?? deps.now()
    const data = await deps.archive.selectRecord(id, { at })
    if (!data) throw hasNotRated()
    return { success: true, code: 200, data, meta: toMeta(deps, at) }
  },
}

const hasNotRated = () => new AppError('not_found', 'No member of this number had rated by then.')

function selectUserId(path: RouteContext['path']): number {
  const id = path.id ?? ''
  if (USER_ID.test(id)) return Number(id)
  throw toBadRequest([{ parameter: 'id', message: 'is not a whole number' }])
}
