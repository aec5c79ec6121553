import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApi, type TestApi } from './api.test-support.ts'

const AT_ONCE = 16

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

const ask = (signal?: AbortSignal) => test.ask('/api/ratings.csv', { signal })
const askMany = () => Promise.all(Array.from({ length: AT_ONCE }, () => ask()))

it('exports beyond what memory allows at once are told to come back', async () => {
  const running = await askMany()
  expect(running.every(({ status }) => status === 200)).toBe(true)
  const refused = await ask()
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
  expect(await refused.json()).toMatchObject({ success: false, error: { type: 'busy' } })
  await Promise.all(running.map((response) => response.body?.cancel()))
})

it.each([
  ['was read to its end', async (response: Response) => void (await response.text())],
  ['was left unread', async (response: Response) => await response.body?.cancel()],
])('an export that %s makes room for another', async (_how, finish) => {
  const running = await askMany()
  await Promise.all(running.map(finish))
  const again = await askMany()
  expect(again.map(({ status }) => status)).toEqual(running.map(() => 200))
  await Promise.all(again.map((response) => response.body?.cancel()))
})

it('an export whose reader went away before it began makes room for another', async () => {
  const gone = new AbortController()
  await Promise.all(Array.from({ length: AT_ONCE }, () => ask(gone.signal)))
  gone.abort()
  const next = await ask()
  expect(next.status).toBe(200)
  await next.body?.cancel()
})
