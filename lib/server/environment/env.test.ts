import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { readBasePath, selectBasePathProblem, toBuildFolder } from './base-path-rule.mjs'
import { parseEnv, processEnv, toWarnings } from './env.ts'

const problemsOf = (source: Record<string, string>) => {
  const parsed = parseEnv(source)
  return parsed.ok ? [] : parsed.problems
}

const warningsOf = (source: Record<string, string>) => {
  const parsed = parseEnv(source)
  if (!parsed.ok) throw new Error(parsed.problems.join())
  return toWarnings(parsed.env)
}

it('an empty environment is the documented defaults', () => {
  expect(parseEnv({})).toMatchObject({
    ok: true,
    env: {
      port: 3000,
      host: '127.0.0.1',
      baseUrl: null,
      apiKey: null,
      keyIn: 'query',
      perMinute: 60,
      perMonth: null,
      demoRatings: 100_000,
      demoSeed: 1,
      demoTailSeconds: 20,
    },
  })
})

it('every problem is listed at once, by name, and no value is repeated', () => {
  const wrong = {
    PORT: '70000',
    HOST: 'no host!',
    RATINGS_BASE_URL: 'ftp://SECRET.example',
    RATINGS_API_KEY: 'SECRET with blanks',
    RATINGS_KEY_IN: 'cookie-SECRET',
    RATINGS_PER_MINUTE: '0',
    RATINGS_PER_MONTH: '1.5',
    SERVICE_POSTS_CSV: '/no/such/SECRET.csv',
    DEMO_RATINGS: 'SECRET',
    DEMO_SEED: '-1',
    DEMO_TAIL_SECONDS: '1e3',
  }
  const text = problemsOf(wrong).join('\n')
  for (const name of Object.keys(wrong)) expect(text).toContain(name)
  expect(text).not.toContain('SECRET')
})

it.each([
  'file:///etc/passwd',
  'http://user:password@host/',
  '//host/path',
  'https://host/?api_key=1',
  'https://host/#part',
  'not an address',
])('the base address %s is refused', (address) => {
  const problems = problemsOf({ RATINGS_BASE_URL: address, RATINGS_API_KEY: 'k' })
  expect(problems).toEqual([expect.stringContaining('RATINGS_BASE_URL')])
})

it('a service of somebody else needs its key', () => {
  expect(problemsOf({ RATINGS_BASE_URL: 'https://ratings.example' })).toEqual([
    'RATINGS_API_KEY or RATINGS_API_KEY_FILE is required with RATINGS_BASE_URL',
  ])
})

it.each(['socks5://127.0.0.1:1080', 'http://ada:%ff@proxy.example', 'http://', 'a proxy'])(
  'the proxy %s is refused',
  (proxy) => {
    expect(problemsOf({ HTTPS_PROXY: proxy })).toEqual([
      'HTTPS_PROXY is not an http or https address of a proxy',
    ])
  },
)

it('on loopback only names of loopback and those that were allowed are served', () => {
  const hostsOf = (source: Record<string, string>) => {
    const parsed = parseEnv(source)
    return parsed.ok ? parsed.env.allowedHosts : undefined
  }
  expect(hostsOf({})).toEqual(expect.arrayContaining(['localhost', '127.0.0.1', '[::1]']))
  expect(hostsOf({ ALLOWED_HOSTS: 'Ratings.Example' })).toContain('ratings.example')
  expect(hostsOf({ HOST: '0.0.0.0', ACCESS: 'open' })).toBeNull()
})

it('a file that the environment names may go while the process runs: it goes on as it began', () => {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-env-'))
  onTestFinished(() => {
    vi.unstubAllEnvs()
    rmSync(dir, { recursive: true, force: true })
  })
  const csv = join(dir, 'posts.csv')
  writeFileSync(csv, 'id\n')
  vi.stubEnv('SERVICE_POSTS_CSV', csv)
  expect(processEnv()).toMatchObject({ ok: true, env: { postsCsv: csv } })
  rmSync(csv)
  expect(processEnv()).toMatchObject({ ok: true, env: { postsCsv: csv } })
})

it.each([
  'http://169.254.169.254/latest',
  'http://[fe80::1]/',
  'http://[fd00:ec2::254]/',
  'http://[::ffff:169.254.169.254]/',
  'http://2852039166/',
])('%s is no address of a ratings service', (RATINGS_BASE_URL) => {
  expect(problemsOf({ RATINGS_BASE_URL, RATINGS_API_KEY: 'k' }).join()).toMatch(/^RATINGS_BASE_URL/)
})

