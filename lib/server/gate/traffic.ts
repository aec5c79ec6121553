import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import 'server-only'
import { randomBytes } from 'node:crypto'
import { channel } from 'node:diagnostics_channel'
import type { Duplex } from 'node:stream'
import { CLIENT } from '#lib/api/endpoint.ts'
import { singleton } from '#lib/server/environment/singleton.ts'
import { type IsProxy, toClient } from './client-address.ts'
import type { Answerer } from './refuse.ts'

export type Answered = {
  id: string
  client: string
  method: string
  url: string
  /** 0 if the connection closed before a response. */
  status: number
  seconds: number
}

type Traffic = {
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    facts: { server: Server; id: string },
  ): void
  active(): number
  onAnswered(listener: (answered: Answered) => void): void
  /** Resolves when idle or when `signal` fires. */
  drain(signal: AbortSignal): Promise<void>
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
      const { method = 'GET', url = '/' } = request
      const client = String(request.headers[CLIENT] ?? '')
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

export const processTraffic = (): Traffic =>
  singleton('traffic', () => createTraffic(() => performance.now()))

const CONNECTIONS_MAX = 8000
const HEADERS_TIMEOUT_MS = 15_000

type Started = { request: IncomingMessage; response: ServerResponse; server: Server }

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])

/** Runs before the framework, whose 404 and 500 differ from ours. */
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
    requirePace(request, response)
    // The framework fails on unknown methods; no route has OPTIONS.
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
  // Node limits the whole request; `requirePace` limits the body.
  server.requestTimeout = 0
  // Only the development server upgrades; production would leak the connection.
  if (process.env.NODE_ENV === 'development') return
  server.on('upgrade', (_request, socket: Duplex) => socket.destroy())
}

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

/** Accepted request ids, which cannot forge log lines. */
const KNOWN = /^[\w-]{8,64}$/

export function nameRequest(request: IncomingMessage): string {
  const given = request.headers[REQUEST_ID]
  const id = typeof given === 'string' && KNOWN.test(given) ? given : randomBytes(9).toString('hex')
  request.headers[REQUEST_ID] = id
  return id
}

const PERIOD_MS = 30_000
/** 8 KiB a second. Only uploads of price files are larger. */
const PERIOD_BYTES = 30 * 8 * 1024

const TIMED_OUT = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'

type SetRepeating = (ms: number, run: () => void) => () => void

/** Every 30 seconds a body must bring 240 KiB or its end. Otherwise the client gets 408. */
export function requirePace(
  request: IncomingMessage,
  response: ServerResponse,
  repeating: SetRepeating = everyMs,
): void {
  if (!(Number(request.headers['content-length']) > 0)) return
  const { socket } = request
  let before = socket.bytesRead
  const stop = repeating(PERIOD_MS, () => {
    const bytes = socket.bytesRead - before
    before = socket.bytesRead
    if (request.complete) return stop()
    if (bytes >= PERIOD_BYTES) return
    stop()
    if (!response.headersSent) socket.write(TIMED_OUT)
    socket.destroySoon()
  })
  request.once('close', stop)
}

const everyMs: SetRepeating = (ms, run) => {
  const timer = setInterval(run, ms).unref()
  return () => clearInterval(timer)
}
