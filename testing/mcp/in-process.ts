import { readMarkdown } from '#components/docs/read-docs.ts'
import { type RequestContext, runInContext } from '#lib/server/gate/request-context.ts'
import { createMcpHandlers } from '#lib/server/routes/mcp.ts'
import { createTestContext } from '#testing/server/request-context.ts'
import { openAssistant } from './assistant.ts'

const mcpHandlers = createMcpHandlers(readMarkdown)

const ADDRESS = 'http://127.0.0.1/mcp'

/** As behind the front, by default for a caller with every permission. */
export async function askMcp(
  input: string | URL | Request = ADDRESS,
  init: RequestInit = {},
  context: Partial<RequestContext> = {},
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('host', '127.0.0.1')
  const request = new Request(input, { ...init, headers })
  const method = Object.keys(mcpHandlers).find((name) => name === request.method)
  const handler = mcpHandlers[method as keyof typeof mcpHandlers]
  const origin = new URL('http://127.0.0.1')
  return await runInContext(createTestContext({ url: '/mcp', origin, ...context }), () =>
    handler(request),
  )
}

/** Calls the route in process. Needs an API from `openTestApi`. */
export const openInProcess = (
  given: Partial<Pick<Parameters<typeof openAssistant>[0], 'version' | 'headers'>> = {},
  context: Partial<RequestContext> = {},
) => openAssistant({ url: ADDRESS, fetch: (input, init) => askMcp(input, init, context), ...given })
