import { isIP } from 'node:net'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import {
  parseIpAddress,
  toClientNetwork,
  toProviderNetwork,
  toReachedAddress,
} from './ip-address.ts'

test.each([
  ['203.0.113.8', '203.0.113.8'],
  ['::FFFF:203.0.113.8', '203.0.113.8'],
  ['::ffff:cb00:7108', '203.0.113.8'],
  ['0:0:0:0:0:ffff:cb00:7108', '203.0.113.8'],
  ['2001:DB8:0:0:0:0:0:1', '2001:db8::1'],
  ['2001:0db8::0001', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:10.0.0.1%2', '10.0.0.1'],
  ['64:ff9b::203.0.113.8', '64:ff9b::cb00:7108'],
  ['::', '::'],
])('the canonical form of %s is %s', (text, canonical) => {
  expect(parseIpAddress(text)).toBe(canonical)
  expect(parseIpAddress(canonical)).toBe(canonical)
})

test.each([
  ...['', ' ', 'unknown', '_x', 'localhost', '1', '127.1', '0x7f.0.0.1', '010.0.0.1', '1.2.3.256'],
  ...['1.2.3.4.', '1.2.3.4:80', '1.2.3.4%eth0', '[::1]', '::1]', '::1/64', ':::', '1:2', '::1%'],
  ...['1:2:3:4:5:6:7:8:9', '::12345', '::ffff:1.2.3', ' ::1', '１.2.3.4', '::1%a b'],
])('%j is no address', (text) => {
  expect(parseIpAddress(text)).toBeNull()
})

test('the same texts are addresses as for the system, and each has one form', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0159af:.%'), maxLength: 24 })
  fc.assert(
    fc.property(fc.oneof(fc.ipV4(), fc.ipV6(), digits), (text) => {
      const canonical = parseIpAddress(text)
      expect(canonical === null).toBe(isIP(text) === 0)
      if (canonical !== null) expect(parseIpAddress(canonical)).toBe(canonical)
    }),
    { numRuns: draws(2000) },
  )
})

test('an IPv4 address behind a NAT64 is told apart from all others', () => {
  expect(toReachedAddress('64:ff9b::7f00:1')).toBe('127.0.0.1')
  for (const other of ['127.0.0.1', '64:ff9b:1::7f00:1', '2001:db8::7f00:1', '::']) {
    expect(toReachedAddress(other)).toBe(other)
  }
})

test('clients of IPv4 are each a network of their own, and so are 64 bits of IPv6', () => {
  const network = (text: string) => toClientNetwork(parseIpAddress(text) ?? '')
  expect(network('::ffff:203.0.113.8')).toBe('203.0.113.8')
  expect(network('64:ff9b::203.0.113.8')).toBe('203.0.113.8')
  expect(network('2001:db8:0:7::1')).toBe(network('2001:db8::7:ffff:0:0:1'))
  expect(network('2001:db8:0:8::1')).not.toBe(network('2001:db8:0:7::1'))
  expect(toClientNetwork('')).toBe('')
})

test('clients of one provider are those of an IPv4 /16 or of an IPv6 /32', () => {
  expect(toProviderNetwork('203.0.113.8')).toBe(toProviderNetwork('203.0.2.1'))
  expect(toProviderNetwork('203.0.113.8')).not.toBe(toProviderNetwork('203.1.113.8'))
  expect(toProviderNetwork('2001:db8::1')).toBe(toProviderNetwork('2001:db8:ffff:1::1'))
  expect(toProviderNetwork('2001:db8::1')).not.toBe(toProviderNetwork('2001:db9::1'))
  expect(toProviderNetwork('64:ff9b::cb00:7108')).toBe(toProviderNetwork('203.0.113.8'))
})
