import { gzipSync } from 'node:zlib'
import type { ServiceEndpoint } from './service-script.ts'

export type Fault = {
  change?: (honest: PlainAnswer, request: Request) => PlainAnswer
  delivery?: Partial<Delivery>
  afterwards?: () => void
}

/** Defaults: all endpoints, no limit. */
export type FaultScope = { on?: readonly ServiceEndpoint[]; times?: number }

export const status = (code: number, headers: Record<string, string> = {}): Fault => ({
  change: () => withHeaders(toFailureAnswer(code, 'no'), headers),
})

export const tooMany = (retryAfter: string | null): Fault =>
  status(429, retryAfter === null ? {} : { 'retry-after': retryAfter })

export const webPage = (code = 200): Fault => ({
  change: () => toAnswer(code, 'text/html', '<!doctype html><title>Welcome</title><h1>Hello</h1>'),
})

/** Status 200 with a failure in the envelope. */
export const hiddenFailure = (code: number): Fault => ({
  change: () => toFailureAnswer(code, 'no', 200),
})

export const pageOf = (data: unknown, more: Record<string, unknown> = {}): Fault => ({
  change: () => toJsonAnswer(200, { success: true, code: 200, data, ...more }),
})

export const bytes = (type: string, body: string | Uint8Array): Fault => ({
  change: () => toAnswer(200, type, body),
})

/** Null removes the content type. */
export const typed = (type: string | null): Fault => ({
  change: (honest) => {
    const { 'content-type': _, ...headers } = honest.headers
    return { ...honest, headers: type === null ? headers : { ...headers, 'content-type': type } }
  },
})

/** `location` gets the request's URL: returning it makes a loop. */
export const redirect = (location: (url: string) => string, code = 302): Fault => ({
  change: (_, { url }) => withHeaders(toFailureAnswer(code, 'there'), { location: location(url) }),
})

/** Unpacks to this many MiB. */
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

/** A truncated gzip, delivered completely. */
export const cutGzip = (share = 0.5): Fault => ({
  change: (honest) => {
    const packed = gzipSync(honest.body)
    const cut = packed.subarray(0, Math.floor(packed.length * share))
    return withHeaders(withBody(honest, cut), { 'content-encoding': 'gzip' })
  },
})

/** Bytes added to Content-Length. */
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

export const refusal = (code = 401): Fault => ({
  change: (_, request) =>
    withHeaders(toFailureAnswer(code, `unknown key ${selectKey(request)}`), {
      'x-your-key': encodeURIComponent(selectKey(request)),
    }),
})

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

export const cut = (at: Stop['at'], how: Stop['how'] = 'reset'): Fault => ({
  delivery: { stop: { at, how } },
})

export function selectKey(request: Request): string {
  const inHeader = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  return new URL(request.url).searchParams.get('api_key') ?? inHeader ?? ''
}

/**
 * Pauses in ms, `piece` in bytes. `framing` applies to a body without length. A promise in `stop`
 * resumes the body.
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

export type Pause = (ms: number, signal: AbortSignal) => Promise<void>

export type Ending = 'whole' | 'end' | 'reset' | 'hold'

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

/** Lower-case header names. `content-length` may be false. */
export type PlainAnswer = { status: number; headers: Record<string, string>; body: Uint8Array }

export function toAnswer(status: number, type: string, body: string | Uint8Array): PlainAnswer {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const headers = { 'content-type': type, 'content-length': String(bytes.byteLength) }
  return { status, headers, body: bytes }
}

export const toJsonAnswer = (status: number, body: unknown): PlainAnswer =>
  toAnswer(status, 'application/json', JSON.stringify(body))

export const toFailureAnswer = (code: number, message: string, status = code): PlainAnswer =>
  toJsonAnswer(status, { success: false, code, data: [], message })

export const withBody = (answer: PlainAnswer, body: Uint8Array): PlainAnswer => ({
  ...answer,
  headers: { ...answer.headers, 'content-length': String(body.byteLength) },
  body,
})

export const withHeaders = (answer: PlainAnswer, headers: Record<string, string>): PlainAnswer => ({
  ...answer,
  headers: { ...answer.headers, ...headers },
})
