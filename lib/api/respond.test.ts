import { describe, expect, it } from 'vitest'
import { isFromUs } from './respond.ts'

const HOST = { host: 'nas.lan:3000' }
const BEARER = { authorization: 'Bearer bw_x' }

const fromUs = (headers: Record<string, string>) => isFromUs(new Headers({ ...HOST, ...headers }))

describe('a request that changes something', () => {
  it.each([
    ['a browser says that its page is ours', { 'sec-fetch-site': 'same-origin' }],
    ['a browser says so and hides the origin', { 'sec-fetch-site': 'same-origin', origin: 'null' }],
    ['its origin is our host over plain http', { origin: 'http://nas.lan:3000' }],
    ['its origin is our host over https', { origin: 'https://nas.lan:3000' }],
    ['a script sends a token', BEARER],
    ['a browser extension sends a token', { ...BEARER, 'sec-fetch-site': 'none' }],
    ['our page sends a token', { ...BEARER, origin: 'http://nas.lan:3000' }],
  ])('is accepted when %s', (_when, headers) => {
    expect(fromUs(headers)).toBe(true)
  })

  const FOREIGN = [
    ['another site', { origin: 'http://evil.example' }],
    ['another port of our host', { origin: 'http://nas.lan:3001' }],
    ['a subdomain of our host', { origin: 'http://x.nas.lan:3000' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page with an unreadable origin', { origin: 'nas.lan:3000' }],
    ['a page with an empty origin', { origin: '' }],
    ['another site, by its fetch metadata', { 'sec-fetch-site': 'cross-site' }],
    ['a sibling host', { 'sec-fetch-site': 'same-site', origin: 'http://nas.lan:3000' }],
  ] as const

  it.each(FOREIGN)('is refused when it comes from %s', (_where, headers) => {
    expect(fromUs(headers)).toBe(false)
  })

  it.each(FOREIGN)('is refused when it comes from %s with a token', (_where, headers) => {
    expect(fromUs({ ...headers, ...BEARER })).toBe(false)
  })

  it('is refused when nothing says where it comes from', () => {
    expect(fromUs({})).toBe(false)
    expect(fromUs({ authorization: 'Basic YWRhOng=' })).toBe(false)
    expect(fromUs({ 'sec-fetch-site': 'none' })).toBe(false)
  })
})
