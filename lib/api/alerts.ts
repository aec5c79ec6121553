import { toAlertsSchema } from '#lib/contract/alert-rules.ts'
import type { AlertsAnswer, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import { noQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { ApiDeps, RawEndpoint } from './endpoint.ts'
import { isFromUs, prepare, readParameters, sendNow, sendPrepared } from './respond.ts'

/** Rules, what is to be sent and what was given up; no secret. */
export const respondAlerts: RawEndpoint = {
  method: 'GET',
  respond: async (deps, { params }) => {
    readParameters(noQuery, params)
    return await sendReport(deps)
  },
}

async function sendReport({ alerts }: ApiDeps): Promise<Response> {
  return sendNow({ success: true, code: 200, data: await alerts.report() } satisfies AlertsAnswer)
}

/** Adds a rule. */
export const respondAlertRules: RawEndpoint = {
  method: 'POST',
  respond: async (deps, { params, request }) => {
    readParameters(noQuery, params)
    await deps.alerts.add(await readBody(request))
    return await sendReport(deps)
  },
}

/** Takes a rule away that was added here. */
export const respondAlertRule: RawEndpoint = {
  method: 'DELETE',
  respond: async (deps, { params, request }) => {
    readParameters(noQuery, params)
    requireOurs(request)
    await deps.alerts.remove(toName(request))
    return await sendReport(deps)
  },
}

/** Sends one message that says that nothing has happened. */
export const respondAlertTry: RawEndpoint = {
  method: 'POST',
  respond: async ({ alerts }, { params, request }) => {
    readParameters(noQuery, params)
    const webhook = readText(await readBody(request), 'webhook')
    if (webhook === null) throw new AppError('bad_request', 'The name of a webhook is needed.')
    const data = await alerts.tryOut(webhook)
    return sendNow({ success: true, code: 200, data } satisfies TriedAnswer)
  },
}

/** Puts messages that were given up into the outbox again: one by its id, or all. */
export const respondGivenUp: RawEndpoint = {
  method: 'POST',
  respond: async (deps, { params, request }) => {
    readParameters(noQuery, params)
    await deps.alerts.sendAgain(readText(await readBody(request), 'id'))
    return await sendReport(deps)
  },
}

const SCHEMA = prepare(toAlertsSchema())

/** What a file of rules may hold, for editors. */
export const respondAlertsSchema: RawEndpoint = {
  method: 'GET',
  respond: async (_deps, { params, request }) => {
    readParameters(noQuery, params)
    return sendPrepared(request, SCHEMA)
  },
}

/** Only a page of ours may change whom this process talks to. */
function requireOurs({ headers }: Request): void {
  if (isFromUs(headers)) return
  throw new AppError('forbidden', 'Only a page of this dashboard may change alerts.')
}

async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim()
  if (type !== 'application/json') {
    throw new AppError('bad_request', 'The body has to be JSON, and its content type to say so.')
  }
  requireOurs(request)
  try {
    return await request.json()
  } catch {
    throw new AppError('bad_request', 'The body is not JSON.')
  }
}

function readText(body: unknown, name: string): string | null {
  if (typeof body !== 'object' || body === null) return null
  const value: unknown = Object.getOwnPropertyDescriptor(body, name)?.value
  return typeof value === 'string' ? value : null
}

const toName = ({ url }: Request): string =>
  decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? '')
