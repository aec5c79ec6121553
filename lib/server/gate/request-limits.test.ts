import { request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestFront, toServerOptions } from '#testing/server/front.ts'
import { createWebServer } from '../../../scripts/serve.mjs'
import { isAllowedHost } from './request-limits.ts'

let server: Server

beforeAll(async () => {
  const front = createTestFront({
    allowedHosts: ['127.0.0.1'],
    hstsSeconds: 600,
    isProxy: () => true,
  })
  const options = toServerOptions(front, (incoming, response) => {
    incoming.resume().on('end', () => response.end('answered'))
  })
  server = createWebServer(options)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
afterAll(() => void server.close())

type TestRequest = { method?: string; headers?: Record<string, string>; body?: string }
type TestResponse = { status: number; headers: Record<string, unknown>; body: string }

const send = (path: string, { method = 'GET', headers = {}, body }: TestRequest = {}) =>
  new Promise<TestResponse>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const asked = request(
      { port, host: '127.0.0.1', method, path, headers, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, body: text }),
        )
      },
    )
    asked.on('error', reject).end(body)
  })

const OPEN = [
  ['an address of 8,192 characters', `/?q=${'x'.repeat(8188)}`, {}],
  ['200 parameters', `/?${'a&'.repeat(199)}a`, {}],
  ['a price file of more', '/api/prices/a.csv', { method: 'PUT', body: 'x'.repeat(65_537) }],
  ['a message of 64 KiB to /mcp', '/mcp', { method: 'POST', body: 'x'.repeat(65_536) }],
  ['a body of 64 KiB', '/api/sync', { method: 'POST', body: 'x'.repeat(65_536) }],
  ['a search for __proto__', '/?q=__proto__&x=%5F_proto__', {}],
  ['its own page', '/api/facets', { headers: { 'sec-fetch-site': 'same-origin' } }],
  ['an address typed by hand', '/api/v1/posts', { headers: { 'sec-fetch-site': 'none' } }],
  ['a program', '/api/v1/posts?page=2', {}],
  [
    'a link on another site',
    '/api/ratings.csv',
    { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } },
  ],
  [
    'a frame on another site',
    '/embed/symbols/AAPL',
    { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' } },
  ],
  [
    'a picture on another site',
    '/api/previews/symbols/AAPL.png',
    { headers: { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' } },
  ],
] as const

it.each(OPEN)('%s is answered', async (_what, path, sent) => {
  expect(await send(path, sent)).toMatchObject({ status: 200, body: 'answered' })
})

const CROSS = { 'sec-fetch-site': 'cross-site' }
const NAVIGATE = { 'sec-fetch-mode': 'navigate' }

const LARGE = { method: 'PUT', headers: { 'content-length': String(2 ** 28 + 1) } }

const REFUSED = [
  ['another host', '/', { headers: { host: 'evil.example' } }, 421],
  ['an address of 8,193 characters', `/?q=${'x'.repeat(8189)}`, {}, 414],
  ['201 parameters', `/api/health?${'a&'.repeat(200)}a`, {}, 400],
  ['3,900 parameters', `/api/health?${'a&'.repeat(3900)}`, {}, 400],
  ['a parameter named __proto__', '/api/ratings?page=1&__proto__=2', {}, 400],
  ['a parameter named __proto__ in another spelling', '/api/ratings?%5f_proto_%5F', {}, 400],
  ['a parameter named __proto__ of a page', '/?__proto__=1', {}, 400],
  ['no path', '*', { method: 'OPTIONS' }, 400],
  ['a longer body', '/api/sync', { method: 'POST', body: 'x'.repeat(65_537) }, 413],
  ['10 MB to /mcp', '/mcp', { method: 'POST', body: 'x'.repeat(10_000_000) }, 413],
  ['a call from a different site', '/mcp', { method: 'POST', headers: CROSS }, 403],
  ['a larger price file', '/api/prices/a.csv', LARGE, 413],
  ['another body there', '/api/prices/a.csv', { method: 'POST', body: 'x'.repeat(65_537) }, 413],
  ['a body of a page', '/symbols', { method: 'POST', body: 'x'.repeat(65_537) }, 413],
  [
    'a body of no length',
    '/',
    { method: 'POST', headers: { 'transfer-encoding': 'chunked' } },
    411,
  ],
  ['a fetch from another site', '/api/facets', { headers: CROSS }, 403],
  ['a fetch from a neighbor', '/api/facets', { headers: { 'sec-fetch-site': 'same-site' } }, 403],
  [
    'a form of another site',
    '/api/sync',
    { method: 'POST', headers: { ...CROSS, ...NAVIGATE } },
    403,
  ],
  ['a link that spends', '/api/v1/posts?page=9', { headers: { ...CROSS, ...NAVIGATE } }, 403],
  [
    'a link that signs somebody in',
    '/api/access/oidc?next=/',
    { headers: { ...CROSS, ...NAVIGATE } },
    403,
  ],
] as const

it.each(REFUSED)('%s is refused at once', async (_what, path, sent, status) => {
  const refused = await send(path, sent)
  expect(refused.status).toBe(status)
  expect(refused.headers).toMatchObject({
    connection: 'close',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  })
  if (/^\/(?:api|mcp)\b/.test(path)) {
    expect(JSON.parse(refused.body)).toMatchObject({ success: false, code: status })
  } else expect(refused.body).toMatch(/^[A-Z].*\.\n$/)
})

it('what is answered and what is refused tell a browser alike to come by https only', async () => {
  const headers = { 'x-forwarded-proto': 'https' }
  for (const path of ['/', `/?q=${'x'.repeat(9000)}`]) {
    const told = await send(path, { headers })
    expect(told.headers['strict-transport-security']).toBe('max-age=600')
    expect((await send(path)).headers['strict-transport-security']).toBeUndefined()
  }
})

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

it.each(['localhost:3000', '127.0.0.1', '[::1]:3000', 'LOCALHOST'])('%s is served', (host) => {
  expect(isAllowedHost(LOOPBACK, host)).toBe(true)
})

it.each(['evil.example', 'localhost.evil.example', '', 'evil.example:3000', null])(
  'a request for %j is not served on loopback',
  (host) => {
    expect(isAllowedHost(LOOPBACK, host)).toBe(false)
  },
)
