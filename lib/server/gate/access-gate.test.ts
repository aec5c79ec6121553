import { mkdtempSync, rmSync } from 'node:fs'
import {
  request as httpRequest,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Access, openAccess } from '#lib/access/access.ts'
import { ROLES, selectPermission } from '#lib/access/route-permissions.ts'
import { PERMISSIONS, type Permission, type Role, SCOPES } from '#lib/contract/answers/access.ts'
import { permits, signedOutCaller } from '#lib/contract/caller.ts'
import { listAddresses } from '#testing/server/addresses.ts'
import { createTestFront, toServerOptions } from '#testing/server/front.ts'
import { createWebServer } from '../../../scripts/serve.mjs'
import { type AccessGate, createAccessGate } from './access-gate.ts'
import type { Answer } from './front.ts'

const PASSWORD = 'green stapler under water'
const clock = { now: 1_800_000_000 }
const looks: (() => void)[] = []
const kept: { access: Access | null } = { access: null }

let dir: string
let server: Server
let access: Access
const headersOf: Record<string, Record<string, string>> = { nobody: {} }

const ENDLESS_FILE = '/api/ratings.csv?endless'

let endless = 0

/** A request that is answered when its test says so. */
const late: { waiting: ServerResponse | null; finish: () => void } = {
  waiting: null,
  finish: () => undefined,
}

const answer: Answer = async (request, response, { context }) => {
  const { searchParams } = new URL(`http://gate${request.url}`)
  if (searchParams.has('late')) {
    late.waiting = response
    await new Promise<void>((resolve) => {
      late.finish = resolve
    })
  }
  response.statusCode = Number(searchParams.get('status') ?? 200)
  if (request.url === ENDLESS_FILE) endless += 1
  if (request.url === '/api/events' || request.url === ENDLESS_FILE) {
    response.setHeader(
      'content-type',
      request.url === ENDLESS_FILE ? 'text/csv' : 'text/event-stream',
    )
    response.write('begun')
    return
  }
  const { url, caller, link } = context
  response.end(JSON.stringify({ url, caller, link }))
}

const serveBehind = (gate: AccessGate) =>
  createWebServer(
    toServerOptions(
      createTestFront({ gate, answer, isProxy: (address) => address === '127.0.0.1' }),
    ),
  )

type TestResponse = {
  status: number
  location: string | undefined
  challenge: string | undefined
  clearing: string | undefined
  text: string
  isWhole: boolean
}

/** `fetch` would normalize the path. */
const send = (
  path: string,
  headers: OutgoingHttpHeaders = {},
  method = 'GET',
): Promise<TestResponse> =>
  new Promise((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    const sent = httpRequest({ port, path, method, headers, host: '127.0.0.1' }, (response) => {
      let text = ''
      response.on('data', (chunk) => {
        text += chunk
      })
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          location: response.headers.location,
          challenge: response.headers['www-authenticate'],
          clearing: response.headers['clear-site-data']?.toString(),
          text,
          isWhole: response.complete,
        })
      response.on('end', done)
      response.on('error', done)
      response.on('aborted', done)
    })
    sent.on('error', reject)
    sent.end()
  })

async function begin({ accounts, begin }: Access, name: string): Promise<string> {
  const account = (await accounts.list()).find((one) => one.name === name)
  if (!account) throw new Error(`there is no ${name}`)
  return await begin(account, { from: '', agent: '' })
}

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'bellwether-gate-'))
  access = await openAccess({
    mode: 'password',
    dir,
    now: () => clock.now,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 5000 },
    isOperator: () => false,
    onProblem: () => undefined,
  })
  kept.access = access
  for (const role of Object.keys(ROLES) as Role[]) {
    await access.accounts.add(`the-${role}`, role, PASSWORD)
    await access.refresh()
    const secret = await begin(access, `the-${role}`)
    headersOf[role] = { cookie: `bellwether-session=${secret}` }
  }
  for (const scope of SCOPES) {
    const wanted = { name: 'the-operator', label: scope, scopes: [scope], days: 1 }
    headersOf[`token for ${scope}`] = {
      authorization: `Bearer ${await access.tokens.create(wanted)}`,
    }
  }
  const gate = createAccessGate({
    access: () => kept.access,
    proxy: null,
    isFromProxy: () => false,
    every: (_seconds, run) => {
      looks.push(run)
      return () => undefined
    },
    isDev: false,
  })
  server = serveBehind(gate)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

