import { AppError } from '#lib/contract/faults.ts'
import { MASK_BYTE, MASK_LENGTH_MIN } from '#lib/contract/masked-key.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

/** One of the specification's three endpoints (section 4). `default` is the page that comes where none is named. */
export type Endpoint = { kind: 'page'; page: number } | { kind: 'dump'; dump: DumpKind }

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
  const path = PATHS[endpoint.kind === 'page' ? 'page' : endpoint.dump]
  // An address without a path has one all the same: a slash.
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

/** Finds the key in what a service writes. */
export type KeyFinder = {
  isIn(bytes: Uint8Array): boolean
  /** For one answer. */
  beginMask(): KeyMask
}

/**
 * Takes an answer piece by piece, and gives it back with every byte of a repeated key replaced by `MASK_BYTE`: as long as it
 * was. What may be the beginning of a key is held back until more has come.
 */
export type KeyMask = {
  push(piece: Uint8Array): Uint8Array
  /** What was held back, once all has come. */
  end(): Uint8Array
}

// Shorter keys stand in ordinary text by chance.
const SHORTEST_KEY = MASK_LENGTH_MIN

/** What a key is written with where it is not written as it is. */
const ESCAPES = ['%', '\\', '&'].map((sign) => Buffer.from(sign))

/** The longest way to write one character of a key. */
const ESCAPED_MAX = 12

/**
 * A service that answers a wrong key with "unknown key …" and a 200 would otherwise have it shown as a column of its dump.
 * The key is found however it is written, as long as a reader could undo it: escaped for an address, JSON or HTML, all of it
 * or a part, in capitals or not, as base64 or in hexadecimal digits.
 */
export function createKeyFinder(key: string): KeyFinder {
  if (key.length < SHORTEST_KEY) return { isIn: () => false, beginMask: () => NO_MASK }
  const needles = toPlainForms(key).map((form) => Buffer.from(form))
  const pattern = toEscapedPattern(key)
  const overlap = ESCAPED_MAX * Buffer.byteLength(key)
  /** Says whether there was any. */
  const maskIn = (bytes: Buffer): boolean => {
    // A dump is some gigabyte without any of these: to look for each way of writing takes a hundred times as long.
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

/** Finds either of two keys. */
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

/** A key of which any character may be escaped, in any of the usual ways, also twice; a character of it is a byte. */
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
