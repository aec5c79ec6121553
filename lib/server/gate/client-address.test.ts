import type { IncomingMessage } from 'node:http'
import { expect, test } from 'vitest'
import { createNetworks, toClient } from './client-address.ts'

const isProxy = createNetworks(['127.0.0.0/8', '::1', '10.0.0.0/8', '192.168.1.1'])

function clientOf(peer: string | undefined, headers: Record<string, string | undefined>) {
  const request = { socket: { remoteAddress: peer }, headers }
  return toClient(request as unknown as IncomingMessage, isProxy)
}

test.each([
  ['203.0.113.9', undefined, '203.0.113.9'],
  ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
  ['127.0.0.1', undefined, '127.0.0.1'],
  ['::ffff:10.0.0.2', '198.51.100.1', '198.51.100.1'],
  ['::ffff:a00:2', '198.51.100.1', '198.51.100.1'],
  ['::1', 'chosen, 10.9.9.9, 2001:db8::7', '2001:db8::7'],
  ['192.168.1.1', 'nonsense', '192.168.1.1'],
  [undefined, '198.51.100.1', ''],
  ['127.0.0.1', '198.51.100.66, 203.0.113.9:51234', '203.0.113.9'],
  ['127.0.0.1', '198.51.100.1, 10.0.0.3:8080, ::ffff:10.0.0.4', '198.51.100.1'],
])('the client behind %s with X-Forwarded-For %s is %s', (peer, named, client) => {
  expect(clientOf(peer, { 'x-forwarded-for': named })).toBe(client)
})

test.each([
  ['203.0.113.8:51234', '203.0.113.8'],
  [' \t203.0.113.8:51234 ', '203.0.113.8'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['2001:db8::1:51234', '2001:db8::1'],
  ['2001:db8:0:0:0:0:0:1:443', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:203.0.113.8', '203.0.113.8'],
  ['[::ffff:cb00:7108]:443', '203.0.113.8'],
])(
  'a port, brackets and the spelling of %s are no part of the client’s address',
  (named, client) => {
    expect(clientOf('127.0.0.1', { 'x-forwarded-for': named })).toBe(client)
    expect(clientOf('127.0.0.1', { forwarded: `proto=https;For="${named}"` })).toBe(client)
  },
)

test.each([
  ...['', ' ', ',', 'unknown', '_hidden', '203.0.113.8:', '203.0.113.8:x', '203.0.113.8:123456'],
  ...['203.0.113.8 203.0.113.9', '[203.0.113.8', '[]', '[unknown]:1', '203.0.113.256', 'host:80'],
  ...['203.0.113.8:80:80', '203.0.113.8\u00a0', '"203.0.113.8"', '203.0.113.8/32', '3405803784'],
])('nothing left of %j is believed: the request counts as the proxy’s own', (unreadable) => {
  const named = (hop: string) => ({ 'x-forwarded-for': `198.51.100.1, ${hop}` })
  expect(clientOf('127.0.0.1', named(unreadable))).toBe('127.0.0.1')
  expect(clientOf('127.0.0.1', named(`${unreadable}, 10.0.0.2`))).toBe('127.0.0.1')
})

test.each([
  ['for=203.0.113.8', '203.0.113.8'],
  ['for=198.51.100.1, FOR="203.0.113.8:4711" ; by=10.0.0.1', '203.0.113.8'],
  ['for=203.0.113.8:4711, for="[::ffff:10.0.0.2]";proto=http', '203.0.113.8'],
  ['for="203.0.113.8:_port"', '203.0.113.8'],
  // A quote opened by the client must not swallow the proxy's element.
  ['for=198.51.100.1;x=", for="[2001:db8::1]:4711"', '2001:db8::1'],
  ['for="198.51.100.1\\, for=203.0.113.8', '203.0.113.8'],
  ['for=198.51.100.1, for=unknown', '127.0.0.1'],
  ['for=198.51.100.1, for=_gazonk', '127.0.0.1'],
  ['for=198.51.100.1, for="_gazonk:1"', '127.0.0.1'],
  ['for=198.51.100.1, proto=https', '127.0.0.1'],
  ['for=198.51.100.1, for=203.0.113.8;for=203.0.113.9', '127.0.0.1'],
  ['for=198.51.100.1, for="203.0.113.8', '127.0.0.1'],
  ['for=198.51.100.1, for="203.0.113.\\8"', '127.0.0.1'],
  ['for = 203.0.113.8', '127.0.0.1'],
  ['203.0.113.8', '127.0.0.1'],
  ['', '127.0.0.1'],
])('the client that Forwarded names by %s is %s', (forwarded, client) => {
  expect(clientOf('127.0.0.1', { forwarded })).toBe(client)
})

test('of two headers that differ neither is believed, whichever of them the proxy wrote', () => {
  const both = (one: string, other: string) =>
    clientOf('127.0.0.1', { 'x-forwarded-for': one, forwarded: `for="${other}"` })
  expect(both('203.0.113.8', '203.0.113.8:4711')).toBe('203.0.113.8')
  expect(both('203.0.113.8', '198.51.100.1')).toBe('127.0.0.1')
  expect(both('203.0.113.8', 'unknown')).toBe('127.0.0.1')
  expect(both('unknown', '198.51.100.1')).toBe('127.0.0.1')
  expect(both('10.0.0.1', '198.51.100.1')).toBe('127.0.0.1')
})

test('what anybody but a trusted proxy says of the client leaves the request', () => {
  const headers = { forwarded: 'for=198.51.100.1', 'x-forwarded-for': '198.51.100.1' }
  expect(clientOf('203.0.113.9', headers)).toBe('203.0.113.9')
  expect(headers).toEqual({})
})
