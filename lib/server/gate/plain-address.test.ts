import { mkdtempSync, rmSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Access, openAccess } from '#lib/access/access.ts'
import { draws } from '#testing/draws.ts'
import { type Loopback, listenOnLoopback } from '#testing/loopback.ts'
import { createTestFront, toServerOptions } from '#testing/server/front.ts'
import { createWebServer } from '../../../scripts/serve.mjs'
import { createAccessGate } from './access-gate.ts'
import { normalizeAddress, selectAmbiguity } from './plain-address.ts'

let dir: string
let access: Access
let session: string
const listening: Loopback[] = []
const ports: Record<string, number> = {}
let reached: string[] = []

function answer({ method, url }: IncomingMessage, response: ServerResponse) {
  reached.push(`${method} ${url}`)
  response.end('answered')
}

const PASSWORD = 'green stapler under water'

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bellwether-address-'))
  access = await openAccess({
    mode: 'password',
    dir,
    now: () => 1_800_000_000,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 5000 },
    isOperator: () => false,
    onProblem: () => undefined,
  })
  await access.accounts.add('ada', 'operator', PASSWORD)
  await access.refresh()
  const signedIn = await access.signIn({ name: 'ada', password: PASSWORD, from: '', agent: '' })
  if (!signedIn.ok) throw new Error(signedIn.why)
  session = signedIn.secret
  const gate = createAccessGate({
    access: () => access,
    proxy: null,
    isFromProxy: () => false,
    every: () => () => undefined,
    isDev: false,
  })
  const allowedHosts = ['dashboard']
  const fronts = {
    'open access': createTestFront({ allowedHosts }),
    'a signed-in operator': createTestFront({ allowedHosts, gate }),
    'a base path': createTestFront({ allowedHosts, gate, basePath: '/ratings' }),
  }
  for (const [name, front] of Object.entries(fronts)) {
    const server = await listenOnLoopback(createWebServer(toServerOptions(front, answer)))
    listening.push(server)
    ports[name] = server.port
  }
})

afterAll(async () => {
  await Promise.all(listening.map((server) => server.close()))
  await access.close()
  rmSync(dir, { recursive: true, force: true })
})

type TestRequest = { method?: string; headers?: readonly string[]; cookie?: string }

async function send(
  where: string,
  target: string,
  { method = 'GET', headers = [], cookie = session }: TestRequest = {},
) {
  reached = []
  const lines = [
    `${method} ${target} HTTP/1.1`,
    ...['host: dashboard', 'connection: close', `cookie: bellwether-session=${cookie}`],
    ...headers,
  ]
  const socket = connect({ port: ports[where] ?? 0, host: '127.0.0.1' })
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  let text = ''
  for await (const chunk of socket) text += String(chunk)
  const [, body = ''] = text.split('\r\n\r\n')
  return { status: Number(text.split(' ')[1]), body, reached }
}

const AMBIGUOUS = [
  ['a backslash', '/api/prices/..\\access\\password'],
  ['an encoded backslash', '/api/prices/..%5caccess%5Cpassword'],
  ['a dot segment', '/x/../api/v1/posts'],
  ['a single dot', '/api/./v1/posts'],
  ['a dot segment at the end', '/api/v1/posts/..'],
  ['an encoded dot segment', '/x/%2e%2E/api/v1/posts'],
  ['a dot segment that is half encoded', '/x/.%2e/api/v1/posts'],
  ['a dot segment in a whole URL', 'http://dashboard/x/../api/v1/posts'],
  ['a doubled slash', '/api//v1/posts'],
  ['a doubled slash in front', '//api/v1/posts'],
  ['a backslash in front', '/\\evil.example/api/v1/posts'],
  ['an encoded slash', '/api%2fv1/posts'],
  ['an encoded slash behind a name', '/api/symbols/AAPL/..%2f..%2Fv1%2fposts'],
  ['a fragment', '/api/v1/posts#x'],
  ['a fragment behind the query', '/api/v1/posts?page=1#x'],
  ['a broken percent sign', '/api/symbols/100%'],
  ['a percent sign that is half encoded', '/api/%%32%65%%32%65/v1/posts'],
  ['bytes that are no UTF-8', '/api/symbols/%ff'],
  ['no path', '*'],
  ['a URL of another scheme', 'file:///api/v1/posts'],
] as const

const PLAIN = [
  ['a slash in a symbol', '/symbols/BRK%2FB', '/symbols/BRK%2FB'],
  ['a slash in a symbol of the API', '/api/symbols/BRK%2fB/series?from=2024', null],
  ['a slash in an embedded symbol', '/embed/symbols/BRK%2FB', null],
  ['a slash in a picture of a symbol', '/api/previews/symbols/BRK%2FB.png', null],
  ['a backslash in a symbol', '/api/symbols/A%5CB', null],
  ['dots in a symbol', '/api/symbols/a%2F..%2Fb', null],
  ['a symbol that is a dot', '/symbols/~.', null],
  ['a symbol that is two dots', '/api/symbols/%7E../series', '/api/symbols/~../series'],
  ['a slash in the name of a rule', '/api/alerts/rules/A%2FB', null],
  ['a backslash in the name of an account', '/api/access/accounts/CORP%5Cada', null],
  ['anything in the query', '/?q=/../%2e%2e//\\%5c%', null],
  ['an escape that needs none', '/api/symbols/%42RK%2eB', '/api/symbols/BRK.B'],
  ['an escape in a fixed part', '/%61pi/%71uarantine', '/api/quarantine'],
  ['an escape that stays', '/symbols/A%3FB%252e', null],
  ['a whole URL', 'http://dashboard/api/facets?symbol=A', '/api/facets?symbol=A'],
  ['a whole URL without a path', 'HTTP://dashboard?rating=5', '/?rating=5'],
] as const

