import { once } from 'node:events'
import { type Server, request as sendRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createTestFront, toServerOptions } from '#testing/server/front.ts'
import { createWebServer } from '../../../scripts/serve.mjs'
import type { AccessGate } from './access-gate.ts'
import { selectContext } from './request-context.ts'

type FrontOptions = NonNullable<Parameters<typeof createTestFront>[0]>
type Reached = { method: string | undefined; url: string | undefined; context: unknown }

async function serve(given: FrontOptions = {}) {
  const reached: Reached[] = []
  const options = toServerOptions(createTestFront(given), (request, response) => {
    const { id, client, url, caller } = selectContext() ?? {}
    reached.push({
      method: request.method,
      url: request.url,
      context: { id, client, url, via: caller?.via.kind },
    })
    request.resume().on('end', () => response.end('answered'))
  })
  const server = createWebServer(options)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { server, reached }
}

const portOf = (server: Server) => (server.address() as AddressInfo).port

type Sent = { method?: string; headers?: Record<string, string> }

const send = (server: Server, path: string, { method = 'GET', headers = {} }: Sent = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const options = { port: portOf(server), host: '127.0.0.1', path, method, headers }
      sendRequest({ ...options, agent: false }, (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
      })
        .on('error', reject)
        .end()
    },
  )

/** Everything that the server sends until it closes the connection. */
async function sendRaw(server: Server, text: string): Promise<string> {
  const socket = connect({ port: portOf(server), host: '127.0.0.1' })
  socket.write(text)
  let received = ''
  for await (const chunk of socket) received += String(chunk)
  return received
}

const refuseAll: AccessGate = async (_request, response) => {
  response.writeHead(401, { 'content-length': 0 }).end()
  return null
}

it.each([
  ['/ratings', '/', '/ratings'],
  ['/ratings/', '/', '/ratings'],
  ['/ratings?rating=1', '/?rating=1', '/ratings?rating=1'],
  ['/ratings/api/ratings/5', '/api/ratings/5', '/ratings/api/ratings/5'],
])('hands on %s with its base path, and answers it as %s', async (path, ours, framework) => {
  const { server, reached } = await serve({ basePath: '/ratings' })
  expect((await send(server, path)).text).toBe('answered')
  expect(reached).toMatchObject([{ url: framework, context: { url: ours, via: 'open' } }])
})

it.each(['/symbols', '/api/health', '/ratingsx', '/_next/static/x.js'])(
  'answers 404 when %s is outside the base path',
  async (path) => {
    const { server, reached } = await serve({ basePath: '/ratings' })
    expect((await send(server, path)).status).toBe(404)
    expect(reached).toEqual([])
  },
)

it('gives every request an id, and takes over the id of a proxy', async () => {
  const { server, reached } = await serve()
  const sent = await send(server, '/api/status', { headers: { 'x-request-id': 'from-a-proxy' } })
  expect(sent.headers['x-request-id']).toBe('from-a-proxy')
  const forged = await send(server, '/api/status', { headers: { 'x-request-id': 'x"} {"' } })
  expect(forged.headers['x-request-id']).toMatch(/^[0-9a-f]{18}$/)
  expect(reached.map(({ context }) => context)).toMatchObject([
    { id: 'from-a-proxy', client: '127.0.0.1' },
    { id: forged.headers['x-request-id'] },
  ])
})

it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'])(
  'refuses %s for pages and files',
  async (method) => {
    const { server, reached } = await serve()
    for (const path of ['/', '/users?x=1', '/sign-in', '/_next/static/a.js', '/favicon.ico']) {
      const { status, headers } = await send(server, path, { method })
      expect([status, headers.allow], path).toEqual([405, 'GET, HEAD'])
    }
    expect(reached).toEqual([])
  },
)

it.each(['TRACE', 'PROPFIND', 'QUERY'])('refuses %s for data as JSON', async (method) => {
  const { server, reached } = await serve()
  const { status, headers, text } = await send(server, '/api/sync', { method })
  expect([status, headers.allow]).toEqual([405, 'POST'])
  expect(JSON.parse(text)).toMatchObject({ success: false, code: 405 })
  expect(reached).toEqual([])
})

it('refuses with a page when a browser asks for a page', async () => {
  const { server } = await serve()
  const { status, headers, text } = await send(server, '/a//b', {
    headers: { accept: 'text/html' },
  })
  expect([status, headers['content-type']]).toEqual([400, 'text/html; charset=utf-8'])
  expect(text).toContain('<h1>This request was not accepted</h1>')
  expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/)
})

it('asks for a body only when the request was admitted', async () => {
  const upload =
    'PUT /api/prices/a.csv HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n'
  const admitted = await serve()
  expect(await sendRaw(admitted.server, `${upload}ab`)).toMatch(
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/,
  )
  const refused = await serve({ gate: refuseAll })
  expect(await sendRaw(refused.server, `${upload}ab`)).toMatch(/^HTTP\/1\.1 401/)
  expect(refused.reached).toEqual([])
})

const CLOSE = 'Connection: close'
const line = (start: string, ...headers: string[]) =>
  [start, 'Host: a', ...headers, '', ''].join('\r\n')
const ASKED = 'GET /api/ratings HTTP/1.1'

