import { describe, expect, it } from 'vitest'
import { createPageReader } from './reader.ts'

const read = createPageReader()
const of = (headers: Record<string, string>, path = '/') =>
  read({ host: 'a.example', ...headers }, path).headers

const table = (text: string) => `table=${encodeURIComponent(text)}`
const COMPACT = '{"version":1,"density":"compact"}'

describe('what a page may know of who asks', () => {
  it('nothing that is not named here, whatever a request says', () => {
    const secret = 'Basic YTpi'
    const given = {
      authorization: secret,
      cookie: `session=${secret}; ${table(COMPACT)}; theme=dark; visited=1`,
      'user-agent': 'Somebody/1.0 Mobile',
      'sec-ch-ua-mobile': '?1',
      'accept-language': 'de',
      referer: 'https://elsewhere.example/',
      'x-forwarded-for': '203.0.113.9',
      'x-embed-theme': 'dark',
      'x-page-path': '/other',
      'x-nonce': 'chosen',
      'content-security-policy': "script-src 'unsafe-inline'",
    }
    expect(of(given)).toEqual({ host: 'a.example', cookie: table(COMPACT) })
    for (const path of ['/users', '/symbols/AAPL']) {
      expect(of(given, path)).toEqual({ host: 'a.example' })
    }
  })

  it('what he may do, and no more of who he is: two readers who may do the same get the same page', () => {
    const operator = { 'x-may': 'read export sync inspect manage', 'x-caller': 'ada' }
    expect(of(operator, '/users')).toEqual({
      host: 'a.example',
      'x-may': 'read export sync inspect manage',
    })
    const readers = ['ada', 'bob'].map((name) => of({ 'x-may': 'read export', 'x-caller': name }))
    expect(readers[0]).toEqual(readers[1])
    expect(readers[0]).not.toEqual(of(operator))
    expect(read({ 'x-may': 'read' }, '/users').vary).toContain('Cookie')
  })

  it('of a list, the settings of its own columns alone', () => {
    const kept = (name: string) => `${name}=${encodeURIComponent(COMPACT)}`
    const cookie = ['table', 'table.symbols', 'table.calls', 'table.audit'].map(kept).join('; ')
    expect(of({ cookie }, '/symbols').cookie).toBe(kept('table.symbols'))
    expect(of({ cookie }, '/users/12').cookie).toBe(kept('table.calls'))
    expect(of({ cookie }, '/access/audit').cookie).toBe(kept('table.audit'))
    for (const path of ['/users', '/lookups', '/symbols/AAPL', '/about']) {
      expect(of({ cookie }, path), path).not.toHaveProperty('cookie')
    }
  })

  it('two tables that mean the same are one', () => {
    const unknown = '{"version":1,"density":"compact","order":["nothing"],"x":1}'
    expect(of({ cookie: table(unknown) })).toEqual(of({ cookie: table(COMPACT) }))
    for (const cookie of ['table=%E0%A4%A', 'table={', 'table=', `table=${'x'.repeat(9000)}`]) {
      expect(of({ cookie })).toEqual(of({}))
    }
  })

  it('a link says https where a proxy in front does', () => {
    expect(of({ 'x-forwarded-proto': 'https, http' })['x-forwarded-proto']).toBe('https')
    expect(of({ 'x-forwarded-proto': 'javascript' })).toEqual(of({}))
  })
})

it('`Vary` names every header that a page at the path is made from', () => {
  const cookie = ['table', 'table.users', 'table.symbols', 'table.calls']
    .map((name) => `${name}=${encodeURIComponent(COMPACT)}`)
    .join('; ')
  const other = {
    'accept-language': 'de',
    cookie,
    'user-agent': 'Mobile',
    'sec-ch-ua-mobile': '?1',
  }
  for (const path of [
    '/',
    '/users',
    '/users/12',
    '/symbols',
    '/symbols/AAPL',
    '/embed/symbols/AAPL',
    '/about',
  ]) {
    const plain = read({ host: 'a' }, path)
    for (const [name, value] of Object.entries(other)) {
      const differs =
        JSON.stringify(read({ host: 'a', [name]: value }, path).headers) !==
        JSON.stringify(plain.headers)
      if (differs)
        expect(
          plain.vary.map((one) => one.toLowerCase()),
          path,
        ).toContain(name)
    }
  }
})
