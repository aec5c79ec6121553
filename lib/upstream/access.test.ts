import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import {
  anEnvelope,
  CANARY,
  listen,
  listenRaw,
  openClient,
  rejection,
} from '#testing/upstream/scripted-service.ts'
import { createEchoWatches } from './access.ts'
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
  // What a service might add around it.
  'CANARY',
]

function everythingIn(value: unknown): string {
  const parts = [inspect(value, { depth: 20, showHidden: true, getters: true }), String(value)]
  for (let error = value; error instanceof Error; error = error.cause) {
    parts.push(error.message, error.stack ?? '', JSON.stringify(error), inspect(error))
  }
  return parts.join('\n')
}

/** Everything that comes out of a client with the canary as its key: answers, errors, logs, its own look. */
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

test('the key is in no error about an answer that is broken', async () => {
  const bodies = [
    echo,
    `<html>${echo}`,
    `{"success":false,"code":401,"message":${JSON.stringify(echo)}}`,
    `{"success":false,"code":${JSON.stringify(echo)}}`,
    `{"success":${JSON.stringify(echo)},"data":[]}`,
    anEnvelope({ echo }),
    `{"${CANARY}`,
    '',
  ]
  for (const body of bodies) {
    for (const headers of [{}, { 'content-encoding': 'gzip' }, { 'content-encoding': 'br' }]) {
      const { baseUrl } = await listen((_, response) => {
        response.writeHead(200, { ...headers, 'content-type': 'application/json' }).end(body)
      })
      expectSecret(await collect({ baseUrl }))
    }
  }
  const { baseUrl } = await listen((_, response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync(`{${echo}`))
  })
  expectSecret(await collect({ baseUrl }))
})

test('an answer that repeats the key, even across its pieces, is no answer', async () => {
  for (const form of [CANARY, encodeURIComponent(CANARY), JSON.stringify(CANARY).slice(1, -1)]) {
    const bytes = Buffer.from(`id,symbol\r\n1,unknown key ${form}\r\n`)
    for (let cut = 20; cut < bytes.length; cut += 3) {
      const pieces = [bytes.subarray(0, cut), bytes.subarray(cut)]
      const stream = () =>
        new ReadableStream({
          start(controller) {
            for (const piece of pieces) controller.enqueue(piece)
            controller.close()
          },
        })
      const { upstream } = await openClient({
        baseUrl: new URL('http://in.process'),
        transport: async () =>
          new Response(stream(), { headers: { etag: `"${encodeURI(form)}"` } }),
      })
      const whole = async () => {
        for await (const _ of (await upstream.fetchDump('posts')).body);
      }
      expect(await rejection(whole())).toMatchObject({ fault: 'upstream_contract' })
    }
  }
  const { baseUrl } = await listen((_, response) => response.end(anEnvelope([`x ${CANARY}`])))
  expectSecret(await collect({ baseUrl }))
})

test('the key is in no error about a connection', async () => {
  const scripts = [
    (write: (text: string) => void) => write(echo),
    (write: (text: string) => void) => write(`HTTP/1.1 200 ${CANARY}\r\n${CANARY}\r\n\r\n`),
    (write: (text: string) => void) => write(`HTTP/1.1 999 X\r\nContent-Length: 0\r\n\r\n`),
    (write: (text: string) => void) => write(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(40_000)}\r\n\r\n`),
    () => {},
  ]
  for (const script of scripts) {
    const { baseUrl } = await listenRaw((socket) => {
      script((text) => void socket.end(text))
    })
    const timeLimits = { headersMs: 30, callMs: 60 }
    expectSecret(await collect({ baseUrl, timeLimits }))
  }
  const reset = await listenRaw((socket) => void socket.resetAndDestroy())
  expectSecret(await collect({ baseUrl: reset.baseUrl }))
  for (const address of ['http://127.0.0.1:9', 'http://a.invalid', 'https://127.0.0.1:9']) {
    expectSecret(await collect({ baseUrl: new URL(address) }))
  }
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
  const begin = createEchoWatches(AWKWARD)
  const bytes = Buffer.from(`{"message":"unknown key ${text}"}`)
  for (let cut = 0; cut <= bytes.length; cut += 1) {
    const watch = begin()
    const found = [bytes.subarray(0, cut), bytes.subarray(cut)].map(watch)
    expect(found, String(cut)).toContain(true)
  }
})

test('what only resembles a key is none', () => {
  const watch = createEchoWatches(AWKWARD)()
  const text = `${AWKWARD.slice(0, -1)} %43anary &#67;anary \\u0043 ${AWKWARD.replace('!', '?')}`
  expect(watch(Buffer.from(text))).toBe(false)
})
