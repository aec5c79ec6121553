import 'server-only'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { isFromUs, sendError } from '#lib/api/respond.ts'
import { refuseMethod } from '#lib/api/select-operation.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { requirePermission } from '#lib/contract/caller.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createMcp, type McpDeps } from '#lib/mcp/create-mcp.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { requireContext, selectContext, toSender } from '#lib/server/gate/request-context.ts'
import type { Runtime } from '#lib/server/runtime/compose.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { toHandlers } from './mount.ts'

type ReadDoc = McpDeps['readDoc']

export function createMcpHandlers(readDoc: ReadDoc) {
  const handler = createHandler(readDoc)
  return toHandlers((request) => respond(request, handler))
}

async function respond(
  request: Request,
  handler: ReturnType<typeof createHandler>,
): Promise<Response> {
  try {
    requirePermission(toSender(selectContext()).caller, 'read')
    if (request.method !== 'POST') return refuseMethod(['POST'])
    if (isFromBrowser(request.headers) && !isFromUs(request.headers)) {
      throw new AppError('forbidden', 'Requests from other sites are not allowed.')
    }
    await openRuntime()
    const body = parseMessage(await request.text())
    return body instanceof Response ? body : await handler.fetch(request, { parsedBody: body })
  } catch (error) {
    return sendError(error, logProblem)
  }
}

/** Stateless: nothing is kept between requests, and nothing is pushed to clients. */
const createHandler = (readDoc: ReadDoc) =>
  createMcpHandler(async () => createMcp(toDeps(await openRuntime(), readDoc)), {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => processLog().debug('an assistant’s request failed', toLogFields(error)),
  })

function toDeps({ env, service, api }: Runtime, readDoc: ReadDoc): McpDeps {
  const context = requireContext()
  const sender = toSender(context)
  return {
    version: packageFile.version,
    toLink: (path) => context.origin.origin + withBase(path),
    isInvented: async () => service !== null && env.postsCsv === null,
    readDoc,
    onError: logProblem,
    askWith: (signal) => async (asked) => await api.answer(asked, { ...sender, signal }),
  }
}

const isFromBrowser = (headers: Headers) => headers.has('origin') || headers.has('sec-fetch-site')

/** Returns a response for anything but one JSON value. */
function parseMessage(text: string): unknown {
  try {
    const body: unknown = JSON.parse(text)
    return Array.isArray(body) ? refuse(-32_600, 'Send one message, not a batch.') : body
  } catch {
    return refuse(-32_700, 'The body is not valid JSON.')
  }
}

const refuse = (code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', error: { code, message }, id: null }, { status: 400 })

function logProblem(error: unknown): void {
  const id = selectContext()?.id ?? null
  processLog().error('an assistant’s request failed', { id, ...toLogFields(error) })
}
