import 'server-only'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server } from 'node:http'

/** Open connections, idle ones among them; one more is closed at once. Far above what browsers need. */
const CONNECTIONS_MAX = 1000
const HEADERS_TIMEOUT_MS = 20_000

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Sees each request of this process before the framework does, which answers some with a 500 or a page of its own
 * where ours would say 405 or 404 in the one shape. Also bounds what open connections may cost.
 */
export function guardHttp(): void {
  channel('http.server.request.start').subscribe((message) => {
    const { request, server } = message as { request: IncomingMessage; server: Server }
    makeUsual(request)
    server.maxConnections = CONNECTIONS_MAX
    server.headersTimeout = HEADERS_TIMEOUT_MS
  })
}

/** A method that no route has becomes one that the framework knows and no route has; a broken % becomes a sign. */
function makeUsual(request: IncomingMessage): void {
  if (!METHODS.has(request.method ?? '')) request.method = 'OPTIONS'
  const [path = '/', ...query] = (request.url ?? '/').split('?')
  if (isDecodable(path)) return
  request.url = [path.replaceAll('%', '%25'), ...query].join('?')
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path)
    return true
  } catch {
    return false
  }
}
