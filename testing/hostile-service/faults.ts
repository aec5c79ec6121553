import { gzipSync } from 'node:zlib'
import type { ServiceEndpoint } from './service-script.ts'

/** One way to misbehave: another answer than the honest one, or the honest one delivered badly. */
export type Fault = {
  change?: (honest: PlainAnswer, request: Request) => PlainAnswer
  delivery?: Partial<Delivery>
  /** Called once the answer has left or the connection is gone. */
  afterwards?: () => void
}

/** `on`: these endpoints, all unless given. `times`: so many requests, unless given until it is ended. */
export type FaultScope = { on?: readonly ServiceEndpoint[]; times?: number }

/** Any status, with the envelope of a failure. */
export const status = (code: number, headers: Record<string, string> = {}): Fault => ({
  change: () => withHeaders(toFailureAnswer(code, 'no'), headers),
})

export const tooMany = (retryAfter: string | null): Fault =>
  status(429, retryAfter === null ? {} : { 'retry-after': retryAfter })

/** As of a proxy, a captive portal, or a service that shows its login. */
export const webPage = (code = 200): Fault => ({
  change: () => toAnswer(code, 'text/html', '<!doctype html><title>Welcome</title><h1>Hello</h1>'),
})

/** 200, and in the envelope that it failed. */
export const hiddenFailure = (code: number): Fault => ({
  change: () => toFailureAnswer(code, 'no', 200),
})

/** A success whose `data` is anything. */
export const pageOf = (data: unknown, more: Record<string, unknown> = {}): Fault => ({
  change: () => toJsonAnswer(200, { success: true, code: 200, data, ...more }),
})

export const bytes = (type: string, body: string | Uint8Array): Fault => ({
  change: () => toAnswer(200, type, body),
})

/** The honest answer under another type; null: under none. */
export const typed = (type: string | null): Fault => ({
  change: (honest) => {
    const { 'content-type': _, ...headers } = honest.headers
    return { ...honest, headers: type === null ? headers : { ...headers, 'content-type': type } }
  },
})

/** `location` by the request's address: to itself it is a loop. */
export const redirect = (location: (url: string) => string, code = 302): Fault => ({
  change: (_, { url }) => withHeaders(toFailureAnswer(code, 'there'), { location: location(url) }),
})

/** A small gzip that unpacks to so many MiB, which begin like JSON or like CSV. */
export function bomb(mebibytes: number): Fault {
  const size = mebibytes * 1024 * 1024
  const packed = {
    csv: toBomb('id,symbol\n', size),
    json: toBomb('{"success":true,"data":[', size),
  }
  return {
    change: (honest) => {
      const isJson = honest.headers['content-type'] === 'application/json'
      const answer = withBody(honest, isJson ? packed.json : packed.csv)
      return withHeaders(answer, { 'content-encoding': 'gzip' })
    },
  }
}

const toBomb = (start: string, size: number) =>
  gzipSync(Buffer.alloc(size, ' ').fill(start, 0, start.length))

/** A gzip that lacks its end, though every byte of it arrives. */
export const cutGzip = (share = 0.5): Fault => ({
  change: (honest) => {
    const packed = gzipSync(honest.body)
    const cut = packed.subarray(0, Math.floor(packed.length * share))
    return withHeaders(withBody(honest, cut), { 'content-encoding': 'gzip' })
  },
})

/** Says so many bytes more, or fewer where negative, than there are. */
export const lyingLength = (by: number): Fault => ({
  change: (honest) =>
    withHeaders(honest, { 'content-length': String(Math.max(0, honest.body.byteLength + by)) }),
})

export const withoutLength = (framing: Delivery['framing'] = 'chunked'): Fault => ({
  change: (honest) => {
    const { 'content-length': _, ...headers } = honest.headers
    return { ...honest, headers }
  },
  delivery: { framing },
})

/** Does not accept the key, and repeats it in a header and in the body, as some do. */
export const refusal = (code = 401): Fault => ({
  change: (_, request) =>
    withHeaders(toFailureAnswer(code, `unknown key ${selectKey(request)}`), {
      'x-your-key': encodeURIComponent(selectKey(request)),
    }),
})

