import { AppError } from '#lib/contract/faults.ts'
import { noQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'

/**
 * Asks for a sync now. Only a page of ours may: a form or a script of another site can send a POST too, but not with
 * this content type without a preflight that nobody answers, and browsers say where it came from.
 */
export const syncRoute: Route = {
  kind: 'now',
  method: 'POST',
  pattern: '/api/sync',
  handle: async ({ deps, params, request }) => {
    readParameters(noQuery, params)
    const json = request.headers.get('content-type')?.split(';')[0]?.trim() === 'application/json'
    if (!json || !isOurs(request.headers)) {
      throw new AppError('forbidden', 'Only a page of this dashboard may ask for a sync.')
    }
    const { at, cost } = deps.sync.requestRun()
    return { success: true, code: 202, data: { ...deps.sync.state(), run: { at, cost } } }
  },
}

/** Over plain HTTP from another machine browsers leave Sec-Fetch-Site out; there the origin has to be our own host. */
function isOurs(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site === 'same-origin'
  const origin = headers.get('origin') ?? ''
  return URL.canParse(origin) && new URL(origin).host === headers.get('host')
}
