import { expect, it } from 'vitest'
import { toTriedAddress } from './tried-address.ts'

const SERIES = { address: '/api/symbols/{symbol}/series', names: ['bucket', 'from'] }
const ask = (text: string, parts?: Record<string, string>) =>
  toTriedAddress(SERIES, new URLSearchParams(text), parts)

it('a form asks for what its fields say, and for nothing that is empty or unknown', () => {
  expect(ask('symbol=BRK.B&bucket=week&from=&page=2')).toBe('/api/symbols/BRK.B/series?bucket=week')
  expect(ask('symbol=AAPL')).toBe('/api/symbols/AAPL/series')
})

it('what stands in a path stays one part of it', () => {
  expect(ask('symbol=a/../b?c#d')).toBe('/api/symbols/a%2F..%2Fb%3Fc%23d/series')
  expect(ask('symbol= ', { symbol: 'AAPL' })).toBe('/api/symbols/AAPL/series')
})