/** A success that repeats the key in its body. */
export const echo = (): Fault => ({
  change: (honest, request) => {
    const key = selectKey(request)
    return honest.headers['content-type'] === 'application/json'
      ? toJsonAnswer(200, { success: true, code: 200, data: [], asked: request.url, key })
      : toAnswer(200, 'text/csv', `id,${key}\n1,${key}\n`)
  },
})

export const silence = (): Fault => ({ delivery: { start: 'never' } })
export const reset = (): Fault => ({ delivery: { start: 'reset' } })
export const slowHead = (ms: number): Fault => ({ delivery: { headPause: ms } })
export const drip = (piece: number, pause: number): Fault => ({ delivery: { piece, pause } })

type Stop = NonNullable<Delivery['stop']>

/** The body stops after so many bytes, or half way. */
export const cut = (at: Stop['at'], how: Stop['how'] = 'reset'): Fault => ({
  delivery: { stop: { at, how } },
})

/** The key as it came, in the address or in the header. */
export function selectKey(request: Request): string {
  const inHeader = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  return new URL(request.url).searchParams.get('api_key') ?? inHeader ?? ''
}

/**
 * How an answer leaves. `start`: at once, never (the connection stays open and silent), or a reset instead. `headPause`:
 * milliseconds before each line of the headers. `piece`: at most so many bytes of the body at a time, with `pause`
 * milliseconds before each. `stop`: after so many bytes of the body, or half of it, the rest never comes; `end` closes
 * the connection in good order, `reset` breaks it, `hold` leaves it open, a promise goes on once it resolves.
 * `framing`: whether a body without length comes in chunks or ends with the connection.
 */
export type Delivery = {
  start: 'now' | 'never' | 'reset'
  headPause: number
  piece: number
  pause: number
  stop: { at: number | 'half'; how: 'end' | 'reset' | 'hold' | Promise<void> } | null
  framing: 'chunked' | 'close'
}

export const PLAINLY: Delivery = {
  start: 'now',
  headPause: 0,
  piece: 65_536,
  pause: 0,
  stop: null,
  framing: 'chunked',
}

/** Waits so many milliseconds; rejects where the signal fires. */
export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export type Ending = 'whole' | 'end' | 'reset' | 'hold'

/** The pieces of a body as they leave, and how they end. */
export async function* toPieces(
  body: Uint8Array,
  { piece, pause, stop }: Delivery,
  { wait, signal }: { wait: Pause; signal: AbortSignal },
): AsyncGenerator<Uint8Array, Ending> {
  const stopAt = stop === null ? body.byteLength : toBytes(stop.at, body.byteLength)
  yield* toRun(body, { from: 0, to: stopAt })
  if (stop === null) return 'whole'
  if (typeof stop.how === 'string') return stop.how
  await stop.how
  yield* toRun(body, { from: stopAt, to: body.byteLength })
  return 'whole'

  async function* toRun(bytes: Uint8Array, { from, to }: { from: number; to: number }) {
    for (let at = from; at < to; at += piece) {
      if (pause > 0) await wait(pause, signal)
      yield bytes.subarray(at, Math.min(at + piece, to))
    }
  }
}

const toBytes = (at: number | 'half', size: number) =>
  at === 'half' ? Math.floor(size / 2) : Math.min(at, size)

/** An answer before it is sent. Header names are in lower case; `content-length` is what is said, true or not. */
export type PlainAnswer = { status: number; headers: Record<string, string>; body: Uint8Array }

export function toAnswer(status: number, type: string, body: string | Uint8Array): PlainAnswer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const headers = { 'content-type': type, 'content-length': String(bytes.byteLength) }
  return { status, headers, body: bytes }
}

export const toJsonAnswer = (status: number, body: unknown): PlainAnswer =>
  toAnswer(status, 'application/json', JSON.stringify(body))

/** The envelope of a failure, by the status that it is sent with. */
export const toFailureAnswer = (code: number, message: string, status = code): PlainAnswer =>
  toJsonAnswer(status, { success: false, code, data: [], message })

/** With other bytes, and the length of those. */
export const withBody = (answer: PlainAnswer, body: Uint8Array): PlainAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'content-length': String(body.byteLength) },
  body,
})

export const withHeaders = (answer: PlainAnswer, headers: Record<string, string>): PlainAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})
