import { noQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'
import { toStatus } from '../to-status.ts'

export const metricsRoute: Route = {
  kind: 'raw',
  method: 'GET',
  pattern: '/api/metrics',
  handle: async ({ deps, params }) => {
    readParameters(noQuery, params)
    const body = await deps.metrics.render(await toStatus(deps), deps.events.readers())
    const headers = { 'content-type': deps.metrics.contentType, 'cache-control': 'no-store' }
    return new Response(body, { headers })
  },
}
