import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, type OutgoingHttpHeaders, request as sendRequest } from 'node:http'
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
async function knock(port: number, until: () => boolean): Promise<Set<string>> {
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
      await knockOnce(agent, index % 2 === 0 ? {} : FORGED)
      await sleep(RETRY_MS)
    }
    agent.destroy()
  }
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => run(index)))
  return seen
}

test('requests that wait at the port pass the front, from the first on', {
  tag: '@core',
}, async () => {
  test.setTimeout(600_000)
  const dataDir = mkdtempSync(join(tmpdir(), 'bellwether-knock-'))
  await runAccess(dataDir, ['add', 'ada', '--role', 'operator'], 'green stapler under water\n')
  const port = Number(await freePort())
  try {
    for (let start = 0; start < 3; start += 1) {
      let isOver = false
      const knocking = knock(port, () => isOver)
      const app = await startApp({
        env: { ...DEMO, ACCESS: 'password', DATA_DIR: dataDir, PORT: String(port) },
      }).finally(() => {
        isOver = true
      })
      const seen = await knocking
      await app.stop()
      seen.delete('503')
      seen.delete('503 by the front')
      expect([...seen], `start ${start + 1}`).toEqual(['401 by the front'])
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
})

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
