import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import type { Answerer } from '#lib/server/gate/refuse.ts'
import { draws } from '#testing/draws.ts'
import { createCachedPages } from './cached-pages.ts'
import { noteUnanswered, readPageAsker } from './page-render.ts'

type Answer = { status: number; headers: IncomingMessage['headers']; body: string; raw: Buffer }

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

const toPage = (nonce: string, seen: string, extra = '') =>
  `<!doctype html><link rel="preload" nonce="${nonce}"><script nonce="${nonce}">hello("${nonce}")</script>` +
  `<script src="/_next/static/a.js" nonce="${nonce}" async=""></script>${extra}<p>${seen}</p>${' '.repeat(2000)}`

type Framework = { answer: Answerer; made: () => number }

function createFramework(handle: Partial<Record<string, Answerer>> = {}): Framework {
  let made = 0
  return {
    made: () => made,
    answer(request, response) {
      made += 1
      const own = handle[request.url ?? '']
      if (own) return own(request, response)
      const nonce = createHash('sha256').update(String(made)).digest('base64')
      const policy = `default-src 'self'; script-src 'self' 'nonce-${nonce}' 'strict-dynamic'; style-src 'self' 'nonce-${nonce}'`
      response.setHeader('content-security-policy', policy)
      response.setHeader('content-type', 'text/html; charset=utf-8')
      response.setHeader('link', `</a.css>; rel=preload; nonce="${nonce}"; as="style"`)
      response.end(toPage(nonce, `${request.url} ${JSON.stringify(request.headers)}`))
    },
  }
}

type PageServer = {
  url: number
  ask(path: string, headers?: Record<string, string>, method?: string): Promise<Answer>
  setStamp(stamp: string | null): void
  errors: unknown[]
}

async function startFront(framework: Framework, maxBytes = 1_000_000): Promise<PageServer> {
  let stamp: string | null = 'first'
  const errors: unknown[] = []
  const front = createCachedPages({
    readReader: (headers) => ({
      headers: { 'x-mark': String(headers['x-mark'] ?? '') },
      vary: ['X-Mark'],
    }),
    stamp: () => stamp,
    cacheHeaders: { 'cache-control': 'public, s-maxage=10' },
    maxBytes,
    onError: (error) => errors.push(error),
  })
  const server = createServer(front(framework.answer))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: port,
    errors,
    setStamp: (next) => {
      stamp = next
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

describe('a page that is kept', () => {
  it('is made once for all who ask for the same, and again when something may have changed', async () => {
    const framework = createFramework()
    const front = await startFront(framework)
    const first = await Promise.all([1, 2, 3, 4].map(() => front.ask('/')))
    expect(new Set(first.map(({ body }) => body)).size).toBe(1)
    await front.ask('/')
    expect(framework.made()).toBe(1)
    front.setStamp('second')
    await front.ask('/')
    await front.ask('/')
    expect(framework.made()).toBe(2)
    front.setStamp(null)
    await front.ask('/')
    await front.ask('/')
    expect(framework.made()).toBe(4)
  })

  it('is never another reader’s, nor that of another address, nor from before a change', async () => {
    const step = fc.record({
      path: fc.constantFrom('/', '/?a=1', '/?a=1&b=2', '/symbols/AAPL', '/symbols/AAPL?x'),
      mark: fc.constantFrom('', 'dark', 'de', 'dark\tde'),
      secret: fc.constantFrom('one', 'two'),
      stamp: fc.constantFrom('first', 'second', null),
      isGzip: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
        let now: string | null = null
        const framework = createFramework()
        const front = await startFront({
          made: framework.made,
          answer(request, response) {
            response.setHeader('x-made-at', String(now))
            framework.answer(request, response)
          },
        })
        for (const { path, mark, secret, stamp, isGzip } of steps) {
          now = stamp
          front.setStamp(stamp)
          const encoding = isGzip ? 'gzip' : 'identity'
          const headers = { 'x-mark': mark, cookie: secret, 'accept-encoding': encoding }
          const { body, headers: sent } = await front.ask(path, headers)
          expect(body).toContain(`<p>${path} ${JSON.stringify({ 'x-mark': mark })}</p>`)
          expect(body).not.toContain(secret)
          expect(sent['x-made-at']).toBe(String(stamp))
        }
      }),
      { numRuns: draws(30) },
    )
  })

  it.each([
    ['a page that does not exist', 404, () => {}],
    ['a failure', 500, () => {}],
    ['a page with a question that could not be answered', 200, noteUnanswered],
  ])('%s is made again for the next who asks', async (_, status, meanwhile) => {
    const framework = createFramework({
      '/x': (_request, response) => {
        meanwhile()
        response.writeHead(status, { 'content-type': 'text/html' }).end('<p>so</p>')
      },
    })
    const front = await startFront(framework)
    expect((await front.ask('/x')).status).toBe(status)
    expect((await front.ask('/x')).status).toBe(status)
    expect(framework.made()).toBe(2)
  })

  it('the status, which changes each second, is made for each who asks', async () => {
    const framework = createFramework()
    const front = await startFront(framework)
    await front.ask('/status')
    await front.ask('/status')
    expect(framework.made()).toBe(2)
  })

  it('what is no whole page goes on to the framework as it came', async () => {
    const framework = createFramework()
    const front = await startFront(framework)
    const files = readdirSync('public').map((name) => `/${name}`)
    expect(files).toContain('/favicon.ico')
    for (const path of ['/api/status', '/_next/static/a.js', '/service/x', ...files]) {
      const { body } = await front.ask(path, { cookie: 'mine' })
      expect(body, path).toContain('mine')
    }
    for (const path of ['/api/sync', '/service/x']) {
      expect((await front.ask(path, { cookie: 'mine' }, 'POST')).body, path).toContain('mine')
    }
  })

  it('pages and files take no other method than reading ones: the framework never hears of an action', async () => {
    const framework = createFramework()
    const front = await startFront(framework)
    for (const path of ['/', '/users?x=1', '/sign-in', '/_next/static/a.js', '/favicon.ico']) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const { status, headers } = await front.ask(path, { 'next-action': 'x' }, method)
        expect([status, headers.allow], `${method} ${path}`).toEqual([405, 'GET, HEAD'])
      }
    }
    expect(framework.made()).toBe(0)
    const { status, body } = await front.ask('/users', { 'next-action': 'forged' })
    expect(status).toBe(200)
    expect(body).not.toContain('forged')
  })

  it('the parts of a page that a shown one asks for are kept for who shows the same', async () => {
    const framework = createFramework()
    const front = await startFront(framework)
    const from = (tree: string) => ({ rsc: '1', 'next-router-state-tree': tree, cookie: 'mine' })
    const whole = await front.ask('/users')
    const parts = await front.ask('/users', from('home'))
    expect(parts.body).toContain('"next-router-state-tree":"home"')
    expect(parts.body).not.toContain('mine')
    expect((await front.ask('/users', from('home'))).body).toBe(parts.body)
    expect((await front.ask('/users', from('symbols'))).body).not.toBe(parts.body)
    expect((await front.ask('/users')).body).toBe(whole.body)
    expect(framework.made()).toBe(3)
  })
})

