import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type OutgoingHttpHeaders, request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../testing/loopback.ts'
import { listAddresses } from '../testing/server/addresses.ts'
import { runAccess } from './support/accounts.ts'
import { type RunningApp, startApp, stopChild } from './support/app.ts'
import { expect, test } from './support/test.ts'

const DEMO = { DEMO_RATINGS: '300', DEMO_TAIL_SECONDS: '0' }

type TestResponse = { status: number; headers: Record<string, unknown>; text: string }

const send = (
  { port, host = '127.0.0.1' }: { port: number; host?: string },
  { method = 'GET', path = '/', headers = {} }: Sent = {},
): Promise<TestResponse> =>
  new Promise((resolve, reject) => {
    const options = { port, host, path, method, headers, agent: false }
    const sent = sendRequest(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
        // Event streams do not end.
        if (response.headers['content-type']?.startsWith('text/event-stream')) sent.destroy()
      })
      const done = () =>
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      response.on('end', done).on('error', done)
    })
    sent.on('error', reject).end()
  })

type Sent = { method?: string; path?: string; headers?: OutgoingHttpHeaders }

/** Everything that the server sends until it closes the connection. */
async function sendRaw(port: number, text: string): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  socket.setTimeout(5000, () => socket.destroy())
  socket.write(text)
  let received = ''
  try {
    for await (const chunk of socket) received += String(chunk)
  } catch {
    // Closed without an answer.
  }
  return received
}

const portOf = ({ url }: RunningApp) => Number(new URL(url).port)

/** What the gate of earlier versions believed. */
const FORGED = {
  'x-may': 'embed feed read export sync inspect manage',
  'x-account': 'ada',
  'x-caller': encodeURIComponent(
    JSON.stringify({
      name: 'ada',
      permissions: ['embed', 'feed', 'read', 'export', 'sync', 'inspect', 'manage'],
      via: { kind: 'session', id: '1' },
    }),
  ),
  'x-client': '127.0.0.1',
  'x-feed-link': 'bw_x',
  'x-middleware-subrequest': 'proxy:proxy:proxy:proxy:proxy',
}

test.describe('without its front', () => {
  let child: ChildProcess
  let port: number
  let dataDir: string

  test.beforeAll(async () => {
    port = Number(await freePort())
    dataDir = mkdtempSync(join(tmpdir(), 'bellwether-bare-'))
    // Next.js serves the build itself: nobody stands before its handler.
    child = spawn(
      process.execPath,
      ['node_modules/next/dist/bin/next', 'start', '-H', '127.0.0.1', '-p', String(port)],
      { env: { ...process.env, ...DEMO, DATA_DIR: dataDir }, stdio: 'ignore' },
    )
    await expect
      .poll(() =>
        send({ port }, { path: '/api/health' }).then(
          ({ status }) => status,
          () => 0,
        ),
      )
      .toBe(403)
  })
  test.afterAll(async () => {
    await stopChild(child)
    rmSync(dataDir, { recursive: true, force: true })
  })

  test('the application refuses every operation and every page', {
    tag: '@core',
  }, async () => {
    const files = /^\/(?:[\w-]+\.(?:ico|svg|png)|manifest\.webmanifest)$/
    const addresses = listAddresses().filter((path) => !files.test(path))
    expect(addresses.length).toBeGreaterThan(100)
    for (const path of [...addresses, '/service/api/v1/posts', '/no-such-page']) {
      for (const headers of [{}, FORGED]) {
        const { status, text } = await send({ port }, { path, headers })
        expect([401, 403], `${path}: ${status}`).toContain(status)
        expect(text, path).not.toContain('rating_label')
      }
    }
    for (const [method, path] of [
      ['POST', '/api/sync'],
      ['POST', '/api/backups'],
      ['PUT', '/api/prices/a.csv'],
      ['DELETE', '/api/prices/a.csv'],
      ['POST', '/api/alerts/rules'],
      ['POST', '/api/access/sign-in'],
      ['PATCH', '/api/access/accounts/ada'],
      ['POST', '/mcp'],
    ] as const) {
      const headers = { ...FORGED, 'sec-fetch-site': 'same-origin', 'content-length': 0 }
      const { status } = await send({ port }, { method, path, headers })
      expect(status, `${method} ${path}`).toBe(403)
    }
  })
})