afterAll(async () => {
  server.closeAllConnections()
  server.close()
  await access.close()
  rmSync(dir, { recursive: true, force: true })
})

const PERMITTED: Readonly<Record<string, readonly Permission[]>> = {
  nobody: [],
  ...ROLES,
  'token for embed': ['embed'],
  'token for feed': ['feed'],
  'token for read': ['read'],
  'token for export': ['export'],
  'token for sync': ['sync'],
  'token for inspect': ['inspect'],
}

const isPage = (path: string) => !/^\/(?:api|service|mcp)\b/.test(path)

describe.each(Object.entries(PERMITTED))('%s', (name, may) => {
  it('reaches the addresses that it may reach, and none of all others', async () => {
    for (const path of listAddresses().filter((one) => one !== '/api/events')) {
      const need = selectPermission(path)
      const { status, location, text } = await send(path, headersOf[name])
      if (need === 'public' || (need !== null && permits(may, need))) {
        expect(status, path).toBe(200)
        expect(JSON.parse(text).url, path).toBe(path)
        expect(JSON.parse(text).caller.permissions, path).toEqual(may)
      } else if (name === 'nobody' && path.startsWith('/embed/')) {
        expect(status, path).toBe(401)
      } else if (name === 'nobody') {
        expect([status, location], path).toEqual(
          isPage(path)
            ? [303, `/sign-in${path === '/' ? '' : `?next=${encodeURIComponent(path)}`}`]
            : [401, undefined],
        )
      } else if (isPage(path)) {
        expect(JSON.parse(text).url, path).toBe('/not/found')
      } else {
        expect(status, path).toBe(403)
      }
    }
  })
})

describe('what a request says of itself', () => {
  it('is not trusted: it grants no permission', async () => {
    const claimed = {
      'x-may': PERMISSIONS.join(' '),
      'x-account': 'the-operator',
      'x-caller': encodeURIComponent(
        JSON.stringify({ name: 'the-operator', permissions: PERMISSIONS }),
      ),
      'remote-user': 'the-operator',
    }
    expect((await send('/api/ratings', claimed)).status).toBe(401)
    const { caller } = JSON.parse((await send('/api/health', claimed)).text)
    expect(caller).toEqual(signedOutCaller)
    const read = await send('/api/ratings', { ...headersOf.reader, ...claimed })
    expect(JSON.parse(read.text).caller).toMatchObject({
      name: 'the-reader',
      permissions: ROLES.reader,
    })
    expect((await send('/api/quarantine', { ...headersOf.reader, ...claimed })).status).toBe(403)
  })

  it('two sessions at once are none: a sibling host may have set one of them', async () => {
    const { cookie = '' } = headersOf.operator ?? {}
    expect((await send('/api/ratings', { cookie: `${cookie}; bellwether-session=x` })).status).toBe(
      401,
    )
    expect((await send('/api/ratings', { cookie: `other=1; ${cookie}` })).status).toBe(200)
    const page = await send('/symbols', { cookie: `${cookie}; bellwether-session=x` })
    expect(page.location).toBe('/sign-in?next=%2Fsymbols&why=cookies')
    expect((await send('/symbols')).location).toBe('/sign-in?next=%2Fsymbols')
    const secure = { cookie, 'x-forwarded-proto': 'https' }
    expect((await send('/api/ratings', secure)).status).toBe(401)
    const host = { cookie: `__Host-${cookie}`, 'x-forwarded-proto': 'https' }
    expect((await send('/api/ratings', host)).status).toBe(200)
  })

  it('names its session when the cookies of other programs are many', async () => {
    const { cookie = '' } = headersOf.operator ?? {}
    const other = `other=${'x'.repeat(30_000)}`
    for (const sent of [`${cookie}; ${other}`, `${other}; ${cookie}`]) {
      expect((await send('/api/ratings', { cookie: sent })).status).toBe(200)
    }
  })

  it.each(['Bearer bw_wrong', 'Bearer\tbw_wrong', 'Bearer', `Bearer ${'x'.repeat(4096)}`])(
    'a token that is wrong is not made up for by a session: %j',
    async (authorization) => {
      const both = { ...headersOf.operator, authorization }
      expect((await send('/api/ratings', both)).status).toBe(401)
    },
  )
})