it('a key that would travel in the clear is warned of, but on this machine', () => {
  const warned = (RATINGS_BASE_URL: string) =>
    warningsOf({ RATINGS_BASE_URL, RATINGS_API_KEY: 'k' })
  expect(['http://ratings.example/', 'http://10.0.0.7/'].flatMap(warned)).toHaveLength(2)
  expect(
    ['https://ratings.example/', 'http://127.0.0.3:8080/', 'http://[::1]/'].flatMap(warned),
  ).toEqual([])
  expect(warningsOf({})).toEqual([])
})

it('on an address that others reach, the process does not start before it is said who is let in', () => {
  for (const host of ['0.0.0.0', '::', '192.168.1.2', 'ratings.lan']) {
    expect(problemsOf({ HOST: host })).toEqual([expect.stringMatching(/^ACCESS is required/)])
    expect(warningsOf({ HOST: host, ACCESS: 'open' })).toEqual([
      expect.stringMatching(/^ACCESS is open/),
    ])
    expect(problemsOf({ HOST: host, ACCESS: 'password' })).toEqual([])
  }
  for (const host of ['127.0.0.1', '127.9.9.9', 'localhost', '::1']) {
    expect(problemsOf({ HOST: host })).toEqual([])
  }
})

it('what is missing or wrong for a way in is listed, all of it', () => {
  const wrong = { ACCESS: 'oidc', INDEXING: 'on', TRUSTED_PROXIES: '10.0.0.0/33,x' }
  expect(problemsOf(wrong).map((problem) => problem.split(' ')[0])).toEqual([
    'TRUSTED_PROXIES',
    'OIDC_ISSUER',
    'OIDC_CLIENT_ID',
    'PUBLIC_URL',
    'INDEXING',
    'PUBLIC_URL',
  ])
  expect(problemsOf({ ACCESS: 'proxy' })).toEqual([expect.stringMatching(/^TRUSTED_PROXIES/)])
  expect(problemsOf({ OIDC_ISSUER: 'https://id.example' })).toEqual([
    expect.stringMatching(/^OIDC_ISSUER requires/),
  ])
})

it('no shared cache keeps a page where people sign in', () => {
  const secondsOf = (source: Record<string, string>) => {
    const parsed = parseEnv(source)
    return parsed.ok ? parsed.env.sharedCacheSeconds : null
  }
  expect(secondsOf({ SHARED_CACHE_SECONDS: '60' })).toBe(60)
  expect(secondsOf({ SHARED_CACHE_SECONDS: '60', ACCESS: 'password' })).toBe(0)
})

const OIDC = {
  ACCESS: 'oidc',
  OIDC_ISSUER: 'https://id.example/realms/a',
  OIDC_CLIENT_ID: 'bellwether',
  PUBLIC_URL: 'https://ratings.example',
}

it('a provider on another machine is asked by https alone', () => {
  expect(problemsOf(OIDC)).toEqual([])
  for (const host of ['127.0.0.1:8080', 'localhost', '[::1]:9000', '127.9.9.9']) {
    expect(problemsOf({ ...OIDC, OIDC_ISSUER: `http://${host}/realms/a` })).toEqual([])
  }
  for (const host of ['id.example', '10.0.0.7', 'localhost.example', '127.0.0.1.example']) {
    expect(problemsOf({ ...OIDC, OIDC_ISSUER: `http://${host}/` })).toEqual([
      expect.stringContaining('OIDC_ISSUER is plain http'),
    ])
  }
})

const RATINGS_BASE_URL = 'https://ratings.example'

it.each([
  ['nothing', null, 'names a file that cannot be read'],
  ['an empty file', ' \n', 'names an empty file'],
  [
    'a bad character',
    'SECRET key\n',
    'names a file that contains a character that is invalid in a key',
  ],
  [
    'a byte that is no ASCII',
    'SECRET\u00fc',
    'names a file that contains a character that is invalid in a key',
  ],
  ['far too much', 'SECRET'.repeat(1000), 'names a file too large for a key'],
])(
  'a file for the key that is %s is a problem of the start, told without what it holds',
  (_what, text, problem) => {
    const RATINGS_API_KEY_FILE = writeKey(text)
    const problems = problemsOf({ RATINGS_BASE_URL, RATINGS_API_KEY_FILE })
    expect(problems).toEqual([`RATINGS_API_KEY_FILE ${problem}`])
  },
)

