import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

/** One of the specification's three endpoints (section 4). `default` is the page that comes where none is named. */
export type Endpoint = { kind: 'page'; page: number | 'default' } | { kind: 'dump'; dump: DumpKind }

export type Access = { baseUrl: URL; key: string; keyIn: 'query' | 'header' }

const PATHS = {
  page: '/api/v1/posts',
  posts: '/api/v1/posts/dumps',
  lookups: '/api/v1/lookups/dumps',
}

type Asked = { endpoint: Endpoint; headers?: Record<string, string> }

/** The request for an endpoint. The only place that joins the address with the key. */
export function toRequest({ endpoint, headers: more }: Asked, access: Access, signal: AbortSignal) {
  const url = toPlainUrl(access.baseUrl)
  url.pathname += PATHS[endpoint.kind === 'page' ? 'page' : endpoint.dump]
  const headers = new Headers({
    accept: endpoint.kind === 'page' ? 'application/json' : 'text/csv',
    'user-agent': 'bellwether',
    ...more,
  })
  if (access.keyIn === 'query') url.searchParams.set('api_key', access.key)
  else headers.set('authorization', `Bearer ${access.key}`)
  if (endpoint.kind === 'page' && endpoint.page !== 'default') {
    url.searchParams.set('page', String(endpoint.page))
  }
  return new Request(url, { headers, signal, redirect: 'manual' })
}

/** The base address without userinfo, query, fragment and closing slash. */
export function toPlainUrl(baseUrl: URL): URL {
  const url = new URL(baseUrl)
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/** Throws AppError `internal` for a key that no header can carry: the platform's own error would show it. */
export function assertSendable({ key, keyIn }: Access): void {
  if (keyIn === 'query' || /^[\x21-\x7e]+$/.test(key)) return
  throw new AppError('internal', 'The key holds characters that a header cannot carry.')
}

/** Says whether a piece of an answer, taken with the pieces before it, repeats the key. */
export type EchoWatch = (piece: Uint8Array) => boolean

// Shorter keys stand in ordinary text by chance.
const SHORTEST_KEY = 8

/**
 * Watches for the key in what a service writes: one that answers a wrong key with "unknown key …" and a 200 would
 * otherwise have it shown as a column of its dump. Each call gives a watch for one answer.
 */
export function createEchoWatches(key: string): () => EchoWatch {
  const forms = [key, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)]
  const needles = [...new Set(forms)].map((form) => Buffer.from(form))
  const overlap = Math.max(...needles.map((needle) => needle.length)) - 1
  if (key.length < SHORTEST_KEY) return () => () => false
  return () => {
    let tail = Buffer.alloc(0)
    return (piece) => {
      const text = Buffer.concat([tail, piece])
      tail = Buffer.from(text.subarray(Math.max(0, text.length - overlap)))
      return needles.some((needle) => text.includes(needle))
    }
  }
}