describe.each(['open access', 'a signed-in operator'])('with %s', (where) => {
  it.each(AMBIGUOUS)('an address with %s is refused: %s', async (_what, target) => {
    const { status, body } = await send(where, target)
    expect([status, reached]).toEqual([400, []])
    if (target.startsWith('/api/')) {
      expect(JSON.parse(body)).toMatchObject({ success: false, error: { type: 'bad_request' } })
    } else expect(body).toMatch(/^The address [^\n]*\.\n$/)
  })

  it.each(PLAIN)('an address with %s is answered: %s', async (_what, target, seen) => {
    expect((await send(where, target)).status).toBe(200)
    expect(reached).toEqual([`GET ${seen ?? target}`])
  })

  it.each([
    ['/api/prices/..\\access\\password', 400],
    ['/api/prices/..%5caccess%5cpassword', 400],
    ['/api/prices/%2e%2e/access/password', 400],
    ['/api/prices/a%2f..%2f..%2faccess%2fpassword', 400],
    ['/api/%61ccess/password', 413],
    ['/api/prices/a.csv/', 413],
    ['/api/%70rices/a.csv', 200],
  ])('only what is a price file may be as large as one: PUT %s', async (target, status) => {
    const { status: sent } = await send(where, target, {
      method: 'PUT',
      headers: ['content-length: 1000000'],
    })
    expect(sent).toBe(status)
    expect(reached).toEqual(status === 200 ? ['PUT /api/prices/a.csv'] : [])
  })

  const CROSS = 'sec-fetch-site: cross-site'
  it.each([
    '/api/v1/posts',
    '/api/v1/posts/',
    '/api/v1/posts?page=2',
    '/x/../api/v1/posts',
    '/%61pi/v1/%70osts',
    '/api/v1/posts#',
    '//api/v1/posts',
    '/api\\v1\\posts',
    '/api%2fv1%2fposts',
    'http://dashboard/api/v1/posts',
  ])('however it is spelled, no page of another site has %s fetched', async (target) => {
    for (const mode of ['navigate', 'no-cors']) {
      const { status } = await send(where, target, {
        headers: [CROSS, `sec-fetch-mode: ${mode}`],
      })
      expect([[400, 403].includes(status), reached]).toEqual([true, []])
    }
  })
})

it('below a base path addresses are judged without it', async () => {
  const under = (target: string) => send('a base path', target)
  expect(await under('/ratings/symbols/BRK%2FB')).toMatchObject({ status: 200 })
  expect(await under('/r%61tings/%61pi/facets')).toMatchObject({
    reached: ['GET /ratings/api/facets'],
  })
  expect(await under('http://dashboard/ratings?q=a')).toMatchObject({
    reached: ['GET /ratings?q=a'],
  })
  for (const target of [
    '/ratings/../api/v1/posts',
    '/x/../ratings/api',
    '/ratings\\api',
    '/ratings//',
  ]) {
    expect((await under(target)).status, target).toBe(400)
  }
  expect(JSON.parse((await under('/ratings/api//facets')).body)).toMatchObject({ code: 400 })
})

it.each(['/api/ratings.atom', '/api/changes.atom'])(
  'a feed with a slash behind its address is answered by its token, without a redirect: %s',
  async (path) => {
    const token = await access.tokens.create({
      name: 'ada',
      label: path,
      days: 1,
      scopes: ['feed'],
    })
    for (const [where, base] of [
      ['a signed-in operator', ''],
      ['a base path', '/ratings'],
    ] as const) {
      const target = `${base}${path}/?link=${token}`
      expect((await send(where, target, { cookie: 'none' })).status).toBe(200)
      expect(reached).toEqual([`GET ${base}${path}`])
    }
  },
)

it('whatever passes is read as the same address by everything behind', () => {
  const pieces = [
    ...['/', '/', '//', '\\', '.', '..', '%2e', '%2E', '%2f', '%5C', '%', '%25', '%252e', '#', '?'],
    ...['symbols', 'api', '%61pi', 'x', ';', '%C3%A9', 'http://dashboard', '@', ':'],
  ]
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 10 }), (parts) => {
      const address = normalizeAddress(`/${parts.join('')}`)
      if (selectAmbiguity(address) !== null) return
      expect(normalizeAddress(address)).toBe(address)
      const { host, pathname, search, hash } = new URL(`http://dashboard${address}`)
      expect([host, hash]).toEqual(['dashboard', ''])
      expect(`${pathname}${search || (address.endsWith('?') ? '?' : '')}`).toBe(address)
    }),
    { numRuns: draws(5000) },
  )
})
