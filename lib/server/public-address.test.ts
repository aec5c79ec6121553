import { expect, it } from 'vitest'
import { toPublicOrigin } from './public-address.ts'

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