it('a key is read from its file without the blanks around it, and only for the service of somebody else', () => {
  const RATINGS_API_KEY_FILE = writeKey(' the-key\r\n')
  expect(parseEnv({ RATINGS_BASE_URL, RATINGS_API_KEY_FILE })).toMatchObject({
    env: { apiKey: 'the-key', apiKeyFile: RATINGS_API_KEY_FILE },
  })
  expect(problemsOf({ RATINGS_API_KEY_FILE }).join()).toMatch(/RATINGS_BASE_URL, which is unset/)
  const both = { RATINGS_BASE_URL, RATINGS_API_KEY: 'k', RATINGS_API_KEY_FILE }
  expect(problemsOf(both).join()).toMatch(/remove one/)
})

function writeKey(text: string | null): string {
  const dir = mkdtempSync(join(tmpdir(), 'bellwether-key-'))
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }))
  const path = join(dir, 'key')
  if (text !== null) writeFileSync(path, text)
  return path
}

it('a shared database needs a service that all nodes share, and is told of without its password', () => {
  const url = 'postgres://bellwether:SECRET@db.example.com/ratings'
  expect(problemsOf({ DATABASE_URL: url }).join()).toContain('RATINGS_BASE_URL is required')
  const broken = problemsOf({
    DATABASE_URL: `${url}?sslmode=SECRET`,
    RATINGS_BASE_URL: 'https://a.example',
  })
  expect(broken.join()).toContain('DATABASE_URL has an sslmode')
  expect(broken.join()).not.toContain('SECRET')
  const service = { RATINGS_BASE_URL: 'https://a.example', RATINGS_API_KEY: 'k' }
  expect(parseEnv({ ...service, DATABASE_URL: url, NODE_NAME: 'a', PORT: '3001' })).toMatchObject({
    ok: true,
    env: { nodeName: 'a', database: { name: 'ratings', tls: 'verify-full' } },
  })
  expect(parseEnv({ ...service, PORT: '3001' })).toMatchObject({
    ok: true,
    env: { database: null, nodeName: expect.stringMatching(/:3001$/) },
  })
})

it('a path is taken as it is written, and one that cannot be one is named among the rest', () => {
  expect(problemsOf({ BASE_PATH: '/ratings' })).toEqual([])
  const problems = problemsOf({ BASE_PATH: 'SECRET/', PORT: '0' })
  expect(problems.map((problem) => problem.split(' ')[0])).toEqual(
    expect.arrayContaining(['BASE_PATH', 'PORT']),
  )
  expect(problems.join()).not.toContain('SECRET')
})

it('a process that is told another path than its build has does not start', () => {
  const problemsBuiltFor = (builtFor: string, source: Record<string, string>) => {
    const parsed = parseEnv(source, builtFor)
    return parsed.ok ? [] : parsed.problems
  }
  expect(problemsBuiltFor('/ratings', { BASE_PATH: '/ratings' })).toEqual([])
  expect(problemsBuiltFor('', { BASE_PATH: ' ' })).toEqual([])
  expect(problemsBuiltFor('/ratings', {})).toEqual([expect.stringContaining('(/ratings)')])
  expect(problemsBuiltFor('', { BASE_PATH: '/ratings', PORT: '0' })).toEqual([
    expect.stringMatching(/^PORT /),
    expect.stringMatching(/^BASE_PATH differs from the path of this build \(none\)/),
  ])
})

it('a file of alert rules is refused with where rules are kept now and how to import it', () => {
  expect(problemsOf({ ALERTS_FILE: '/etc/alerts.json' })).toEqual([
    expect.stringMatching(/^ALERTS_FILE is no longer read: .*Status → Alerts.*import-alerts FILE/),
  ])
})

it.each(['', '/ratings', '/a', '/team-2/ratings', '/r.1_x~', '/apis', '/services'])(
  'BASE_PATH=%s is taken',
  (path) => expect(selectBasePathProblem(path)).toBeNull(),
)

it.each([
  ...['/', 'ratings', '/ratings/', '//ratings', '/a//b', '/Ratings', '/a b', '/ä', '/a?b', '/a#b'],
  ...['/.', '/..', '/a/..', '/.hidden', '/%61', '/a\\b', 'https://host/a', '/a\n', '/a*'],
  ...['/api', '/api/ratings', '/service', '/_next', '/_next/static'],
])('BASE_PATH=%j is refused', (path) =>
  expect(selectBasePathProblem(path)).toMatch(/^(?:is not a|begins with)/),
)

it('blanks around it are no part of it, and an empty one is none', () => {
  expect(readBasePath({ BASE_PATH: ' /ratings ' })).toBe('/ratings')
  expect([readBasePath({ BASE_PATH: ' ' }), readBasePath({})]).toEqual(['', ''])
})

it('the build without a path lies where it always did', () => {
  expect(toBuildFolder('')).toBe('.next')
  expect(toBuildFolder('/team/ratings')).toBe('.next-team-ratings')
})
