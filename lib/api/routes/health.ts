import type { HealthAnswer } from '#lib/contract/answers/state.ts'
import { AppError } from '#lib/contract/faults.ts'
import { healthQuery } from '#lib/contract/other-queries.ts'
import { readParameters } from '../read-parameters.ts'
import type { Route } from '../route.ts'

/** A sync that was begun anew so often is not mended by beginning it anew. */
const RESTARTS_MAX = 3

const stoodStill = () =>
  new AppError('not_ready', 'The sync stood still three times: restart the process.')

/** That this answers at all means that the archive is open: before, the mount says 503 with the reason. */
export const healthRoute: Route = {
  kind: 'now',
  method: 'GET',
  pattern: '/api/health',
  handle: async ({ deps, params }): Promise<HealthAnswer> => {
    const { probe } = readParameters(healthQuery, params)
    if (probe === 'live' && deps.sync.heartbeat().restarts >= RESTARTS_MAX) throw stoodStill()
    const alarms = deps.sync.alarms()
    return {
      success: true,
      code: 200,
      data: { live: true, ready: true, degraded: alarms.length > 0, alarms },
    }
  },
}
