import { noQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'

/** Nobody on the way may keep it, compress it (which would hold it back), or gather it up. */
const HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

export const eventsRoute: Route = {
  kind: 'raw',
  method: 'GET',
  pattern: '/api/events',
  handle: async ({ deps, params, request }) => {
    readParameters(noQuery, params)
    if (request.method === 'HEAD') return new Response(null, { headers: HEADERS })
    const body = await deps.events.open(request.headers.get('last-event-id'))
    return new Response(body, { headers: HEADERS })
  },
}