describe('an assistant', () => {
  const call = async (headers: OutgoingHttpHeaders = {}, method = 'POST') => {
    const { status, challenge } = await send('/mcp', headers, method)
    return [status, challenge]
  }
  const REFUSED = [401, 'Bearer realm="Bellwether"']

  it('without a token, or with a wrong one, is asked for a token and never sent to a page', async () => {
    expect(await call()).toEqual(REFUSED)
    expect(await call({}, 'GET')).toEqual(REFUSED)
    expect(await call({ authorization: 'Bearer bw_wrong' })).toEqual(REFUSED)
  })

  it('needs the permission to read', async () => {
    expect(await call(headersOf['token for read'])).toEqual([200, undefined])
    expect(await call(headersOf['token for embed'])).toEqual([403, undefined])
  })
})

it('a page that is asked for in parts says that one must sign in, so that the browser goes there itself', async () => {
  expect((await send('/symbols?_rsc=1', { rsc: '1' })).status).toBe(401)
  expect((await send('/symbols', {}, 'POST')).status).toBe(401)
})

it('the page Sign in clears what the browser has cached, unless the reader is signed in', async () => {
  const clearing = async (headers: OutgoingHttpHeaders) => {
    const response = await send('/sign-in?why=ended', headers)
    return [response.status, response.clearing]
  }
  expect(await clearing({})).toEqual([200, '"cache"'])
  expect(await clearing({ cookie: 'bellwether-session=ended' })).toEqual([200, '"cache"'])
  expect(await clearing(headersOf.reader ?? {})).toEqual([200, undefined])
  // Browsers report an error there.
  expect(await clearing({ host: 'nas.lan' })).toEqual([200, undefined])
  const secure = { host: 'nas.lan', 'x-forwarded-proto': 'https' }
  expect(await clearing(secure)).toEqual([200, '"cache"'])
})

it('where somebody wanted to go is kept in the way in, and nothing of it can become another header', async () => {
  const { location } = await send('/symbols/A%0d%0aSet-Cookie:x?q=%0d%0a&next=//evil')
  expect(location).toBe(
    `/sign-in?next=${encodeURIComponent('/symbols/A%0d%0aSet-Cookie:x?q=%0d%0a&next=//evil')}`,
  )
})

it('an answer that lasts ends soon after its session has', async () => {
  const secret = await begin(access, 'the-reader')
  const cookie = `bellwether-session=${secret}`
  const stream = send('/api/events', { cookie })
  const file = send(ENDLESS_FILE, { cookie })
  await expect.poll(async () => (await send('/api/ratings', { cookie })).status).toBe(200)
  for (const look of looks) look()
  expect(
    await Promise.race([stream, file, new Promise((done) => setTimeout(() => done('open'), 50))]),
  ).toBe('open')
  await access.accounts.setLocked('the-reader', true)
  await access.refresh()
  for (const look of looks) look()
  expect(await stream).toMatchObject({ text: 'begun', isWhole: true })
  expect(await file).toMatchObject({ text: 'begun', isWhole: false })
  await access.accounts.setLocked('the-reader', false)
  await access.refresh()
  headersOf.reader = { cookie: `bellwether-session=${await begin(access, 'the-reader')}` }
})

it('while nobody can be looked up, nobody is let in, and what needs nobody is served', async () => {
  kept.access = null
  try {
    expect((await send('/api/ratings', headersOf.operator)).status).toBe(503)
    expect((await send('/', headersOf.operator)).status).toBe(503)
    expect((await send('/api/health')).status).toBe(200)
  } finally {
    kept.access = access
  }
})

