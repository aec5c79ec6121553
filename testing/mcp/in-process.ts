import { MAY } from '#lib/api/endpoint.ts'
import { PERMISSIONS } from '#lib/contract/answers/access.ts'
import { mcpHandlers } from '#lib/server/routes/mcp.ts'
import { openAssistant } from './assistant.ts'

const ADDRESS = 'http://127.0.0.1/mcp'

/** As behind the gate: with all permissions unless `x-may` is given. */
export async function askMcp(
  input: string | URL | Request = ADDRESS,
  init: RequestInit = {},
): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('host', '127.0.0.1')
  if (!headers.has(MAY)) headers.set(MAY, PERMISSIONS.join(' '))
  const request = new Request(input, { ...init, headers })
  const method = Object.keys(mcpHandlers).find((name) => name === request.method)
  return await mcpHandlers[method as keyof typeof mcpHandlers](request)
}

/** Calls the route in process. Needs an API from `openTestApi`. */
export const openInProcess = (
  given: Partial<Pick<Parameters<typeof openAssistant>[0], 'version' | 'headers'>> = {},
) => openAssistant({ url: ADDRESS, fetch: askMcp, ...given })
