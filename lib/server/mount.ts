import 'server-only'
import { setTimeout as sleepMs } from 'node:timers/promises'
import type { Endpoint, RawEndpoint } from '#lib/api/endpoint.ts'
import { sendError, sendNow } from '#lib/api/respond.ts'
import type { HealthAnswer } from '#lib/contract/answers/status.ts'
import { type Env, processEnv } from './env.ts'
import { toLogFields } from './log.ts'
import { openRuntime, processLog } from './runtime.ts'
import { REQUEST_ID } from './traffic.ts'

type Handler = (request: Request) => Promise<Response>

/**
 * What a route file exports: every method, so that a wrong one is refused in the one shape. `first` may answer before the
 * runtime is open.
 */
export function toHandlers(
  endpoint: Endpoint | RawEndpoint,
  first: (request: Request) => Promise<Response | null> = async () => null,
) {
  const mounted = mount(endpoint)
  const handler: Handler = async (request) => (await first(request)) ?? (await mounted(request))
  return {
    GET: handler,
    HEAD: handler,
    POST: handler,
    PUT: handler,
    PATCH: handler,
    DELETE: handler,
    OPTIONS: handler,
  }
}

/** The same for what depends on whether pages may be listed. */
export function toListing(endpoint: (env: Env | null) => RawEndpoint) {
  const parsed = processEnv()
  return toHandlers(endpoint(parsed.ok ? parsed.env : null))
}

/** An endpoint of the API; whatever goes wrong has the one shape, also where the runtime is not open. */
export const mount =
  (endpoint: Endpoint | RawEndpoint): Handler =>
  async (request) => {
    try {
      const { api } = await openRuntime()
      return await api.respond(endpoint, request)
    } catch (error) {
      return sendError(error, (unknown) => {
        const id = request.headers.get(REQUEST_ID)
        processLog().error('a request failed', { id, ...toLogFields(unknown) })
      })
    }
  }

/** Whoever asks whether the process lives is not kept waiting while an archive is brought to a new version. */
const PATIENCE_MS = 500

/**
 * `GET /api/health?probe=live` where the runtime is not open: that the process answers is the answer. null for any other
 * question, and where the runtime is open: then the API knows more.
 */
export async function answerProbe(request: Request): Promise<Response | null> {
  if (new URL(request.url).searchParams.get('probe') !== 'live') return null
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