describe('the audit log of requests', () => {
  const ALERT_RULE = '/api/alerts/rules/Apple'
  /** From a network of which nothing was refused yet: the log has at most 100 refusals of one. */
  const sendHere = (path: string, headers: OutgoingHttpHeaders = {}, method = 'GET') =>
    send(path, { 'x-forwarded-for': '198.51.100.9', ...headers }, method)

  let markers = 0

  /** Entries that `work` adds, oldest first. */
  async function entriesOf(work: () => Promise<unknown>): Promise<string[]> {
    markers += 1
    const marker = `marker ${markers}`
    access.audit.note({ kind: 'sync', who: '', from: '', what: marker, outcome: 'done' })
    await work()
    const entries = await access.audit.latest(1000)
    const fresh = entries
      .slice(
        0,
        entries.findIndex(({ what }) => what === marker),
      )
      .reverse()
    return fresh.map(({ kind, who, what, outcome }) => `${who}: ${kind}, ${what}: ${outcome}`)
  }

  const sendAll = async (
    role: string,
    requests: readonly (readonly [method: string, path: string])[],
  ) => {
    for (const [method, path] of requests) await sendHere(path, headersOf[role], method)
  }

  it('names every operation that changes something or exports, without its query', async () => {
    const entries = await entriesOf(async () => {
      await sendAll('reader', [['GET', '/api/ratings.csv?symbol=SECRET']])
      await sendAll('operator', [
        ['POST', '/api/sync'],
        ['POST', '/api/backups'],
        ['DELETE', ALERT_RULE],
        ['PUT', '/api/prices/a%20b.csv'],
        ['DELETE', '/api/prices/a%20b.csv'],
        ['GET', '/api/quarantine.csv'],
        ['GET', '/api/editions/posts-2026-11-15.csv'],
      ])
    })
    expect(entries).toEqual([
      'the-reader: export, downloaded /api/ratings.csv: done',
      'the-operator: sync, asked for a sync: done',
      'the-operator: backup, asked for a backup: done',
      'the-operator: alert, removed the alert rule Apple: done',
      'the-operator: prices, uploaded the price file a b.csv: done',
      'the-operator: prices, removed the price file a b.csv: done',
      'the-operator: export, downloaded /api/quarantine.csv: done',
      'the-operator: export, downloaded /api/editions/posts-2026-11-15.csv: done',
    ])
  })

  it('has the outcome of the answer', async () => {
    const entries = await entriesOf(async () => {
      for (const status of [202, 303, 400, 403, 500, 503]) {
        await sendHere(`/api/backups?status=${status}`, headersOf.operator, 'POST')
      }
      for (const status of [200, 206, 404, 503]) {
        await sendHere(`/api/ratings.csv?status=${status}`, headersOf.operator)
      }
    })
    expect(entries.map((entry) => entry.split(': ').at(-1))).toEqual([
      ...['done', 'done', 'refused', 'refused', 'failed', 'failed'],
      ...['done', 'done', 'refused', 'failed'],
    ])
  })

  it('says that a download failed which broke off, and nothing before that', async () => {
    const secret = await begin(access, 'the-operator')
    const file = { broken: sendHere(ENDLESS_FILE, { cookie: `bellwether-session=${secret}` }) }
    const id = access.sessions.find(secret)?.id
    expect(
      await entriesOf(async () => {
        await expect.poll(() => endless).toBe(1)
        await access.sessions.end((one) => one.id === id)
        for (const look of looks) look()
        await file.broken
      }),
    ).toEqual(['the-operator: export, downloaded /api/ratings.csv: failed'])
  })

  it('says who was refused what, without what was looked for', async () => {
    const entries = await entriesOf(async () => {
      const headers = { ...headersOf.reader, 'x-forwarded-for': '203.0.113.7' }
      await sendHere('/api/metrics?secret', headers)
      await sendHere('/api/prices/a.csv', headers, 'PUT')
    })
    expect(entries).toEqual([
      'the-reader: refused, asked for /api/metrics: refused',
      'the-reader: refused, asked for /api/prices/a.csv: refused',
    ])
    expect(await access.audit.latest(1)).toMatchObject([{ from: '203.0.113.7' }])
  })
})

