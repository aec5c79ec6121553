import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSocketServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import type { Rating } from '#lib/contract/rating.ts'
import { openCircuitBreaker } from '#lib/upstream/circuit-breaker.ts'
import { createUpstream, type UpstreamDeps } from '#lib/upstream/client.ts'
import { createHttpTransport } from '#lib/upstream/http-transport.ts'
import { openLedger } from '#lib/upstream/ledger.ts'
import { type Loopback, listenOnLoopback } from '#testing/loopback.ts'

export const CANARY = 'CANARY+key/9=&ü?'
export const START = 1_700_000_000

type Listening = { baseUrl: URL; requests: string[] }

export async function listen(
  answer: (request: IncomingMessage, response: ServerResponse, count: number) => void,
  host = '127.0.0.1',
): Promise<Listening> {
  const requests: string[] = []
  const server = createServer((request, response) => {
    requests.push(request.url ?? '')
    answer(request, response, requests.length)
  })
  const loopback = await listenOnLoopback(server, { host })
  onTestFinished(loopback.close)
  return { baseUrl: toBaseUrl(loopback), requests }
}

export async function listenRaw(
  speak: (socket: Socket, count: number) => void,
): Promise<Listening & { open: () => number }> {
  const requests: string[] = []
  const server = createSocketServer((socket) => {
    let heard = ''
    socket.on('data', (bytes) => {
      heard += bytes.toString('latin1')
      if (!heard.includes('\r\n\r\n')) return
      requests.push(heard.split(' ')[1] ?? '')
      heard = ''
      speak(socket, requests.length)
    })
  })
  const loopback = await listenOnLoopback(server)
  onTestFinished(loopback.close)
  return { baseUrl: toBaseUrl(loopback), requests, open: loopback.open }
}

const toBaseUrl = ({ port }: Loopback) => new URL(`http://127.0.0.1:${port}/service`)

export async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'upstream-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

type ClientOptions = Partial<UpstreamDeps> & {
  baseUrl: URL
  folder?: string
  startAt?: number
}

/** Sleeps only advance the clocks. Timeouts exceed the stalls of a shared machine. */
export async function openClient({ folder, startAt = START, ...overrides }: ClientOptions) {
  const clock = { seconds: startAt, ms: 0 }
  const sleeps: number[] = []
  const logged: unknown[] = []
  const advance = (bySeconds: number) => {
    clock.seconds += bySeconds
    clock.ms += bySeconds * 1000
  }
  const transport = createHttpTransport()
  onTestFinished(() => transport.close())
  const now = () => Math.floor(clock.seconds)
  const nowMs = () => performance.now() + clock.ms
  const key = overrides.key ?? CANARY
  const dir = folder ?? (await temporaryFolder())
  const ledger = await openLedger({ file: join(dir, 'requests'), now, nowMs })
  const file = join(dir, 'pause.json')
  const breaker = await openCircuitBreaker({ file, baseUrl: overrides.baseUrl, key, now, nowMs })
  const close = async () => {
    await ledger.close().catch(() => {})
    await breaker.close()
  }
  onTestFinished(close)
  const upstream = createUpstream({
    kind: 'remote',
    key,
    keyIn: 'query',
    transport,
    ledger,
    breaker,
    limits: { perMinute: null, perMonth: null },
    now,
    nowMs,
    sleep: async (ms) => {
      sleeps.push(ms)
      advance(ms / 1000)
    },
    random: () => 0.5,
    log: (...line) => logged.push(line),
    timeLimits: {
      headersMs: 5000,
      pageMs: 9000,
      pageIdleMs: 5000,
      dumpIdleMs: 5000,
      callMs: 20_000,
    },
    ...overrides,
  })
  const setClock = (seconds: number) => {
    clock.seconds = seconds
  }
  return { upstream, ledger, sleeps, logged, now, advance, setClock, close, folder: dir }
}

export async function rejection(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise
  } catch (error) {
    return error
  }
  throw new Error('It was not rejected.')
}

export const aRating = (id: number, more: Record<string, unknown> = {}): Rating => ({
  id,
  user_id: 7,
  symbol: 'ACME',
  rating: 4,
  rating_label: 'Moderate Buy',
  action: 1,
  action_label: 'Initiated',
  prediction: '12.50',
  tally_agree: 1,
  tally_disagree: 0,
  tally_comment: 2,
  created_at: START,
  created_at_date: '2023-11-14 22:13:20',
  expired_at: null,
  expired_at_date: null,
  ...more,
})

export const anEnvelope = (data: unknown, more: Record<string, unknown> = {}): string =>
  JSON.stringify({ success: true, code: 200, data, ...more })
