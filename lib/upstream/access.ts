import { AppError } from '#lib/contract/faults.ts'
import { MASK_BYTE, MASK_LENGTH_MIN } from '#lib/contract/masked-key.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

export type Endpoint = { kind: 'page'; page: number } | { kind: 'dump'; dump: DumpKind }

export type Access = { baseUrl: URL; key: string; keyIn: 'query' | 'header' }

const PATHS = {
  page: '/api/v1/posts',
  posts: '/api/v1/posts/dumps',
  lookups: '/api/v1/lookups/dumps',
}

type KeyedRequest = { endpoint: Endpoint; headers?: Record<string, string> }

/** The only place that joins the address and the key. */
export function toRequest(
  { endpoint, headers: more }: KeyedRequest,
  access: Access,
  signal: AbortSignal,
) {
  const url = toPlainUrl(access.baseUrl)
  const path = PATHS[endpoint.kind === 'page' ? 'page' : endpoint.dump]
  url.pathname = url.pathname.replace(/\/$/, '') + path
  const headers = new Headers({
    accept: endpoint.kind === 'page' ? 'application/json' : 'text/csv',
    'user-agent': 'bellwether',
    ...more,
  })
  if (access.keyIn === 'query') url.searchParams.set('api_key', access.key)
  else headers.set('authorization', `Bearer ${access.key}`)
  if (endpoint.kind === 'page') url.searchParams.set('page', String(endpoint.page))
  return new Request(url, { headers, signal, redirect: 'manual' })
}

/** Without userinfo, query, fragment and trailing slash. */
export function toPlainUrl(baseUrl: URL): URL {
  const url = new URL(baseUrl)
  url.username = ''
  url.password = ''
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}

/**
 * Throws AppError `internal` for a key that no header can carry: the platform's error would include
 * it.
 */
export function assertSendable({ key, keyIn }: Access): void {
  if (keyIn === 'query' || /^[\x21-\x7e]+$/.test(key)) return
  throw new AppError('internal', 'The key contains characters that are invalid in a header.')
}

export type KeyFinder = {
  isIn(bytes: Uint8Array): boolean
  beginMask(): KeyMask
}

/** Masks a repeated key with `MASK_BYTE`, keeping the length. */
type KeyMask = {
  push(piece: Uint8Array): Uint8Array
  end(): Uint8Array
}

// Shorter keys occur in ordinary text by chance.
const SHORTEST_KEY = MASK_LENGTH_MIN

const ESCAPES = ['%', '\\', '&'].map((sign) => Buffer.from(sign))

const ESCAPED_MAX = 12

/** A service that echoes a wrong key must not expose it. Finds it escaped, in base64 or in hex. */
export function createKeyFinder(key: string): KeyFinder {
  if (key.length < SHORTEST_KEY) return { isIn: () => false, beginMask: () => NO_MASK }
  const needles = toPlainForms(key).map((form) => Buffer.from(form))
  const pattern = toEscapedPattern(key)
  const overlap = ESCAPED_MAX * Buffer.byteLength(key)
  const maskIn = (bytes: Buffer): boolean => {
    // The pattern search is a hundred times slower: skipped without an escape character.
    const isEscaped = ESCAPES.some((sign) => bytes.includes(sign)) && maskPattern(bytes, pattern)
    return maskNeedles(bytes, needles) || isEscaped
  }
  return {
    isIn: (bytes) => maskIn(Buffer.from(bytes)),
    beginMask() {
      let held = Buffer.alloc(0)
      return {
        push(piece) {
          const bytes = Buffer.concat([held, piece])
          maskIn(bytes)
          const given = Math.max(0, bytes.length - overlap)
          held = Buffer.from(bytes.subarray(given))
          return bytes.subarray(0, given)
        },
        end: () => held,
      }
    },
  }
}

export const joinKeyFinders = (one: KeyFinder, other: KeyFinder): KeyFinder => ({
  isIn: (bytes) => one.isIn(bytes) || other.isIn(bytes),
  beginMask() {
    const [first, second] = [one.beginMask(), other.beginMask()]
    return {
      push: (piece) => second.push(first.push(piece)),
      end: () => Buffer.concat([second.push(first.end()), second.end()]),
    }
  },
})

const NO_MASK: KeyMask = { push: (piece) => piece, end: () => Buffer.alloc(0) }

function maskNeedles(bytes: Buffer, needles: readonly Buffer[]): boolean {
  let found = false
  for (const needle of needles) {
    for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at)) {
      bytes.fill(MASK_BYTE, at, at + needle.length)
      found = true
    }
  }
  return found
}

function maskPattern(bytes: Buffer, pattern: RegExp): boolean {
  let found = false
  for (const { 0: text, index } of bytes.toString('latin1').matchAll(pattern)) {
    bytes.fill(MASK_BYTE, index, index + text.length)
    found = true
  }
  return found
}

function toPlainForms(key: string): string[] {
  const bytes = Buffer.from(key)
  const hex = bytes.toString('hex')
  const forms = [key, key.toLowerCase(), key.toUpperCase(), hex, hex.toUpperCase()]
  return [...new Set([...forms, ...toBase64Cores(bytes)])]
}

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
      `\\\\*${[...Buffer.from(character)].map(toLiteral).join('')}`,
      percent,
      ...json,
      `&(?:amp;)*#0*${code};?`,
      `&(?:amp;)*#x0*${hex};?`,
      ...(named === undefined ? [] : [named]),
    ].join('|')})`
  })
  return new RegExp(characters.join(''), 'giu')
}

const toLiteral = (byte: number) =>
  String.fromCharCode(byte).replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