describe('a feed', () => {
  const secretOf = (scope: string) =>
    headersOf[`token for ${scope}`]?.authorization?.slice('Bearer '.length) ?? ''
  const ask = async (path: string, secret: string, headers: Record<string, string> = {}) => {
    const link = new URLSearchParams({ link: secret })
    return await send(`${path}${path.includes('?') ? '&' : '?'}${link}`, headers)
  }

  it('comes by the secret in its address, which the address has no more, and is told for its other pages', async () => {
    for (const path of ['/api/ratings.atom?symbol=AAPL', '/api/changes.atom']) {
      const { status, text } = await ask(path, secretOf('feed'))
      expect(status).toBe(200)
      expect(JSON.parse(text)).toMatchObject({
        url: path,
        caller: { permissions: ['feed'] },
        link: secretOf('feed'),
      })
    }
    expect((await ask('/api/ratings.atom', secretOf('read'))).status).toBe(200)
  })

  it('opens nothing else by that secret, and does not come by one that is none, or of another kind', async () => {
    for (const path of ['/', '/api/ratings', '/api/ratings.csv', '/embed/symbols/AAPL']) {
      const { status, text } = await ask(path, secretOf('feed'))
      expect(status === 200 && !text.includes('/not/found'), path).toBe(false)
    }
    expect((await ask('/api/ratings.atom', secretOf('export'))).status).toBe(403)
    expect((await ask('/api/ratings.atom', 'bw_none')).status).toBe(401)
    expect((await ask('/api/ratings.atom', '\r\nx-may: read')).status).toBe(401)
    const forged = { 'x-feed-link': secretOf('feed') }
    expect((await send('/api/ratings.atom', forged)).status).toBe(401)
    const { text } = await send('/api/ratings.atom', { ...forged, ...headersOf.reader })
    expect(JSON.parse(text).link).toBeNull()
  })
})

describe('a chart in another page', () => {
  const linked = (path: string, scope: string) =>
    `${path}${path.includes('?') ? '&' : '?'}link=${headersOf[`token for ${scope}`]?.authorization?.slice(7)}`

  it('is shown by the token in its address, and is the same page without it', async () => {
    const { status, text } = await send(
      linked('/embed/symbols/AAPL?theme=dark&bucket=week', 'embed'),
    )
    expect(status).toBe(200)
    expect(JSON.parse(text)).toMatchObject({
      url: '/embed/symbols/AAPL?theme=dark&bucket=week',
      caller: { permissions: ['embed'] },
    })
    const { authorization = '' } = headersOf['token for embed'] ?? {}
    expect((await send('/api/symbols/AAPL/series', { authorization })).status).toBe(200)
  })

  it('opens nothing else by that token, and by no other token than one for charts or for reading', async () => {
    for (const path of ['/', '/symbols/AAPL', '/api/symbols/AAPL', '/api/ratings.csv']) {
      expect((await send(linked(path, 'embed'))).status, path).not.toBe(200)
    }
    const { authorization = '' } = headersOf['token for embed'] ?? {}
    for (const path of ['/api/ratings', '/api/facets', '/api/status', '/api/ratings.csv']) {
      expect((await send(path, { authorization })).status, path).toBe(403)
    }
    expect((await send(linked('/embed/symbols/AAPL', 'read'))).status).toBe(200)
    expect(JSON.parse((await send(linked('/embed/symbols/AAPL', 'export'))).text).url).toBe(
      '/not/found',
    )
    expect((await send('/embed/symbols/AAPL?link=bw_wrong', headersOf.operator)).status).toBe(401)
  })
})

