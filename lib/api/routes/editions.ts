import type { EditionsAnswer } from '#lib/contract/answers/editions.ts'
import { noQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'

export const editionsRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/editions',
  handle: async ({ deps, params }): Promise<EditionsAnswer> => {
    readParameters(noQuery, params)
    const posts = deps.editions.list('posts')
    const lookups = deps.editions.list('lookups')
    return { success: true, code: 200, data: { posts, lookups } }
  },
}
