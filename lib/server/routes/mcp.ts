import 'server-only'
import { createMcpHandler } from '@modelcontextprotocol/server'
import { permits } from '#lib/access/permissions.ts'
import { MAY, readClient } from '#lib/api/endpoint.ts'
import { isFromUs, sendError } from '#lib/api/respond.ts'
import { refuseMethod } from '#lib/api/select-operation.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { AppError } from '#lib/contract/faults.ts'
import { createMcp, type McpDeps } from '#lib/mcp/create-mcp.ts'
import { toLogFields } from '#lib/server/environment/log.ts'
import { readMay } from '#lib/server/gate/callers.ts'
import { toPublicOrigin } from '#lib/server/gate/request-policy.ts'
import { REQUEST_ID } from '#lib/server/gate/traffic.ts'
import { readMarkdown } from '#lib/server/pages/read-docs.ts'
import type { Runtime } from '#lib/server/runtime/compose.ts'
import { openRuntime, processLog } from '#lib/server/runtime/runtime.ts'
import packageFile from '../../../package.json' with { type: 'json' }
import { toHandlers } from './mount.ts'

export const mcpHandlers = toHandlers(async (request) => {
  try {
    if (request.method !== 'POST') return refuseMethod(['POST'])
    if (isFromBrowser(request.headers) && !isFromUs(request.headers)) {
      throw new AppError('forbidden', 'Requests from other sites are not allowed.')
    }
    await openRuntime()
    const body = parseMessage(await request.text())
    return body instanceof Response ? body : await handler.fetch(request, { parsedBody: body })
  } catch (error) {
    return sendError(error, (unknown) => logProblem(request, unknown))
  }
})

/** Stateless: nothing is kept between requests, and nothing is pushed to clients. */
const handler = createMcpHandler(
  async ({ requestInfo }) => {
    if (!requestInfo) throw new Error('The request is missing.')
    return createMcp(toDeps(requestInfo, await openRuntime()))
  },
  {
    maxSubscriptions: 0,
    keepAliveMs: 0,
    onerror: (error) => processLog().debug('an assistant’s request failed', toLogFields(error)),
  },
)

function toDeps(request: Request, { env, service, api }: Runtime): McpDeps {
  const { headers } = request
  const { origin } = toPublicOrigin(env.publicUrl, headers)
  const may = headers.get(MAY) ?? ''
  const client = readClient(headers)
  return {
    version: packageFile.version,
    toLink: (path) => origin + withBase(path),
    isInvented: async () => service !== null && env.postsCsv === null,
    readDoc: readMarkdown,
    onError: (error) => logProblem(request, error),
    askWith: (signal) => async (asked) => {
      const { permission } = asked.question
      if (permission !== 'nobody' && !permits(readMay(may), permission)) {
        throw new AppError('forbidden', `This requires the permission “${permission}”.`)
      }
      return await api.answer(asked, { client, may, signal })
    },
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

function logProblem({ headers }: Request, error: unknown): void {
  const id = headers.get(REQUEST_ID)
  processLog().error('an assistant’s request failed', { id, ...toLogFields(error) })
}
