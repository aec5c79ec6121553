import type { UsersPage } from '#lib/contract/answers/users.ts'
import { asofQuery, usersQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import { readParameters, toBadRequest, toMeta, toPageInfo } from './respond.ts'
import type { ApiDeps, Route, RouteContext } from './route.ts'

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

export const userRoute = createMemberRoute('/api/users/{id}', 'selectUser')
export const userCallsRoute = createMemberRoute('/api/users/{id}/calls', 'selectCalls')
export const userRecordRoute = createMemberRoute('/api/users/{id}/record', 'selectRecord')

type MemberQuery = keyof Pick<ApiDeps['archive'], 'selectUser' | 'selectCalls' | 'selectRecord'>

/** What the archive says of one member by an instant. */
function createMemberRoute(pattern: string, select: MemberQuery): Route {
  return {
    kind: 'kept',
    method: 'GET',
    pattern,
    handle: async ({ deps, params, path }) => {
      const id = selectUserId(path)
      const at = readParameters(asofQuery, params).asof ?? deps.now()
      const data = await deps.archive[select](id, { at })
      if (!data) throw new AppError('not_found', 'No member of this number had rated by then.')
      return { success: true, code: 200, data, meta: toMeta(deps, at) }
    },
  }
}

function selectUserId(path: RouteContext['path']): number {
  const id = path.id ?? ''
  if (USER_ID.test(id)) return Number(id)
  throw toBadRequest([{ parameter: 'id', message: 'is not a whole number' }])
}
