import type { IncomingHttpHeaders } from 'node:http'
import { describe, expect, it } from 'vitest'
import {
  isEmbedPath,
  isForwardedHttps,
  listScriptHashes,
  toCacheHeaders,
  toPagePolicy,
  toPublicOrigin,
  toStrictTransport,
} from './request-policy.ts'

const directive = (path: string, name: string) =>
  toPagePolicy({ path, isDev: false })
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
})

it('allows the inline scripts of the page by their hashes, and nothing else', () => {
  const html =
    '<script>alert(1)</script><script src="/a.js" async=""></script><script>alert(1)</script>'
  const scriptHashes = listScriptHashes(html)
  expect(scriptHashes).toEqual(["'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI='"])
  for (const path of ['/', '/embed/symbols/AAPL']) {
    const policy = toPagePolicy({ path, isDev: false, scriptHashes })
    expect(policy).toContain(`script-src 'self' ${scriptHashes.join()}; style-src 'self';`)
    expect(policy.replace("style-src-attr 'unsafe-inline'", '')).not.toMatch(
      /nonce|strict-dynamic|unsafe-/,
    )
    expect(directive(path, 'script-src')).toBe("script-src 'self'")
  }
})

it('a cache that others share may send a page for moments, and keeps none where it may not', () => {
  expect(toCacheHeaders(10)['cache-control']).toMatch(/^public, max-age=0, s-maxage=10,/)
  expect(toCacheHeaders(0)).toEqual({ 'cache-control': 'private, no-cache' })
})

const originOf = (given: IncomingHttpHeaders, publicUrl: URL | null = null) =>
  toPublicOrigin(publicUrl, { host: given.host ?? '', isHttps: isForwardedHttps(given) }).href

it('a link names the public address whatever a request names, and the host of the request where there is none', () => {
  const known = new URL('https://ratings.example')
  expect(originOf({ host: 'evil.example' }, known)).toBe('https://ratings.example/')
  expect(originOf({ host: '127.0.0.1:3000' })).toBe('http://127.0.0.1:3000/')
  expect(originOf({ host: '[::1]:3000' })).toBe('http://[::1]:3000/')
  expect(originOf({ host: 'a.example', 'x-forwarded-proto': 'http,https' })).toBe(
    'https://a.example/',
  )
})

it.each(['', 'a.example/path', 'user@a.example', 'a.example:99999', 'a b', '<script>'])(
  'what is no host, as %j, is written into no link',
  (host) => expect(originOf({ host })).toBe('http://localhost/'),
)

it.each<[string, boolean]>([
  ['https', true],
  ['HTTPS', true],
  [' Https ', true],
  ['http, https', true],
  ['http,\tHTTPS', true],
  ['javascript, https', true],
  ['https, http', false],
  ['https,', false],
  ['https, ', false],
  ['HTTP', false],
  ['xhttps', false],
  ['https2', false],
  ['http https', false],
  ['', false],
])('reads the last scheme when a proxy sends X-Forwarded-Proto %j', (proto, isHttps) => {
  expect(isForwardedHttps({ 'x-forwarded-proto': proto })).toBe(isHttps)
})

const toHeaders = (proto: string | null) => (proto === null ? {} : { 'x-forwarded-proto': proto })

it.each([
  [0, 'https://a.example', 'https', null],
  [600, null, null, null],
  [600, null, 'http', null],
  [600, null, 'https', 'max-age=600'],
  [600, 'http://a.example', null, null],
  [600, 'https://a.example', null, 'max-age=600'],
])(
  'with HSTS_SECONDS %i, PUBLIC_URL %s and a proxy that says %s, a browser is told %s',
  (hstsSeconds, address, proto, said) => {
    const publicUrl = address === null ? null : new URL(address)
    expect(toStrictTransport({ hstsSeconds, publicUrl }, isForwardedHttps(toHeaders(proto)))).toBe(
      said,
    )
  },
)
