import { describe, expect, it } from 'vitest'
import {
  isAllowedHost,
  isEmbedPath,
  toCacheHeaders,
  toHashedPolicy,
  toPagePolicy,
  toPublicOrigin,
  toScriptHash,
  toStrictTransport,
} from './request-policy.ts'

const directive = (path: string, name: string) =>
  toPagePolicy({ nonce: 'abc', path, isDev: false })
    .split('; ')
    .find((one) => one.startsWith(`${name} `))

describe('what may stand in a frame', () => {
  it.each([
    '/',
    '/symbols/AAPL',
    '/embed',
    '/embedded/x',
    '/symbols/embed/x',
    '/Embed/symbols/AAPL',
    '/%65mbed/x',
  ])('%s refuses every frame', (path) => {
    expect(isEmbedPath(path)).toBe(false)
    expect(directive(path, 'frame-ancestors')).toBe("frame-ancestors 'none'")
  })

  it('an embed may be framed by anybody, and sends no form', () => {
    expect(directive('/embed/symbols/AAPL', 'frame-ancestors')).toBe('frame-ancestors *')
    expect(directive('/embed/symbols/AAPL', 'form-action')).toBe("form-action 'none'")
  })

  it('a path that climbs out of the embeds is not one of them', () => {
    for (const path of ['/embed/../status', '/embed/%2e%2e/status', '/embed/./../status']) {
      expect(isEmbedPath(new URL(path, 'http://a').pathname)).toBe(false)
    }
  })
})

it('scripts and styles need the nonce of their own answer, on every page', () => {
  for (const path of ['/', '/embed/symbols/AAPL']) {
    expect(directive(path, 'script-src')).toBe("script-src 'self' 'nonce-abc' 'strict-dynamic'")
    expect(directive(path, 'style-src')).toBe("style-src 'self' 'nonce-abc'")
  }
})

it('a page that many get names its scripts by their hashes and has no other way in', () => {
  for (const path of ['/', '/embed/symbols/AAPL']) {
    const policy = toPagePolicy({ nonce: 'abc', path, isDev: false })
    const hash = toScriptHash('alert(1)')
    expect(hash).toBe("'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='")
    const hashed = toHashedPolicy(policy, [hash])
    expect(hashed).toContain(`script-src 'self' ${hash}; style-src 'self';`)
    expect(hashed).not.toMatch(/nonce|strict-dynamic|unsafe-eval/)
    expect(hashed.split('; ')).toHaveLength(policy.split('; ').length)
  }
})

it('a cache that others share may send a page for moments, and keeps none where it may not', () => {
  expect(toCacheHeaders(10)['cache-control']).toMatch(/^public, max-age=0, s-maxage=10,/)
  expect(toCacheHeaders(0)).toEqual({ 'cache-control': 'private, no-cache' })
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

it('any host is served where none is named', () => {
  expect(isAllowedHost(null, 'anything')).toBe(true)
})

const originOf = (given: Record<string, string>, publicUrl: URL | null = null) =>
  toPublicOrigin(publicUrl, new Headers(given)).href

it('a link names the public address whatever a request names, and the host of the request where there is none', () => {
  const known = new URL('https://ratings.example')
  expect(originOf({ host: 'evil.example' }, known)).toBe('https://ratings.example/')
  expect(originOf({ host: '127.0.0.1:3000' })).toBe('http://127.0.0.1:3000/')
  expect(originOf({ host: '[::1]:3000' })).toBe('http://[::1]:3000/')
  expect(originOf({ host: 'a.example', 'x-forwarded-proto': 'https,http' })).toBe(
    'https://a.example/',
  )
})

it.each(['', 'a.example/path', 'user@a.example', 'a.example:99999', 'a b', '<script>'])(
  'what is no host, as %j, is written into no link',
  (host) => expect(originOf({ host })).toBe('http://localhost/'),
)

it.each([
  [0, 'https://a.example', 'https', null],
  [600, null, null, null],
  [600, null, 'http', null],
  [600, null, 'http,https', null],
  [600, null, 'https', 'max-age=600'],
  [600, null, 'https,http', 'max-age=600'],
  [600, 'http://a.example', null, null],
  [600, 'https://a.example', null, 'max-age=600'],
])(
  'with HSTS_SECONDS %i, PUBLIC_URL %s and a proxy that says %s, a browser is told %s',
  (hstsSeconds, address, proto, said) => {
    const publicUrl = address === null ? null : new URL(address)
    expect(toStrictTransport({ hstsSeconds, publicUrl }, proto)).toBe(said)
  },
)