describe('whom a known proxy names', () => {
  let named: Access
  let behind: Server
  let before: Server
  let isKnown = true

  beforeAll(async () => {
    named = await openAccess({
      mode: 'proxy',
      dir: mkdtempSync(join(dir, 'proxy-')),
      now: () => clock.now,
      sleep: async () => undefined,
      limits: { idle: 1000, absolute: 5000 },
      isOperator: (name, groups) => name === 'ada' || groups.includes('ratings-operators'),
      onProblem: () => undefined,
    })
    const gate = createAccessGate({
      access: () => named,
      proxy: { name: 'remote-user', groups: 'x-authentik-groups' },
      isFromProxy: () => isKnown,
      every: () => () => undefined,
      isDev: false,
    })
    behind = serveBehind(gate)
    await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
    before = server
    server = behind
  })
  afterAll(async () => {
    server = before
    behind.closeAllConnections()
    behind.close()
    await named.close()
  })

  const toBytes = (text: string) => Buffer.from(text, 'utf8').toString('latin1')

  async function caller(user: string | string[], groups: string | string[] = '') {
    const sent = { 'remote-user': user, 'x-authentik-groups': groups }
    const { status, text } = await send('/api/ratings', sent)
    return status === 200 ? JSON.parse(text).caller : status
  }

  it('is let in by that name as it is, an operator by name or group', async () => {
    expect(await caller(toBytes('Zoë Kovač'), 'staff, ratings-operators')).toMatchObject({
      name: 'Zoë Kovač',
      permissions: ROLES.operator,
    })
    expect(await caller('bob')).toMatchObject({ name: 'bob', permissions: ROLES.reader })
    expect(await caller(' \tada ')).toMatchObject({ name: 'ada', permissions: ROLES.operator })
  })

  it.each(['', 'root\u200b', '\u202eadmin', 'ada\u00a0'])(
    'is nobody if the name is %j',
    async (user) => {
      expect(await caller(toBytes(user))).toBe(401)
    },
  )

  it('is nobody if the bytes of the name are no UTF-8', async () => {
    expect(await caller('Zo\xeb')).toBe(401)
  })

  it.each([
    ['an operator', 'users|ratings-operators', ROLES.operator],
    ['an operator', 'F\xfchrung | ratings-operators', ROLES.operator],
    ['a reader', toBytes('ratings-operators\u00a0'), ROLES.reader],
    ['a reader', 'friends of ratings-operators, users', ROLES.reader],
  ])('is %s if the groups are %j', async (_role, groups, permissions) => {
    expect(await caller('bob', groups)).toMatchObject({ permissions })
  })

  it('is nobody if it names somebody twice, or groups twice: one of them may be the client’s', async () => {
    expect(await caller(['bob', 'ada'])).toBe(401)
    expect(await caller(['bob', 'bob'])).toBe(401)
    expect(await caller(['', 'bob'])).toBe(401)
    expect(await caller('bob', ['users', 'ratings-operators'])).toBe(401)
  })

  it('is nobody if the proxy is not known', async () => {
    isKnown = false
    expect(await caller('bob', 'ratings-operators')).toBe(401)
    isKnown = true
  })
})

it('who was let in elsewhere a moment ago is looked for before he is refused, and nobody else is', async () => {
  let looks = 0
  const clock = { now: 1_800_000_000 }
  const access = await openAccess({
    mode: 'password',
    dir: mkdtempSync(join(dir, 'elsewhere-')),
    now: () => clock.now,
    sleep: async () => undefined,
    limits: { idle: 1000, absolute: 5000 },
    isOperator: () => false,
    onProblem: () => undefined,
  })
  await access.accounts.add('ada', 'reader', PASSWORD)
  const secret = await begin(access, 'ada')
  const gate = createAccessGate({
    access: () => access,
    async refreshAccess() {
      looks += 1
      await access.refresh()
    },
    proxy: null,
    isFromProxy: () => false,
    every: () => () => undefined,
    isDev: false,
  })
  const behind = serveBehind(gate)
  await new Promise<void>((resolve) => behind.listen(0, '127.0.0.1', resolve))
  const before = server
  server = behind
  try {
    expect((await send('/api/ratings')).status).toBe(401)
    expect(
      (await send('/sign-in', { cookie: `bellwether-session=${'x'.repeat(43)}` })).status,
    ).toBe(200)
    expect(looks).toBe(0)
    const cookie = `bellwether-session=${secret}`
    expect((await send('/api/ratings', { cookie })).status).toBe(200)
    expect((await send('/api/ratings', { cookie })).status).toBe(200)
    expect(looks).toBe(1)
    expect((await send('/api/ratings', { authorization: 'Bearer bw_none' })).status).toBe(401)
    await send('/api/access/sign-out', { cookie: 'bellwether-session=none' }, 'POST')
    expect(looks).toBe(3)
  } finally {
    server = before
    behind.closeAllConnections()
    behind.close()
    await access.close()
  }
})