it.each([
  ['pipelined requests', line(ASKED) + line(ASKED) + line(ASKED, CLOSE), [401, 401, 401]],
  ['an unknown expectation', line(ASKED, 'Expect: something', CLOSE), [401]],
  ['an upgrade to HTTP/2', line(ASKED, CLOSE, 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk'), [401]],
  ['an upgrade to a web socket', line('GET /_next/hmr HTTP/1.1', CLOSE, 'Upgrade: x'), [401]],
  ['CONNECT', line('CONNECT 127.0.0.1:1 HTTP/1.1'), []],
  ['OPTIONS *', line('OPTIONS * HTTP/1.1', CLOSE), [400]],
  ['an absolute address', line('GET http://a/api/ratings HTTP/1.1', CLOSE), [401]],
  ['TRACE', line('TRACE /api/ratings HTTP/1.1', CLOSE), [401]],
  ['HTTP/1.0', line('GET /api/ratings HTTP/1.0'), [401]],
  ['HTTP/1.0 without a host', 'GET /api/ratings HTTP/1.0\r\n\r\n', [421]],
  ['HTTP/0.9', 'GET /api/ratings\r\n\r\n', [421]],
])('refuses %s, or closes the connection', async (_what, text, expected) => {
  const { server, reached } = await serve({ gate: refuseAll, allowedHosts: ['a'] })
  const received = await sendRaw(server, text)
  expect(
    Array.from(received.matchAll(/HTTP\/1\.1 (\d+)/g), ([, status]) => Number(status)),
  ).toEqual(expected)
  expect(reached).toEqual([])
})

it.each([
  ['HTTPS', 'X-Forwarded-Proto: http\r\nX-Forwarded-Proto: HTTPS', true],
  ['http', 'X-Forwarded-Proto: https\r\nX-Forwarded-Proto: http', false],
])(
  'counts %s when it is the last of a repeated X-Forwarded-Proto',
  async (_last, sent, isHttps) => {
    const { server } = await serve({ hstsSeconds: 600, isProxy: () => true })
    const head = `GET /api/status HTTP/1.1\r\nHost: a\r\nConnection: close\r\n${sent}\r\n\r\n`
    expect(/^strict-transport-security: /im.test(await sendRaw(server, head))).toBe(isHttps)
  },
)

const head = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n')
const cookiesOf = (length: number) => `Cookie: other=${'x'.repeat(length)}`
const REASON = 'delete the cookies of this host, then reload'

describe('headers of 33 kB and more', () => {
  it.each([
    ['a page', '/symbols', 'Accept: text/html,*/*', 'text/html'],
    ['JSON', '/api/ratings', 'Accept: */*', 'application/json'],
    ['text', '/symbols', 'Accept: */*', 'text/plain'],
  ])('are refused with %s that says the way out', async (_what, path, accept, type) => {
    const { server, reached } = await serve()
    for (const length of [33_000, 60_000, 300_000]) {
      const text = await sendRaw(server, head(path, accept, cookiesOf(length)))
      expect(text).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/)
      expect(text).toContain(`content-type: ${type}; charset=utf-8\r\n`)
      expect(text).toContain(REASON)
      const [lines = '', body = ''] = text.split('\r\n\r\n')
      expect(/content-length: (\d+)/.exec(lines)?.[1]).toBe(String(Buffer.byteLength(body)))
      if (type === 'application/json') {
        expect(JSON.parse(body)).toMatchObject({ code: 431, error: { type: 'headers_too_large' } })
      }
    }
    expect(reached).toEqual([])
  })

  it('are refused with a page when they arrive in parts', async () => {
    const { server } = await serve()
    const socket = connect({ port: portOf(server), host: '127.0.0.1', noDelay: true })
    const parts = [head('/', 'Accept: text/html').slice(0, -2), 'Cookie: a=', 'x'.repeat(40_000)]
    for (const part of parts) {
      await new Promise((resolve) => socket.write(part, resolve))
    }
    let text = ''
    for await (const chunk of socket) text += String(chunk)
    expect(text).toContain('content-type: text/html; charset=utf-8\r\n')
    expect(text).toContain(REASON)
  })

  it('end the connection without a word when a response has begun', async () => {
    const { server } = await serve({
      answer: (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/csv' })
        response.write('begun')
      },
    })
    const socket = connect({ port: portOf(server), host: '127.0.0.1' })
    socket.on('error', () => {})
    socket.write(head('/api/ratings.csv'))
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (text.includes('begun')) socket.write(head('/', cookiesOf(33_000)))
    })
    await once(socket, 'close')
    expect(text).toContain('begun')
    expect(text).not.toContain('431')
  })
})

it.each([
  ['an unknown version', 'GET / HTTP/7.0\r\n\r\n'],
  ['a header without a name', 'GET / HTTP/1.1\r\nHost: a\r\n: x\r\n\r\n'],
])('answers 400 when a request has %s', async (_what, sent) => {
  const { server } = await serve()
  expect(await sendRaw(server, sent)).toBe('HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\n')
})

it('answers a failure of its own, and reports it', async () => {
  const errors: unknown[] = []
  const { server } = await serve({
    answer: async () => {
      throw new Error('broken')
    },
    onError: (error, path) => errors.push([String(error), path]),
  })
  const { status, text } = await send(server, '/api/status?secret=1')
  expect(status).toBe(500)
  expect(text).not.toContain('broken')
  expect(errors).toEqual([['Error: broken', '/api/status']])
})
