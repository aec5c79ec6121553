import 'server-only'
import { setTimeout as sleepMs } from 'node:timers/promises'
import { selectPermission } from '#lib/access/route-permissions.ts'
import type { Respond } from '#lib/api/endpoint.ts'
import { sendError, sendFailure, sendNow } from '#lib/api/respond.ts'
import type { HealthAnswer } from '#lib/contract/answers/status.ts'
import { toOwnPath } from '#lib/contract/base-path.ts'
import { type RequiredPermission, requirePermission } from '#lib/contract/caller.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { type Env, processEnv } from '#lib/server/environment/env.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { selectContext, toSender } from '#lib/server/gate/request-context.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'

type Handler = (request: Request) => Promise<Response>

/** Every method, so that a wrong one gets our 405. */
export const toHandlers = (handler: Handler) => ({
  GET: handler,
  HEAD: handler,
  POST: handler,
  PUT: handler,
  PATCH: handler,
  DELETE: handler,
  OPTIONS: handler,
})

export const answerApi: Handler = async (request) =>
  (await answerProbe(request)) ??
  (await guarded(({ api }) => api.respond(request, toSender(selectContext()))))

export const apiHandlers = toHandlers(answerApi)

export const answerWith =
  (respond: Respond): Handler =>
  (request) =>
    guarded(({ api }) => {
      const permission = requireRoutePermission(request)
      return api.respondWith(request, { permission, respond }, toSender(selectContext()))
    })

/** For routes that ask neither the API nor `access`. */
export const permitted =
  (handler: Handler): Handler =>
  async (request) => {
    try {
      requirePermission(toSender(selectContext()).caller, requireRoutePermission(request))
    } catch (error) {
      return sendFailure(toAppError(error))
    }
    return await handler(request)
  }

function requireRoutePermission({ url, method }: Request): RequiredPermission {
  const permission = selectPermission(toOwnPath(new URL(url).pathname), method)
  if (permission === null) throw new AppError('not_found', 'No such address.')
  return permission
}

export function toListing(respond: (env: Env | null) => Respond) {
  const parsed = processEnv()
  return toHandlers(answerWith(respond(parsed.ok ? parsed.env : null)))
}

async function guarded(
  answer: (runtime: Awaited<ReturnType<typeof openRuntime>>) => Promise<Response>,
): Promise<Response> {
  try {
    return await answer(await openRuntime())
  } catch (error) {
    return sendError(error, (unknown) => {
      const id = selectContext()?.id ?? null
      processLog().error('a request failed', { id, ...toLogFields(unknown) })
    })
  }
}

const PATIENCE_MS = 500

/** Answers a liveness probe while the runtime is not open. Null otherwise. */
async function answerProbe({ url }: Request): Promise<Response | null> {
  const { pathname, searchParams } = new URL(url)
  if (!pathname.endsWith('/api/health') || searchParams.get('probe') !== 'live') return null
  if (!selectContext()) return null
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
