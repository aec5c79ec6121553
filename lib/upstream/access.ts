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

/** What a key is written with where it is not written as it is. */
const ESCAPES = ['%', '\\', '&'].map((sign) => Buffer.from(sign))

/** The longest way to write one character of a key. */
const ESCAPED_MAX = 12

/**
 * Watches for the key in what a service writes: one that answers a wrong key with "unknown key …" and a 200 would
 * otherwise have it shown as a column of its dump. However it is written, as long as a reader could undo it: escaped for an
 * address, JSON or HTML, all of it or a part, in capitals or not, as base64 or in hexadecimal digits. Each call gives a watch
 * for one answer.
 */
export function createEchoWatches(key: string): () => EchoWatch {
  if (key.length < SHORTEST_KEY) return () => () => false
  const needles = toPlainForms(key).map((form) => Buffer.from(form))
  const pattern = toEscapedPattern(key)
  const overlap = ESCAPED_MAX * Buffer.byteLength(key)
  return () => {
    let tail = Buffer.alloc(0)
    return (piece) => {
      const text = Buffer.concat([tail, piece])
      tail = Buffer.from(text.subarray(Math.max(0, text.length - overlap)))
      if (needles.some((needle) => text.includes(needle))) return true
      // A dump is some gigabyte without any of these: to look for each way of writing takes a hundred times as long.
      return ESCAPES.some((sign) => text.includes(sign)) && pattern.test(text.toString('utf8'))
    }
  }
}

/** Ways to write all of a key that have no sign of their own. */
function toPlainForms(key: string): string[] {
  const bytes = Buffer.from(key)
  const hex = bytes.toString('hex')
  const forms = [key, key.toLowerCase(), key.toUpperCase(), hex, hex.toUpperCase()]
  return [...new Set([...forms, ...toBase64Cores(bytes)])]
}

/** Base64 of the key wherever it begins in a longer text: without the ends, which hold bits of what stands beside it. */
function toBase64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replace(/=+$/, '')
    const core = whole.slice(
      before === 0 ? 0 : before + 1,
      (before + bytes.length) % 3 === 0 ? undefined : -1,
    )
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')]
  })
}

const NAMED: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** A key of which any character may be escaped, in any of the usual ways, also twice. */
function toEscapedPattern(key: string): RegExp {
  const characters = [...key].map((character) => {
    const code = character.codePointAt(0) ?? 0
    const hex = code.toString(16)
    const percent = [...Buffer.from(character)]
      .map((byte) => `%(?:25)*${byte.toString(16).padStart(2, '0')}`)
      .join('')
    const json = code > 0xffff ? [] : [`\\\\+u${hex.padStart(4, '0')}`]
    const named = NAMED[character]
    return `(?:${[
      `\\\\*${toLiteral(character)}`,
      percent,
      ...json,
      `&(?:amp;)*#0*${code};?`,
      `&(?:amp;)*#x0*${hex};?`,
      ...(named === undefined ? [] : [named]),
    ].join('|')})`
  })
  return new RegExp(characters.join(''), 'iu')
}

const toLiteral = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
