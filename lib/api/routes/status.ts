import type { StatusAnswer } from '#lib/contract/answers/state.ts'
import { noQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'
import { toStatus } from '../to-status.ts'

export const statusRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/status',
  handle: async ({ deps, params }): Promise<StatusAnswer> => {
    readParameters(noQuery, params)
    return { success: true, code: 200, data: await toStatus(deps) }
  },
}
