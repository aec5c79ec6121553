import type { DumpsAnswer } from '#lib/contract/answers/state.ts'
import { noQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'

export const dumpsRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/dumps',
  handle: async ({ deps, params }): Promise<DumpsAnswer> => {
    readParameters(noQuery, params)
    const posts = deps.editions.card('posts')
    const lookups = deps.editions.card('lookups')
    return { success: true, code: 200, data: { posts, lookups } }
  },
}
