import { gzipSync } from 'node:zlib'
import type { Delivery } from './delivery.ts'
import {
  type PlainAnswer,
  toAnswer,
  toFailureAnswer,
  toJsonAnswer,
  withBody,
  withHeaders,
} from './plain-answer.ts'
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