test.describe('odd requests', () => {
  let app: RunningApp
  test.beforeAll(async () => {
    app = await startApp({
      env: { ...DEMO, ACCESS: 'password', ALLOWED_HOSTS: 'dashboard' },
    })
  })
  test.afterAll(async () => {
    await app?.stop()
  })

  const line = (start: string, ...headers: string[]) =>
    [start, 'Host: dashboard', ...headers, '', ''].join('\r\n')
  const CLOSE = 'Connection: close'
  const forged = Object.entries(FORGED).map(([name, value]) => `${name}: ${value}`)
  const statuses = (text: string) =>
    [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => Number(status))

  const KINDS: readonly [name: string, text: string, expected: number[]][] = [
    [
      'pipelined requests',
      line('GET /api/health HTTP/1.1') +
        line('GET /api/ratings HTTP/1.1', ...forged) +
        line('GET /api/metrics HTTP/1.1', CLOSE),
      [200, 401, 401],
    ],
    [
      'a request on the connection of a refused one',
      line('GET /api/metrics HTTP/1.1') + line('GET /api/ratings HTTP/1.1', CLOSE),
      [401, 401],
    ],
    [
      'a body that is announced',
      line('PUT /api/prices/a.csv HTTP/1.1', 'Expect: 100-continue', 'Content-Length: 3', CLOSE) +
        'a,b',
      [401],
    ],
    [
      'an expectation that nobody knows',
      line('GET /api/ratings HTTP/1.1', 'Expect: something', CLOSE),
      [401],
    ],
    [
      'an upgrade to HTTP/2',
      line(
        'GET /api/ratings HTTP/1.1',
        'Connection: Upgrade, HTTP2-Settings',
        'Upgrade: h2c',
        'HTTP2-Settings: AAMAAABk',
      ),
      [401],
    ],
    [
      'an upgrade to a web socket',
      line(
        'GET /_next/hmr HTTP/1.1',
        'Connection: Upgrade',
        'Upgrade: websocket',
        'Sec-WebSocket-Version: 13',
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      ),
      [303],
    ],
    ['CONNECT', line('CONNECT 127.0.0.1:1 HTTP/1.1'), []],
    ['OPTIONS *', line('OPTIONS * HTTP/1.1', CLOSE), [400]],
    ['an absolute address', line('GET http://dashboard/api/ratings HTTP/1.1', CLOSE), [401]],
    [
      'an absolute address of another host',
      line('GET http://elsewhere/api/ratings HTTP/1.1', ...forged, CLOSE),
      [401],
    ],
    ['HTTP/1.0', line('GET /api/ratings HTTP/1.0'), [401]],
    ['HTTP/1.0 without a host', 'GET /api/ratings HTTP/1.0\r\n\r\n', [421]],
    ['HTTP/0.9', 'GET /api/ratings\r\n\r\n', [421]],
    ['TRACE', line('TRACE /api/ratings HTTP/1.1', CLOSE), [401]],
  ]

  for (const [name, text, expected] of KINDS) {
    test(`${name}: answered by the front or not at all`, { tag: '@core' }, async () => {
      const received = await sendRaw(portOf(app), text)
      expect(statuses(received), received).toEqual(expected)
      expect(received).not.toContain('rating_label')
    })
  }

  test('a browser that asks for what is wrong gets a page of ours', async () => {
    const port = portOf(app)
    for (const [method, path, status] of [
      ['GET', '/a//b', 400],
      ['GET', '/%zz', 400],
      ['POST', '/sign-in', 405],
      ['PROPFIND', '/sign-in', 405],
      ['GET', `/?q=${'x'.repeat(9000)}`, 414],
    ] as const) {
      const headers = { host: 'dashboard', accept: 'text/html' }
      const answer = await send({ port }, { method, path, headers })
      expect(answer.status, path).toBe(status)
      expect(answer.text, path).toMatch(/<title>[^<]+ · Bellwether<\/title>/)
    }
  })
})

test('both protocols of the Internet lead to the same front', async () => {
  const app = await startApp({ env: { ...DEMO, ACCESS: 'password', HOST: '::' } })
  try {
    for (const host of ['127.0.0.1', '::1']) {
      const { status } = await send({ port: portOf(app), host }, { path: '/api/ratings' })
      expect(status, host).toBe(401)
    }
  } finally {
    await app.stop()
  }
})

