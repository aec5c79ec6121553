import { expect, it } from 'vitest'
import { isNearHost } from './near-host.ts'

it('an address that cannot be reached from the internet is known as one', () => {
  for (const host of [
    'localhost',
    '127.0.0.1',
    '192.168.1.9',
    '10.0.0.2',
    '172.20.0.1',
    '[::1]',
    'nas',
    'nas.local',
  ]) {
    expect(isNearHost(host), host).toBe(true)
  }
  for (const host of ['ratings.example.com', '172.32.0.1', '8.8.8.8', '[2001:db8::1]']) {
    expect(isNearHost(host), host).toBe(false)
  }
})
