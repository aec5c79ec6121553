import { afterAll, beforeAll, expect, it } from 'vitest'
import { listApiRoutes } from '#lib/api/list-routes.mjs'
import { failure } from '#lib/contract/answers/envelope.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

/** What asks for something to be done. */
const DONE: Readonly<Record<string, 'POST' | 'DELETE'>> = {
  '/api/alerts/given-up': 'POST',
  '/api/alerts/rules': 'POST',
  '/api/alerts/rules/{name}': 'DELETE',
  '/api/alerts/try': 'POST',
  '/api/backups': 'POST',
  '/api/sync': 'POST',
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']

/** Files on disk: `send-edition.test.ts` has them. */
const isDownload = (address: string) => /dumps$|\{file\}$/.test(address) && address !== '/api/dumps'
/** Where people sign in: `access-answers.test.ts` has them. */
const isOfAccess = (address: string) => address.startsWith('/api/access/')
const ADDRESSES = listApiRoutes(process.cwd()).filter(
  (address) => !isDownload(address) && !isOfAccess(address),
)

it.each(ADDRESSES)(
  '%s refuses every other method in the envelope, and says which it takes',
  async (address) => {
    const path = address.replace('{symbol}', 'AAPL').replace('{id}', '1')
    const done = DONE[address]
    const taken: string[] = done === undefined ? ['GET', 'HEAD'] : [done]
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
