import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import {
  anEnvelope,
  aRating,
  CANARY,
  listen,
  openClient,
  rejection,
} from '#testing/upstream/scripted-service.ts'
import { createKeyFinder, toRequest } from './access.ts'
import type { UpstreamDeps } from './client.ts'

const FORMS = [
  CANARY,
  encodeURIComponent(CANARY),
  new URLSearchParams({ k: CANARY }).toString().slice(2),
  encodeURI(CANARY),
  JSON.stringify(CANARY).slice(1, -1),
  Buffer.from(CANARY).toString('base64'),
  Buffer.from(CANARY).toString('base64url'),
  Buffer.from(CANARY).toString('hex'),
  [...CANARY].reverse().join(''),
  'CANARY',
]

test.each([
  ['https://ratings.example', 'https://ratings.example/api/v1/posts?page=0'],
  ['https://ratings.example/', 'https://ratings.example/api/v1/posts?page=0'],
  ['https://ratings.example/base', 'https://ratings.example/base/api/v1/posts?page=0'],
  ['https://ratings.example/base//', 'https://ratings.example/base/api/v1/posts?page=0'],
])('what is asked of %s has one slash before each part', (base, expected) => {
  const access = { baseUrl: new URL(base), key: 'a key', keyIn: 'header' } as const
  const endpoint = { kind: 'page', page: 0 } as const
  const { url } = toRequest({ endpoint }, access, new AbortController().signal)
  expect(url).toBe(expected)
})

function everythingIn(value: unknown): string {
  const parts = [inspect(value, { depth: 20, showHidden: true, getters: true }), String(value)]
  for (let error = value; error instanceof Error; error = error.cause) {
    parts.push(error.message, error.stack ?? '', JSON.stringify(error), inspect(error))
  }
  return parts.join('\n')
}

async function collect(overrides: Partial<UpstreamDeps> & { baseUrl: URL }): Promise<string> {
  const seen: unknown[] = []
  const read = async (made: Promise<unknown>) => {
    try {
      const value = await made
      seen.push(value)
      if (typeof value !== 'object' || value === null || !('body' in value)) return
      for await (const chunk of value.body as AsyncIterable<Uint8Array>) {
        seen.push(Buffer.from(chunk).toString())
      }
    } catch (error) {
      seen.push(error)
    }
  }
  const { upstream, logged, folder, close } = await openClient({ ...overrides, key: CANARY })
  const held = { etag: '"a"', lastModified: null }
  await read(upstream.fetchPage(1))
  await read(upstream.fetchPageIfChanged(1, held))
  await read(upstream.fetchDumpIfChanged('posts', held, { part: { ...held, bytes: 3 } }))
  await read(upstream.fetchPage(2, { signal: AbortSignal.abort() }))
  await read(upstream.fetchDump('posts'))
  await read(upstream.fetchDump('lookups'))
  seen.push(upstream.service, upstream.budget(), upstream, logged)
  await close()
  for (const name of await readdir(folder)) seen.push(await readFile(join(folder, name), 'utf8'))
  return seen.map(everythingIn).join('\n')
}

function expectSecret(text: string): void {
  for (const form of FORMS) expect(text.includes(form), form).toBe(false)
}

const echo = `${FORMS.join(' ')} <html>`

test('the key is in nothing that is thrown, logged or returned, whatever the service does with it', async () => {
  const statuses = [400, 401, 403, 404, 410, 418, 429, 500, 501, 502, 503, 504, 302, 307, 204, 206]
  for (const status of statuses) {
    const { baseUrl } = await listen((request, response) => {
      const headers = {
        location: `http://127.0.0.1:9${request.url}`,
        'retry-after': encodeURIComponent(echo),
        'content-type': encodeURIComponent(echo),
        'x-echo': request.url ?? '',
      }
      response.writeHead(status, headers).end(status === 204 ? '' : echo)
    })
    expectSecret(await collect({ baseUrl }))
  }
})

const openPieces = async (pieces: readonly Uint8Array[], headers: Record<string, string> = {}) =>
  await openClient({
    key: CANARY,
    baseUrl: new URL('http://in.process'),
    transport: async () => {
      const body = new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(piece)
          controller.close()
        },
      })
      return new Response(body, { headers })
    },
  })

const toJsonEscape = (character: string) =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

const WAYS = [CANARY, encodeURIComponent(CANARY), JSON.stringify(CANARY).slice(1, -1)]

test('a dump that repeats the key keeps its length and its rows, and holds the key nowhere, even across its pieces', async () => {
  for (const way of WAYS) {
    const bytes = Buffer.from(`id,symbol\r\n1,unknown key ${way}\r\n2,ABC\r\n`)
    for (let cut = 1; cut < bytes.length; cut += 3) {
      const etag = { etag: `"${encodeURI(way)}"` }
      const { upstream } = await openPieces([bytes.subarray(0, cut), bytes.subarray(cut)], etag)
      const { body, validators } = await upstream.fetchDump('posts')
      const pieces: Uint8Array[] = []
      for await (const piece of body) pieces.push(piece)
      const text = Buffer.concat(pieces).toString()
      expect(text).toBe(bytes.toString().replace(way, '\u007f'.repeat(Buffer.byteLength(way))))
      expect(validators.etag).toBeNull()
    }
  }
})