test('every page allows its own scripts by their hashes, and nothing else', {
  tag: '@core',
}, async ({ request, baseURL }) => {
  const pages = listAddresses().filter((path) => !/^\/(?:api\/|mcp$|sitemap|.*\.\w+$)/.test(path))
  expect(pages.length).toBeGreaterThan(20)
  const others = ['/no-such-page', '/symbols/NOSUCH', '/embed/symbols/NOSUCH', '/a//b', '/_error']
  for (const path of [...pages, ...others]) {
    const headers = { accept: 'text/html' }
    const response = await request.get(`${baseURL}${path}`, { headers, maxRedirects: 0 })
    const policy = response.headers()['content-security-policy'] ?? ''
    expect(policy, path).toContain(`frame-ancestors ${path.startsWith('/embed/') ? '*' : "'none'"}`)
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? "'none'"
    expect(scripts, path).not.toMatch(/unsafe|nonce|strict-dynamic|\*|http/)
    const inline = (await response.text()).matchAll(
      /<script\b(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g,
    )
    for (const [, script = ''] of inline) {
      const hash = createHash('sha256').update(script).digest('base64')
      expect(scripts, `${path}: ${script.slice(0, 60)}`).toContain(`'sha256-${hash}'`)
    }
  }
})

const CLIENTS = 8
const RETRY_MS = 4

/** Asks again and again from before the port opens until the server has answered for a second. */
async function knock(
  { port, host }: { port: number; host: string },
  until: () => boolean,
): Promise<Set<string>> {
  const seen = new Set<string>()
  const knockOnce = async (agent: Agent, headers: OutgoingHttpHeaders) => {
    await new Promise<void>((resolve) => {
      const options = { port, host: '127.0.0.1', path: '/api/ratings', headers, agent }
      const asked = sendRequest(options, (response) => {
        seen.add(`${response.statusCode}${response.headers['x-request-id'] ? ' by the front' : ''}`)
        response.resume().on('end', resolve).on('error', resolve)
      })
      asked.on('error', () => resolve()).end()
    })
  }
  const run = async (index: number) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    while (!until()) {
      await knockOnce(agent, index % 2 === 0 ? { host } : { ...FORGED, host })
      await sleep(RETRY_MS)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => run(index)))
  return seen
}

const HOST = '127.0.0.1'

type Mode = { env: Record<string, string>; host: string; refused: number }

const MODES: Readonly<Record<string, Mode>> = {
  password: { env: { ACCESS: 'password' }, host: HOST, refused: 401 },
  oidc: {
    env: {
      ACCESS: 'oidc',
      PUBLIC_URL: 'http://127.0.0.1:1',
      OIDC_ISSUER: 'http://127.0.0.1:1',
      OIDC_CLIENT_ID: 'bellwether',
      OIDC_CLIENT_SECRET: 'the-secret-of-the-client',
    },
    host: HOST,
    refused: 401,
  },
  proxy: { env: { ACCESS: 'proxy', TRUSTED_PROXIES: '192.0.2.1' }, host: HOST, refused: 401 },
  open: { env: { ACCESS: 'open' }, host: 'elsewhere.example', refused: 421 },
}

for (const [mode, { env, host, refused }] of Object.entries(MODES)) {
  for (const starts of mode === 'password' ? [2, 10] : [10]) {
    const options = starts === 2 ? { tag: '@core' } : {}
    test(
      `${mode}: requests that wait at the port pass the front, over ${starts} starts`,
      options,
      async () => {
        test.setTimeout(600_000)
        const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-knock-'))
        if (mode === 'password') {
          await runAccess(
            dataDir,
            ['add', 'ada', '--role', 'operator'],
            'green stapler under water\n',
          )
        }
        const port = Number(await freePort())
        try {
          for (let start = 0; start < starts; start += 1) {
            let isOver = false
            const knocking = knock({ port, host }, () => isOver)
            const app = await startApp({
              env: { ...DEMO, ...env, DATA_DIR: dataDir, PORT: String(port) },
            }).finally(() => {
              isOver = true
            })
            const seen = await knocking
            await app.stop()
            seen.delete('503')
            seen.delete('503 by the front')
            expect([...seen], `start ${start + 1}`).toEqual([`${refused} by the front`])
          }
        } finally {
          rmSync(dataDir, { recursive: true, force: true })
        }
      },
    )
  }
}

test('a request during shutdown is refused as any other', async () => {
  const app = await startApp({ env: { ...DEMO, ACCESS: 'password' } })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ask = () =>
    new Promise<number>((resolve) => {
      const options = { port: portOf(app), host: '127.0.0.1', path: '/api/ratings', agent }
      sendRequest({ ...options, headers: FORGED }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode ?? 0))
      })
        .on('error', () => resolve(0))
        .end()
    })
  expect(await ask()).toBe(401)
  const stopped = app.stop()
  const statuses: number[] = []
  while (statuses.at(-1) !== 0) statuses.push(await ask())
  expect(await stopped).toBe(0)
  expect(new Set(statuses)).toEqual(statuses.length > 1 ? new Set([401, 0]) : new Set([0]))
  agent.destroy()
})
