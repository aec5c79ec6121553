import type { AlertsAnswer, TriedAnswer } from '#lib/contract/answers/alerts.ts'
import { noQuery } from '#lib/contract/api-queries.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { alertOperations } from '#lib/contract/operations/commands.ts'
import type { ApiDeps, RespondersTo } from './endpoint.ts'
import { isFromUs, readParameters, sendNow } from './respond.ts'

export const alertResponders: RespondersTo<typeof alertOperations> = {
  getAlerts: async (deps, { params }) => {
    readParameters(noQuery, params)
    return await sendReport(deps)
  },

  addAlertRule: async (deps, { params, request }) => {
    readParameters(noQuery, params)
    await deps.alerts.add(await readBody(request))
    return await sendReport(deps)
  },

  removeAlertRule: async (deps, { params, parts, request }) => {
    readParameters(noQuery, params)
    requireOurs(request)
    await deps.alerts.remove(parts.name ?? '')
    return await sendReport(deps)
  },

  tryWebhook: async ({ alerts }, { params, request }) => {
    readParameters(noQuery, params)
    const webhook = readText(await readBody(request), 'webhook')
    if (webhook === null) throw new AppError('bad_request', 'The name of a webhook is required.')
    const data = await alerts.tryOut(webhook)
    return sendNow({ success: true, code: 200, data } satisfies TriedAnswer)
  },

  sendAlertsAgain: async (deps, { params, request }) => {
    readParameters(noQuery, params)
    await deps.alerts.sendAgain(readText(await readBody(request), 'id'))
    return await sendReport(deps)
  },
}

async function sendReport({ alerts }: ApiDeps): Promise<Response> {
  return sendNow({ success: true, code: 200, data: await alerts.report() } satisfies AlertsAnswer)
}

function requireOurs({ headers }: Request): void {
  if (isFromUs(headers)) return
  throw new AppError('forbidden', 'Only a page of this dashboard may change alerts.')
}

async function readBody(request: Request): Promise<unknown> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim()
  if (type !== 'application/json') {
    throw new AppError(
      'bad_request',
      'The body must be JSON, with the content type application/json.',
    )
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
