import { noQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'

/** That this answers at all means that the archive is open: before, the mount says 503 with the reason. */
export const healthRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/health',
  handle: async ({ params }) => {
    readParameters(noQuery, params)
    return { success: true, code: 200, data: { ready: true } }
  },
}
