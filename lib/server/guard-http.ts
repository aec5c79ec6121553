import 'server-only'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { nameRequest, REQUEST_ID } from './request-id.ts'
import { processTraffic } from './traffic.ts'

/** Open connections, idle ones among them; one more is closed at once, so that files can still be opened. */
const CONNECTIONS_MAX = 8000
const HEADERS_TIMEOUT_MS = 15_000

type Started = { request: IncomingMessage; response: ServerResponse; server: Server }

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Sees each request of this process before the framework does, which answers some with a 500 or a page of its own
 * where ours would say 405 or 404 in the one shape. Names each request, and bounds what open connections may cost.
 */
export function guardHttp(): void {
  const bounded = new WeakSet<Server>()
  channel('http.server.request.start').subscribe((message) => {
    const { request, response, server } = message as Started
    const id = nameRequest(request)
    response.setHeader(REQUEST_ID, id)
    processTraffic().begin(request, response, { server, id })
    makeUsual(request)
    if (bounded.has(server)) return
    bounded.add(server)
    bound(server)
  })
}

function bound(server: Server): void {
  server.maxConnections = CONNECTIONS_MAX
  server.headersTimeout = HEADERS_TIMEOUT_MS
  // Only the development server has something to upgrade to; the other would keep the connection for ever.
  if (process.env.NODE_ENV === 'development') return
  server.on('upgrade', (_request, socket: Duplex) => socket.destroy())
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
