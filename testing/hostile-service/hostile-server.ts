import { once } from 'node:events'
import { createServer, type IncomingMessage, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { listenOnLoopback } from '#testing/loopback.ts'
import { type Pause, toPieces } from './faults.ts'
import { createHostileService, type HostileService, type Planned } from './hostile-service.ts'
import type { ServiceScript } from './service-script.ts'

export type HostileServer = HostileService & {
  url: string
  open(): number
  cutOff(): Promise<void>
  comeBack(): Promise<void>
  stop(): Promise<void>
}

type ServerDeps = {
  /** Seconds since 1970, fractional. */
  now: () => number
  wait?: Pause
}

const waitMs: Pause = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

export async function startHostileServer(
  { now, wait = waitMs }: ServerDeps,
  script: Partial<ServiceScript> = {},
): Promise<HostileServer> {
  const service = createHostileService({ now }, script)
  const ending = new AbortController()
  const server = createServer((incoming) => {
    const { socket } = incoming
    const gone = new AbortController()
    socket.once('close', () => gone.abort())
    const signal = AbortSignal.any([ending.signal, gone.signal])
    const planned = service.plan(toRequest(incoming))
    speak(socket, planned, { wait, signal, isHead: incoming.method === 'HEAD' })
      .catch(() => socket.destroy())
      .finally(planned.done)
  })
  let loopback = await listenOnLoopback(server)
  const { port } = loopback
  return Object.assign(service, {
    url: `http://127.0.0.1:${port}/base`,
    open: () => loopback.open(),
    cutOff: () => loopback.close(),
    async comeBack() {
      loopback = await listenOnLoopback(server, { port })
    },
    async stop() {
      ending.abort()
      await loopback.close()
    },
  })
}

const toRequest = ({ url = '/', method, headers }: IncomingMessage): Request =>
  new Request(new URL(url, 'http://hostile'), {
    method,
    headers: new Headers(
      Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
    ),
  })

type Speaking = { wait: Pause; signal: AbortSignal; isHead: boolean }

async function speak(socket: Socket, planned: Planned, how: Speaking): Promise<void> {
  const { answer, delivery } = planned
  if (delivery.start === 'reset') return void socket.resetAndDestroy()
  if (delivery.start === 'never') return await untilClosed(socket)
  const isChunked = !('content-length' in answer.headers) && delivery.framing === 'chunked'
  for (const line of toHead(planned, isChunked)) {
    if (delivery.headPause > 0) await how.wait(delivery.headPause, how.signal)
    await write(socket, line, how.signal)
  }
  if (how.isHead || answer.status === 304) return void socket.end()
  const pieces = toPieces(answer.body, delivery, how)
  for (;;) {
    const { done, value } = await pieces.next()
    if (!done) {
      await write(socket, isChunked ? toChunk(value) : value, how.signal)
      continue
    }
    if (value === 'hold') return await untilClosed(socket)
    if (value === 'reset') return await breakOff(socket, how)
    socket.end(isChunked && value === 'whole' ? '0\r\n\r\n' : '')
    return
  }
}

/** A reset discards unsent bytes: let them leave first. */
const LEAVE_MS = 50

async function breakOff(socket: Socket, { wait, signal }: Speaking): Promise<void> {
  await wait(LEAVE_MS, signal)
  socket.resetAndDestroy()
}

function toHead({ answer }: Planned, isChunked: boolean): string[] {
  const { status, headers } = answer
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  if (isChunked) lines.push('transfer-encoding: chunked')
  const first = `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? 'Unknown'}`
  return [first, ...lines, 'connection: close', ''].map((line) => `${line}\r\n`)
}

const toChunk = (bytes: Uint8Array) =>
  Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes, Buffer.from('\r\n')])

async function write(socket: Socket, bytes: string | Uint8Array, signal: AbortSignal) {
  signal.throwIfAborted()
  if (!socket.write(bytes)) await once(socket, 'drain', { signal })
}

const untilClosed = async (socket: Socket) => {
  if (!socket.destroyed) await once(socket, 'close')
}
