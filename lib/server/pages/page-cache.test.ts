import { readdirSync } from 'node:fs'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { anonymousCaller } from '#lib/contract/caller.ts'
import type { Next } from '#lib/server/gate/front.ts'
import { selectContext } from '#lib/server/gate/request-context.ts'
import { draws } from '#testing/draws.ts'
import { createTestFront, toServerOptions } from '#testing/server/front.ts'
import { createWebServer } from '../../../scripts/serve.mjs'
import { createPageCache } from './page-cache.ts'

type TestResponse = {
  status: number
  headers: IncomingMessage['headers']
  body: string
  raw: Buffer
}

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const toPage = (seen: string) =>
  `<!doctype html><script>hello("straße")</script><script src="/_next/static/a.js" async=""></script><p>${seen}</p>${' '.repeat(2000)}`

type Framework = { next: Next; rendered: () => number }

function createFramework(handle: Partial<Record<string, Next>> = {}): Framework {
  let rendered = 0
  return {
    rendered: () => rendered,
    next(request, response) {
      rendered += 1
      const own = handle[request.url ?? '']
      if (own) return own(request, response)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.end(toPage(`${request.method} ${request.url} ${JSON.stringify(request.headers)}`))
    },
  }
}

/** The setting that pages depend on here: `mark=…`. */
const selectSettings = (path: string, cookies: string) =>
  path === '/about' ? null : { cookie: /\bmark=[^;]*/.exec(cookies)?.[0] ?? '' }

type PageServer = {
  port: number
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<TestResponse>
  setVersion(version: string | null): void
  errors: unknown[]
}

async function startServer(framework: Framework, maxBytes = 1_000_000): Promise<PageServer> {
  let version: string | null = 'first'
  const errors: unknown[] = []
  const answer = createPageCache({
    selectSettings,
    version: () => version,
    cacheHeaders: { 'cache-control': 'public, s-maxage=10' },
    maxBytes,
    isIndexed: false,
    isDev: false,
  })
  const front = createTestFront({
    answer,
    // `may` stands for what the caller is permitted to do.
    gate: async ({ headers }) => ({
      caller: {
        ...anonymousCaller,
        name: String(headers.name ?? ''),
        permissions: headers.may === 'read' ? ['read'] : anonymousCaller.permissions,
      },
      link: null,
    }),
    onError: (error) => errors.push(error),
  })
  const server = createWebServer(toServerOptions(front, framework.next))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    port,
    errors,
    setVersion: (next) => {
      version = next
    },
    ask: (path, headers = {}, method = 'GET') =>
      new Promise((resolve, reject) => {
        const options = { port, host: '127.0.0.1', path, headers, method, agent: false }
        const asked = httpRequest(options, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () => {
            const raw = Buffer.concat(chunks)
            const isGzip = response.headers['content-encoding'] === 'gzip' && raw.byteLength > 0
            const body = (isGzip ? gunzipSync(raw) : raw).toString()
            resolve({ status: response.statusCode ?? 0, headers: response.headers, body, raw })
          })
        })
        asked.on('error', reject).end()
      }),
  }
}

describe('a cached page', () => {
  it('is rendered once for all who ask for the same, and again when the data may have changed', async () => {
    const framework = createFramework()
    const server = await startServer(framework)
    const first = await Promise.all([1, 2, 3, 4].map(() => server.ask('/')))
    expect(new Set(first.map(({ body }) => body)).size).toBe(1)
    await server.ask('/')
    expect(framework.rendered()).toBe(1)
    server.setVersion('second')
    await server.ask('/')
    await server.ask('/')
    expect(framework.rendered()).toBe(2)
    server.setVersion(null)
    await server.ask('/')
    await server.ask('/')
    expect(framework.rendered()).toBe(4)
  })

  it('depends on address, permissions and settings, and on nothing else', async () => {
    const step = fc.record({
      path: fc.constantFrom('/', '/?a=1', '/?a=1&b=2', '/symbols/AAPL', '/symbols/AAPL?x'),
      mark: fc.constantFrom('', 'mark=1', 'mark=2'),
      secret: fc.constantFrom('one', 'two'),
      may: fc.constantFrom('read', 'all'),
      version: fc.constantFrom('first', 'second', null),
      isGzip: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        let now: string | null = null
        const framework = createFramework()
        const server = await startServer({
          rendered: framework.rendered,
          next(request, response) {
            response.setHeader('x-rendered-at', String(now))
            response.setHeader('x-permissions', String(selectContext()?.caller.permissions.length))
            return framework.next(request, response)
          },
        })
        for (const { path, mark, secret, may, version, isGzip } of steps) {
          now = version
          server.setVersion(version)
          const { body, headers } = await server.ask(path, {
            may,
            name: secret,
            cookie: `session=${secret}; ${mark}`,
            'accept-encoding': isGzip ? 'gzip' : 'identity',
            'accept-language': secret === 'one' ? 'de' : 'en',
            'user-agent': secret,
            authorization: secret,
            'x-may': secret,
          })
          const host = `127.0.0.1:${server.port}`
          const seen = { host, ...(mark && { cookie: mark }) }
          expect(body).toContain(`<p>GET ${path} ${JSON.stringify(seen)}</p>`)
          expect(headers['x-rendered-at']).toBe(String(version))
          expect(headers['x-permissions']).toBe(may === 'read' ? '1' : '7')
          expect(headers.vary).toMatch(/\bCookie\b/)
        }
      }),
      { numRuns: draws(30) },
    )
  })

  it('stays when it is popular, however many addresses are requested once', async () => {
    const framework = createFramework()
    const server = await startServer(framework, 100_000)
    for (let index = 0; index < 60; index += 1) {
      await server.ask('/')
      await server.ask(`/users/${index}`)
    }
    expect(framework.rendered()).toBe(61)
    await server.ask('/users/0')
    expect(framework.rendered()).toBe(62)
  })

  it('is rendered again when it is missing, failed or lacks data', async () => {
    const cases: [number, () => void][] = [
      [404, () => {}],
      [500, () => {}],
      [
        200,
        () => {
          const context = selectContext()
          if (context) context.isComplete = false
        },
      ],
    ]
    for (const [status, meanwhile] of cases) {
      const framework = createFramework({
        '/x': (_request, response) => {
          meanwhile()
          response.writeHead(status, { 'content-type': 'text/html' }).end('<p>so</p>')
        },
      })
      const server = await startServer(framework)
      expect((await server.ask('/x')).status).toBe(status)
      expect((await server.ask('/x')).status).toBe(status)
      expect(framework.rendered()).toBe(2)
    }
  })

  it('is never a file or data, which the framework answers with the whole request', async () => {
    const server = await startServer(createFramework())
    const files = readdirSync('public').map((name) => `/${name}`)
    expect(files).toContain('/favicon.ico')
    for (const path of ['/api/status', '/_next/static/a.js', '/service/x', ...files]) {
      const { body } = await server.ask(path, { cookie: 'mine' })
      expect(body, path).toContain('mine')
    }
    for (const path of ['/api/sync', '/service/x']) {
      expect((await server.ask(path, { cookie: 'mine' }, 'POST')).body, path).toContain('mine')
    }
  })
})

