import 'server-only'
import { randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'

export type Answered = {
  id: string
  client: string
  method: string
  /** Without base path. */
  url: string
  /** 0 if the connection closed before a response. */
  status: number
  seconds: number
}

export type Traffic = {
  begin(
    request: IncomingMessage,
    response: ServerResponse,
    facts: { id: string; client: string },
  ): void
  active(): number
  onAnswered(listener: (answered: Answered) => void): void
  /** Resolves when idle or when `signal` fires. */
  drain(signal: AbortSignal): Promise<void>
}

const LISTENERS_MAX = 20

/** `nowMs`: monotonic. */
export function createTraffic(nowMs: () => number): Traffic {
  const listeners: ((answered: Answered) => void)[] = []
  let active = 0
  let onIdle = () => {}
  return {
    begin(request, response, { id, client }) {
      active += 1
      const startedMs = nowMs()
      const { method = 'GET', url = '/' } = request
      response.setMaxListeners(LISTENERS_MAX)
      response.once('close', () => {
        active -= 1
        const status = response.headersSent ? response.statusCode : 0
        const seconds = (nowMs() - startedMs) / 1000
        for (const notify of listeners) notify({ id, client, method, url, status, seconds })
        if (active === 0) onIdle()
      })
    },
    active: () => active,
    onAnswered: (listener) => void listeners.push(listener),
    async drain(signal) {
      if (active === 0 || signal.aborted) return
      await new Promise<void>((resolve) => {
        onIdle = resolve
        signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
  }
}

const REQUEST_ID = 'x-request-id'

/** Accepted request ids, which cannot forge log lines. */
const ACCEPTED_ID = /^[\w-]{8,64}$/

/** Takes over the id of a proxy. */
export function assignRequestId({ headers }: IncomingMessage, response: ServerResponse): string {
  const sent = headers[REQUEST_ID]
  const isAccepted = typeof sent === 'string' && ACCEPTED_ID.test(sent)
  const id = isAccepted ? sent : createId()
  response.setHeader(REQUEST_ID, id)
  return id
}

const PROCESS_ID = randomBytes(5).toString('hex')
let count = 0

/** 18 hexadecimal digits. Random bytes for each request would cost more than the rest of it. */
function createId(): string {
  count = (count + 1) % 2 ** 32
  return PROCESS_ID + count.toString(16).padStart(8, '0')
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
