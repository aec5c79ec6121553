import { expect, it } from 'vitest'
import { listApiRoutes } from '#lib/api/list-routes.mjs'
import { ADDRESSES, readParts, toAddress } from './questions.ts'

it('whatever is asked, there is a file that answers at its address', () => {
  const routes = listApiRoutes(process.cwd())
  for (const address of Object.values(ADDRESSES)) expect(routes).toContain(address)
  expect(new Set(Object.values(ADDRESSES)).size).toBe(Object.keys(ADDRESSES).length)
})

it.each(['AAPL', 'BRK/B', '100%', 'a b', '[symbol]', '.rsc', 'é', '?x=1#y'])(
  'a part of an address is read back as it was written: %s',
  (symbol) => {
    const params = new URLSearchParams({ bucket: 'week', from: '2024-01-01' })
    const address = toAddress({ kind: 'series', parts: { symbol }, params })
    const { pathname, search } = new URL(address, 'http://x')
    expect(pathname + search).toBe(address)
    expect(readParts('series', pathname)).toEqual({ symbol })
    expect(String(new URL(address, 'http://x').searchParams)).toBe(String(params))
  },
)

it('a part that cannot be decoded is no part', () => {
  expect(() => readParts('symbol', '/api/symbols/%ff')).toThrow(URIError)
})
