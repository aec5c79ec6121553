import 'server-only'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { sendError, sendNow } from '#lib/api/respond.ts'
import type { HealthAnswer } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { Runtime } from './create-runtime.ts'
import { toLogFields } from './log.ts'
import { isAllowedHost } from './request-policy.ts'
import { openRuntime, processLog } from './runtime.ts'
import { REQUEST_ID } from './traffic.ts'

/** The API as a route handler: the host is checked first. */
export const mountApi = async (request: Request): Promise<Response> =>
  (await answerProbe(request)) ??
  (await answerRequest(request, (house) => {
    if (!isAllowedHost(house.env.allowedHosts, request.headers.get('host'))) throw misdirected()
  }))

/** The API's answer; whatever goes wrong has the one shape, also where the house is not open. */
export async function answerRequest(
  request: Request,
  admit: (house: Runtime) => void = () => {},
): Promise<Response> {
  try {
    const house = await openRuntime()
    admit(house)
    return await house.api(request)
  } catch (error) {
    return sendError(error, (unknown) => {
      const id = request.headers.get(REQUEST_ID)
      processLog().error('a request failed', { id, ...toLogFields(unknown) })
    })
  }
}

/** A request that names a host that we do not serve: perhaps another site's name, bound to our address. */
export const misdirected = () =>
  new AppError('misdirected', 'This dashboard is not served under that host name (ALLOWED_HOSTS).')

/** Whoever asks whether the process lives is not kept waiting while an archive is brought to a new version. */
const PATIENCE_MS = 500

/**
 * `GET /api/health?probe=live` where the house is not open: that the process answers is the answer. null for any other
 * request, and where the house is open: then the API knows more.
 */
async function answerProbe(request: Request): Promise<Response | null> {
  const { pathname, searchParams } = new URL(request.url)
  if (pathname !== '/api/health' || searchParams.get('probe') !== 'live') return null
  const isOpen = await Promise.race([
    openRuntime().then(
      () => true,
      () => false,
    ),
    sleepMs(PATIENCE_MS, false, { ref: false }),
  ])
  if (isOpen) return null
  const answer: HealthAnswer = {
    success: true,
    code: 200,
    data: { live: true, ready: false, degraded: true, alarms: [] },
  }
  return sendNow(answer)
}
