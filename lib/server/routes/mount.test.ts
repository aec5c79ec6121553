import { afterAll, beforeAll, expect, it } from 'vitest'
import { failure } from '#lib/contract/answers/envelope.ts'
import { ADDRESSES as ALL } from '#lib/contract/operations/operations.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

const isDownload = (address: string) =>
  /dumps$|\.duckdb$|\{file\}$/.test(address) && address !== '/api/dumps'
const isOfAccess = (address: string) => address.startsWith('/api/access/')
const ADDRESSES = ALL.filter(({ address }) => !isDownload(address) && !isOfAccess(address)).map(
  ({ address, operations }) => [address, operations.map(({ method }) => method)] as const,
)

it.each(ADDRESSES)(
  '%s refuses every other method in the envelope, and says which it takes',
  async (address, methods) => {
    const path = address.replace('{symbol}', 'AAPL').replace('{id}', '1')
    const taken = methods.flatMap((one) => (one === 'GET' ? ['GET', 'HEAD'] : [one]))
    for (const method of METHODS) {
      const response = await test.ask(path, { method })
      if (taken.includes(method)) {
        expect(response.status, method).not.toBe(405)
        await response.body?.cancel()
        continue
      }
      expect(response.status, method).toBe(405)
      expect(response.headers.get('allow')).toBe(taken.join(', '))
      if (method === 'HEAD') continue
      expect(failure.parse(await response.json()).error.type).toBe('method_not_allowed')
    }
  },
)

it.each(['/api', '/api/nowhere', '/api/symbols/A/B', '/api/ratings.xml', '/api/v1'])(
  'an address that is none, %s, is a 404 in the envelope, whatever the method',
  async (path) => {
    for (const method of METHODS) {
      const response = await test.ask(path, { method })
      expect(response.status, method).toBe(404)
      if (method === 'HEAD') continue
      expect(failure.parse(await response.json()).error.type).toBe('not_found')
    }
  },
)
