import { expect, it } from 'vitest'
import { isAllowedHost } from './allowed-hosts.ts'

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
