import { type RunningApp, startApp } from './support/app.ts'
import { type SmallService, startSmallService } from './support/small-service.ts'
import { expect, test } from './support/test.ts'

let service: SmallService
let app: RunningApp
let dumps: { release(): void }

test.beforeAll(async () => {
  test.setTimeout(120_000)
  service = await startSmallService('key-of-the-first-visitor', 300)
  dumps = service.holdDumps()
  const env = { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: service.key }
  app = await startApp({ env })
})

test.afterAll(async () => {
  dumps.release()
  await app?.stop()
  await service?.stop()
})

test('who comes while a dump is being fetched sees how far it is, and waits on the same fetch', async ({
  page,
}) => {
  await page.goto(`${app.url}/downloads`)
  const card = page
    .getByRole('region', { name: 'Posts dump' })
    .or(page.getByRole('article', { name: 'Posts dump' }))
  await expect(card.getByRole('progressbar')).toBeVisible()
  const waiting = [1, 2, 3].map(() => page.request.get(`${app.url}/api/v1/posts/dumps`))
  const before = service.count('posts') + service.count('lookups')
  dumps.release()
  const answers = await Promise.all(waiting)
  expect(answers.map((answer) => answer.status())).toEqual([200, 200, 200])
  expect(before).toBe(1)
  await expect(
    card
      .getByRole('link', { name: /^Download posts dump/ })
      .or(card.getByRole('button', { name: /^Download posts dump/ }))
      .first(),
  ).toBeVisible()
  const { data } = await (await page.request.get(`${app.url}/api/dumps`)).json()
  expect(answers[0]?.headers()['content-length']).toBe(String(data.posts.edition.bytes))
})
