import { expect, test } from 'vitest'
import { isInside, selectOwnAddresses, selectRefusal, selectUrlRefusal } from './receivers.ts'

test.each([
  ...['0.0.0.0', '10.1.2.3', '100.64.0.1', '100.127.255.255', '127.0.0.1', '127.255.255.254'],
  ...['169.254.169.254', '172.16.0.1', '172.31.255.255', '192.0.0.192', '192.168.1.1'],
  ...['198.18.0.1', '224.0.0.1', '240.0.0.1', '255.255.255.255', '203.0.113.9'],
  ...['::', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:169.254.169.254', '::ffff:a00:1'],
  ...['::7f00:1', 'fe80::1', 'fe80::1%eth0', 'fc00::1', 'fd00:ec2::254', 'ff02::1', 'fec0::1'],
  ...['0:0:0:0:0:FFFF:7F00:1', '64:FF9B:0::127.0.0.1', '64:ff9b:1::7f00:1', '::ffff:0:7f00:1'],
  ...['64:ff9b::7f00:1', '64:ff9b::10.0.0.1', '2002:7f00:1::', '2001::1', '2001:db8::1'],
  'no address',
])('%s is inside', (address) => {
  expect(isInside(address)).toBe(true)
})

test.each([
  ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '172.15.255.255'],
  ...['172.32.0.0', '192.169.0.1', '223.255.255.255', '169.253.255.255'],
  ...['2606:4700::1111', '2a00:1450::1', '::ffff:1.1.1.1', '64:ff9b::101:101'],
])('%s is outside', (address) => {
  expect(isInside(address)).toBe(false)
})

test('an address of this machine is refused though it is outside', () => {
  expect(selectRefusal('93.184.215.14', new Set(['93.184.215.14']))).toMatch(/this server/)
  expect(selectRefusal('93.184.215.14', new Set())).toBeNull()
  expect(selectOwnAddresses()).toContain('127.0.0.1')
})

test.each([
  ...['[::ffff:93.184.215.14]', '[::ffff:5db8:d70e]', '[0:0:0:0:0:FFFF:5DB8:D70E]'],
  ...['[64:ff9b::93.184.215.14]', '[64:ff9b::5db8:d70e]', '[2A00:1450::0:1]', '93.184.215.14'],
])('an address of this machine is refused as %s, too', (host) => {
  const own = new Set(['93.184.215.14', '2a00:1450::1'])
  expect(selectUrlRefusal(new URL(`https://${host}/hook`), own)).toMatch(/this server/)
  expect(selectRefusal(host.replace(/[[\]]/g, ''), own)).toMatch(/this server/)
  expect(selectUrlRefusal(new URL(`https://${host}/hook`), new Set())).toBeNull()
})
