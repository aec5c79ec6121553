import 'server-only'
import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import { CLIENT } from '#lib/api/endpoint.ts'
import { once } from '#lib/server/environment/once.ts'
import { type IsProxy, toClient } from './client-address.ts'
import type { Answerer } from './refuse.ts'

/** A request that has been answered, or whose asker has gone. */
export type Answered = {
  id: string
  /** The client's canonical address. */
  client: string
  method: string
  url: string
  /** 0 where the connection ended before there was one. */
  status: number
  seconds: number
}

/** The requests of this process: how many are being answered, and whoever wants to hear of each that was. */
export type Traffic = {
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    facts: { server: Server; id: string },
  ): void
  active(): number
  onAnswered(listener: (answered: Answered) => void): void
  /** Takes no new connection; resolves when nothing is being answered any more, or when `signal` fires. */
  drain(signal: AbortSignal): Promise<void>
  /** Breaks off whatever is still open. */
  cut(): void
}

const LISTENERS_MAX = 20

export function createTraffic(nowMs: () => number): Traffic {
  const servers = new Set<Server>()
  const listeners: ((answered: Answered) => void)[] = []
  let active = 0
  let onIdle = () => {}
  return {
    begin(request, response, { server, id }) {
      servers.add(server)
      active += 1
      const startedMs = nowMs()
      // As it was asked, before the framework rewrites it.
      const { method = 'GET', url = '/' } = request
      const client = String(request.headers[CLIENT] ?? '')
      // The framework listens to it as often as is usual already.
      response.setMaxListeners(LISTENERS_MAX)
      response.once('close', () => {
        active -= 1
        const status = response.headersSent ? response.statusCode : 0
        const seconds = (nowMs() - startedMs) / 1000
        for (const tell of listeners) tell({ id, client, method, url, status, seconds })
        if (active === 0) onIdle()
      })
    },
    active: () => active,
    onAnswered: (listener) => void listeners.push(listener),
    async drain(signal) {
      for (const server of servers) server.close()
      if (active === 0 || signal.aborted) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
    cut() {
      for (const server of servers) server.closeAllConnections()
    },
  }
}

/** The process's own. */
export const processTraffic = (): Traffic =>
  once('traffic', () => createTraffic(() => performance.now()))

/** Open connections, idle ones among them; one more is closed at once, so that files can still be opened. */
const CONNECTIONS_MAX = 8000
const HEADERS_TIMEOUT_MS = 15_000
/** The largest body that is taken comes in less, over any line. */
const REQUEST_TIMEOUT_MS = 30_000

type Started = { request: IncomingMessage; response: ServerResponse; server: Server }

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/**
 * Sees each request of this process before the framework does, which answers some with a 500 or a page of its own
 * where ours would say 405 or 404 in the one shape. Names each request, and bounds what open connections may cost.
 * `front` stands before whoever answers; `isProxy` tells the proxies whose word is taken. Gives what ends the guard.
 */
export function guardHttp(
  front: (answer: Answerer) => Answerer = (answer) => answer,
  isProxy: IsProxy = () => false,
): () => void {
  const bounded = new WeakSet<Server>()
  const guard = (message: unknown) => {
    const { request, response, server } = message as Started
    const id = nameRequest(request)
    response.setHeader(REQUEST_ID, id)
    request.headers[CLIENT] = toClient(request, isProxy)
    processTraffic().begin(request, response, { server, id })
    // No route has one of these methods, and the framework fails at them.
    if (!METHODS.has(request.method ?? '')) request.method = 'OPTIONS'
    if (bounded.has(server)) return
    bounded.add(server)
    bound(server)
    putBefore(server, front)
  }
  const requests = channel('http.server.request.start')
  requests.subscribe(guard)
  return () => void requests.unsubscribe(guard)
}

function bound(server: Server): void {
  server.maxConnections = CONNECTIONS_MAX
  server.headersTimeout = HEADERS_TIMEOUT_MS
  server.requestTimeout = REQUEST_TIMEOUT_MS
  // Only the development server has something to upgrade to; the other would keep the connection for ever.
  if (process.env.NODE_ENV === 'development') return
  server.on('upgrade', (_request, socket: Duplex) => socket.destroy())
}

/** Before the framework hears of this very request: whoever listens is asked anew for each. */
function putBefore(server: Server, front: (answer: Answerer) => Answerer): void {
  const listeners = server.listeners('request') as Answerer[]
  server.removeAllListeners('request')
  server.on(
    'request',
    front((request, response) => {
      for (const listener of listeners) listener.call(server, request, response)
    }),
  )
}

export const REQUEST_ID = 'x-request-id'

/** What a proxy in front may call a request: nothing that could forge a line of a log. */
const KNOWN = /^[\w-]{8,64}$/

/** Names a request: as whoever asks does, or anew. The name stands in its headers from then on. */
export function nameRequest(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID]
  const id = typeof given === 'string' && KNOWN.test(given) ? given : randomBytes(9).toString('hex')
  request.headers[REQUEST_ID] = id
  return id
}