test('a row of a page that repeats the key comes back rejected without it, and the others come too', async () => {
  for (const way of [...WAYS, [...CANARY].map(toJsonEscape).join('')]) {
    const rows = [1, 2, 3].map((id) => aRating(id))
    const [, bad] = rows
    if (bad) bad.rating_label = 'THE-KEY'
    const body = Buffer.from(anEnvelope(rows).replace('THE-KEY', `unknown key ${way}`))
    for (const cut of [1, 300, body.length - 40]) {
      const { upstream } = await openPieces([body.subarray(0, cut), body.subarray(cut)])
      const page = await upstream.fetchPage(1)
      expect(page.rows.map(({ ok }) => ok)).toEqual([true, false, true])
      expect(page.rows[1]).toMatchObject({ reason: 'repeats the service’s key' })
      expect(JSON.stringify(page.rows[1])).toContain('unknown key [key]')
      expectSecret(everythingIn(page))
    }
  }
})

test('an answer that repeats the key beside its rows, or in place of them, is no answer', async () => {
  const note = `{"success":true,"code":200,"data":[],"note":"${CANARY}"}`
  for (const text of [note, CANARY, `"${CANARY}"`]) {
    const { upstream } = await openPieces([Buffer.from(text)])
    expect(await rejection(upstream.fetchPage(1))).toMatchObject({ fault: 'upstream_contract' })
  }
  const { baseUrl } = await listen((_, response) => response.end(anEnvelope([`x ${CANARY}`])))
  expectSecret(await collect({ baseUrl }))
})

test('the key is in no error about a transport that throws what it was given', async () => {
  const throwing: UpstreamDeps['transport'][] = [
    async (request) => {
      throw new TypeError(`Failed to parse URL from ${request.url}`)
    },
    (request) => {
      throw Object.assign(new Error(request.url), { code: 'ECONNRESET', input: request.url })
    },
    async (request) => {
      const body = new ReadableStream({ start: (controller) => controller.error(request) })
      return new Response(body)
    },
    async () => Response.error(),
  ]
  for (const transport of throwing) {
    expectSecret(await collect({ baseUrl: new URL('http://in.process'), transport }))
  }
})

const AWKWARD = "Canary/!'()~*+&<key>"
const escapeAll = (toText: (code: number) => string) =>
  [...AWKWARD].map((character) => toText(character.charCodeAt(0))).join('')
const toHex = (code: number, digits = 2) => code.toString(16).padStart(digits, '0')

test.each([
  ['as it is', AWKWARD],
  ['in capitals', AWKWARD.toUpperCase()],
  ['for an address', encodeURIComponent(AWKWARD)],
  ['for an address, each character', escapeAll((code) => `%${toHex(code)}`)],
  ['for an address, twice', encodeURIComponent(encodeURIComponent(AWKWARD))],
  ['as JSON', JSON.stringify(AWKWARD)],
  ['as JSON with its slashes escaped', JSON.stringify(AWKWARD).replaceAll('/', '\\/')],
  ['as JSON, each character', escapeAll((code) => `\\u${toHex(code, 4)}`)],
  ['as JSON within JSON', JSON.stringify(escapeAll((code) => `\\u${toHex(code, 4)}`))],
  ['as JSON, its first character only', `\\u0043${AWKWARD.slice(1)}`],
  ['for HTML', AWKWARD.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')],
  ['for HTML, each character', escapeAll((code) => `&#${code};`)],
  ['for HTML in hexadecimal digits', escapeAll((code) => `&#x${toHex(code)};`)],
  ['as base64', Buffer.from(AWKWARD).toString('base64')],
  ['as base64 behind something', Buffer.from(`x${AWKWARD}`).toString('base64')],
  ['as base64 between something', Buffer.from(`id${AWKWARD}, no`).toString('base64')],
  ['as base64 for an address', Buffer.from(`?${AWKWARD}`).toString('base64url')],
  ['in hexadecimal digits', Buffer.from(AWKWARD).toString('hex')],
])('a key that a service repeats %s is found, wherever its answer is cut', (_how, text) => {
  const finder = createKeyFinder(AWKWARD)
  const bytes = Buffer.from(`{"message":"unknown key ${text}"}`)
  expect(finder.isIn(bytes)).toBe(true)
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const mask = finder.beginMask()
    const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)].map(mask.push)
    const masked = Buffer.concat([...pieces, mask.end()]).toString()
    expect(masked, String(cut)).toHaveLength(bytes.length)
    expect(masked).toMatch(/^\{"message":"unknown key .*\u007f{8}.*\}$/)
    expect(finder.isIn(Buffer.from(masked))).toBe(false)
  }
})