describe('over HTTP', () => {
  it('only a page that is kept may be kept by caches that others share', async () => {
    const framework = createFramework({
      '/x': (_request, response) => {
        response.writeHead(404, { 'cache-control': 'private, no-cache' }).end()
      },
    })
    const server = await startServer(framework)
    expect((await server.ask('/')).headers['cache-control']).toBe('public, s-maxage=10')
    expect((await server.ask('/x')).headers['cache-control']).toBe('private, no-cache')
    expect((await server.ask('/status')).headers['cache-control']).toBeUndefined()
    expect((await server.ask('/about')).headers.vary).toBe('Accept-Encoding')
  })

  it('a reader who has the page gets a 304; an invalid validator is ignored', async () => {
    const server = await startServer(createFramework())
    for (const encoding of ['gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding }
      const { headers: sent } = await server.ask('/', headers)
      const etag = String(sent.etag)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await server.ask('/', { ...headers, 'if-none-match': known })
        expect([again.status, again.raw.byteLength, again.headers.etag]).toEqual([304, 0, etag])
        expect(again.headers.vary).toBe(sent.vary)
      }
      for (const unknown of ['', '"', etag.slice(1), 'W/', '"\\"', `"${'x'.repeat(5000)}"`]) {
        const again = await server.ask('/', { ...headers, 'if-none-match': unknown })
        expect(again.status, unknown.slice(0, 20)).toBe(200)
      }
    }
  })

  it('the compressed page and the other one are the same text under two validators', async () => {
    const server = await startServer(createFramework())
    const plain = await server.ask('/', { 'accept-encoding': 'gzip;q=0, identity' })
    const small = await server.ask('/', { 'accept-encoding': 'br;q=1, gzip' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.body).toBe(plain.body)
    expect(small.headers.etag).not.toBe(plain.headers.etag)
    expect(small.headers.vary).toMatch(/cookie.*accept-encoding/i)
  })
})

describe('a reader who leaves', () => {
  function createSlow() {
    const begun: { end: () => void; signal: AbortSignal | undefined }[] = []
    const slow: Next = (_request, response) => {
      const end = () =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>made</p>')
      begun.push({ end, signal: selectContext()?.signal })
    }
    return { begun, framework: createFramework({ '/slow': slow }) }
  }
  const leave = async (server: PageServer) => {
    const socket = connect(server.port, '127.0.0.1')
    socket.write(`GET /slow HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`)
    return socket
  }

  it('leaves the page to the next who waits for it', async () => {
    const { begun, framework } = createSlow()
    const server = await startServer(framework)
    const socket = await leave(server)
    await expect.poll(() => begun.length).toBe(1)
    const others = [server.ask('/slow'), server.ask('/slow')]
    await server.ask('/')
    expect(begun).toHaveLength(1)
    socket.destroy()
    await expect.poll(() => begun.length).toBe(2)
    expect(begun[0]?.signal?.aborted).toBe(true)
    begun[1]?.end()
    for (const other of others) expect((await other).body).toBe('<p>made</p>')
    expect(begun).toHaveLength(2)
  })

  it('stops the work if nobody else waits for it', async () => {
    const { begun, framework } = createSlow()
    const server = await startServer(framework)
    const socket = await leave(server)
    await expect.poll(() => begun.length).toBe(1)
    socket.destroy()
    await expect.poll(() => begun[0]?.signal?.aborted).toBe(true)
    const next = server.ask('/slow')
    await expect.poll(() => begun.length).toBe(2)
    begun[1]?.end()
    expect((await next).body).toBe('<p>made</p>')
    expect(server.errors).toEqual([])
  })
})
