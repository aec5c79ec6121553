import { type Server, request as sendRequest } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { createFrontServer, createTestFront } from '#testing/server/front.ts'
import type { AccessGate } from './access-gate.ts'
import { selectContext } from './request-context.ts'

type FrontOptions = NonNullable<Parameters<typeof createTestFront>[0]>
type Reached = { method: string | undefined; url: string | undefined; context: unknown }

async function serve(given: FrontOptions = {}) {
  const reached: Reached[] = []
  const server = createFrontServer(createTestFront(given), (request, response) => {
    const { id, client, url, caller } = selectContext() ?? {}
    reached.push({
      method: request.method,
      url: request.url,
      context: { id, client, url, via: caller?.via.kind },
    })
    request.resume().on('end', () => response.end('answered'))
  })
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

it('leads from the first address of the host to the base path', async () => {
  const { server } = await serve({ basePath: '/ratings' })
  expect(await send(server, '/')).toMatchObject({
    status: 307,
    headers: { location: '/ratings' },
  })
  expect((await send(server, '/', { method: 'POST' })).status).toBe(404)
})

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

it('refuses each of several pipelined requests, and those after a refusal', async () => {
  const { server, reached } = await serve({ gate: refuseAll })
  const one = 'GET /api/ratings HTTP/1.1\r\nHost: a\r\n\r\n'
  const last = one.replace('Host: a', 'Host: a\r\nConnection: close')
  const text = await sendRaw(server, one + one + last)
  expect(text.match(/HTTP\/1\.1 401/g)).toHaveLength(3)
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