describe('over HTTP', () => {
  it('only a page that is kept may be kept by caches that others share', async () => {
    const framework = createFramework({
      '/x': (_request, response) => {
        response.writeHead(404, { 'cache-control': 'private, no-cache' }).end()
      },
    })
    const front = await startFront(framework)
    expect((await front.ask('/')).headers['cache-control']).toBe('public, s-maxage=10')
    expect((await front.ask('/x')).headers['cache-control']).toBe('private, no-cache')
    expect((await front.ask('/status')).headers['cache-control']).toBeUndefined()
  })

  it('a reader who has the page gets a 304; an invalid validator is ignored', async () => {
    const front = await startFront(createFramework())
    for (const encoding of ['gzip', 'identity']) {
      const headers = { 'accept-encoding': encoding }
      const { headers: sent } = await front.ask('/', headers)
      const etag = String(sent.etag)
      for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await front.ask('/', { ...headers, 'if-none-match': known })
        expect([again.status, again.raw.byteLength, again.headers.etag]).toEqual([304, 0, etag])
        expect(again.headers.vary).toBe(sent.vary)
      }
      for (const unknown of ['', '"', etag.slice(1), 'W/', '"\\"', `"${'x'.repeat(5000)}"`]) {
        const again = await front.ask('/', { ...headers, 'if-none-match': unknown })
        expect(again.status, unknown.slice(0, 20)).toBe(200)
      }
    }
  })

  it('the compressed page and the other one are the same text under two validators', async () => {
    const front = await startFront(createFramework())
    const plain = await front.ask('/', { 'accept-encoding': 'gzip;q=0, identity' })
    const small = await front.ask('/', { 'accept-encoding': 'br;q=1, gzip' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(small.headers['content-encoding']).toBe('gzip')
    expect(small.body).toBe(plain.body)
    expect(small.headers.etag).not.toBe(plain.headers.etag)
    expect(small.headers.vary).toMatch(/x-mark.*accept-encoding/i)
  })

  it('HEAD says what GET would, and a range is the whole', async () => {
    const front = await startFront(createFramework())
    const whole = await front.ask('/')
    const head = await front.ask('/', {}, 'HEAD')
    expect(head.raw.byteLength).toBe(0)
    for (const name of ['etag', 'content-length', 'content-type', 'vary']) {
      expect(head.headers[name]).toBe(whole.headers[name])
    }
    for (const range of ['bytes=0-9', 'bytes=-1', 'bytes=9-1', 'lines=1', ',']) {
      const { status, body } = await front.ask('/', { range })
      expect([status, body]).toEqual([200, whole.body])
    }
  })
})

describe('a page that many get holds no secret', () => {
  const EVIL =
    '<script>evil()</script><script nonce="">evil()</script><script nonce="guess">evil()</script>'

  it('its policy names the scripts that the framework marked, and no other', async () => {
    const framework = createFramework({
      '/x': (_request, response) => {
        const nonce = 'AAAAbbbb+/=='
        const policy = `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'; style-src 'self' 'nonce-${nonce}'`
        response.setHeader('content-security-policy', policy)
        response.setHeader('content-type', 'text/html')
        response.end(toPage(nonce, 'so', EVIL))
      },
    })
    const front = await startFront(framework)
    const { body, headers } = await front.ask('/x')
    const hash = createHash('sha256').update('hello("")').digest('base64')
    const policy = `script-src 'self' 'sha256-${hash}'; style-src 'self'`
    expect(headers['content-security-policy']).toBe(policy)
    expect(body).toContain('<script>hello("")</script>')
    expect(body).not.toContain('AAAAbbbb')
    expect(JSON.stringify(headers)).not.toContain('AAAAbbbb')
  })
})

describe('a reader who leaves', () => {
  function createSlow() {
    const begun: { end: () => void; signal: AbortSignal | undefined }[] = []
    const slow: Answerer = (_request, response) => {
      const end = () =>
        void response.writeHead(200, { 'content-type': 'text/html' }).end('<p>made</p>')
      begun.push({ end, signal: readPageAsker()?.signal })
    }
    return { begun, framework: createFramework({ '/slow': slow }) }
  }
  const leave = async (front: PageServer) => {
    const socket = connect(front.url, '127.0.0.1')
    socket.write('GET /slow HTTP/1.1\r\nHost: a\r\n\r\n')
    return socket
  }

  it('leaves the page to those who still wait for it', async () => {
    const { begun, framework } = createSlow()
    const front = await startFront(framework)
    const socket = await leave(front)
    await expect.poll(() => begun.length).toBe(1)
    const other = front.ask('/slow')
    await front.ask('/')
    socket.destroy()
    await front.ask('/')
    expect(begun[0]?.signal?.aborted).toBe(false)
    begun[0]?.end()
    expect((await other).body).toBe('<p>made</p>')
    expect(begun).toHaveLength(1)
  })

  it('stops the work if nobody else waits for it', async () => {
    const { begun, framework } = createSlow()
    const front = await startFront(framework)
    const socket = await leave(front)
    await expect.poll(() => begun.length).toBe(1)
    socket.destroy()
    await expect.poll(() => begun[0]?.signal?.aborted).toBe(true)
    const next = front.ask('/slow')
    await expect.poll(() => begun.length).toBe(2)
    begun[1]?.end()
    expect((await next).body).toBe('<p>made</p>')
    expect(front.errors).toEqual([])
  })

  it('a page that breaks off in the middle is a failure, and is told', async () => {
    const framework = createFramework({
      '/broken': (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' }).write('<p>so f')
        response.destroy()
      },
    })
    const front = await startFront(framework)
    expect((await front.ask('/broken')).status).toBe(500)
    expect(front.errors).toHaveLength(1)
  })

  it('a thousand who never read cost one page, and the next reader is answered', async () => {
    const framework = createFramework()
    const front = await startFront(framework)
    const sockets = Array.from({ length: 1000 }, () => {
      const socket = connect(front.url, '127.0.0.1').on('error', () => {})
      socket.pause()
      socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n')
      return socket
    })
    expect((await front.ask('/')).status).toBe(200)
    expect(framework.made()).toBe(1)
    for (const socket of sockets) socket.destroy()
  })
})
