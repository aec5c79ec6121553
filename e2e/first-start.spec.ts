import { type RunningApp, startApp } from './support/app.ts'
import { expectKeyNowhere } from './support/operator.ts'
import { type SmallService, startSmallService } from './support/small-service.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const KEY = `CANARY-${'k3y'.repeat(5)}`

let service: SmallService
let app: RunningApp

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  service = await startSmallService(KEY)
  service.setDown(true)
  app = await startApp({ env: { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: KEY } })
})

test.afterAll(async () => {
  await app?.stop()
  await service?.stop()
})

test('with the service down at the first start, the pages come up, say so, and fill by themselves', {
  tag: '@core',
}, async ({ page }) => {
  // The circuit breaker pauses a minute after three failures.
  test.setTimeout(150_000)
  await page.goto(`${app.url}/`)
  await expect(page.getByRole('main')).toContainText(/waiting|cannot|not answer|unavailable|down/i)
  await expectNoAxeViolations(page)
  const downloads = await page.context().newPage()
  await downloads.goto(`${app.url}/downloads`)
  await expect(downloads.getByRole('heading', { level: 1 })).toBeVisible()
  await downloads.close()
  service.setDown(false)
  const rows = page.getByRole('table', { name: 'Ratings' }).getByRole('row')
  await expect(rows).toHaveCount(service.ratings.length + 1, { timeout: 90_000 })
})

test('a label that the service chose is shown as it came', { tag: '@core' }, async ({ page }) => {
  await page.goto(`${app.url}/?rating=5`)
  await expect(page.getByRole('table', { name: 'Ratings' })).toContainText('Label 5')
})

test('the row of the dump that is no rating stands in quarantine with its reason, the rest are in', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto(`${app.url}/status/sync`)
  await page.getByRole('link', { name: 'Show the rows that were set aside' }).click()
  await expect(page).toHaveURL(/\/status\/quarantine$/)
  await expect(page.getByRole('table', { name: 'Rows set aside' })).toContainText(/prediction/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rows set aside')
  const { data } = await (await page.request.get(`${app.url}/api/status`)).json()
  expect(data.quarantine.rows).toBe(1)
  expect(data.archive.ratings).toBe(service.ratings.length)
})

test('a dump of any columns can be read and downloaded', { tag: '@core' }, async ({ page }) => {
  await page.goto(`${app.url}/downloads`)
  await expect(page.getByText('A, B')).toBeVisible()
  const text = await (await page.request.get(`${app.url}/api/v1/lookups/dumps`)).text()
  expect(text).toBe('when,what\n2026-01-01,AAPL\n2026-01-02,"A, B"\n')
})

test('visitors cost no request', { tag: '@core' }, async ({ page }) => {
  const before = service.count()
  for (const path of ['/', '/?symbol=AAPL', '/symbols/AAPL', '/users/1', '/downloads', '/status']) {
    await page.goto(app.url + path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  for (let i = 0; i < 10; i += 1) await page.request.get(`${app.url}/api/v1/posts/dumps`)
  expect(service.count() - before).toBeLessThanOrEqual(3)
})

test('a key that is refused later is said plainly, and views go on', { tag: '@core' }, async ({
  page,
}) => {
  service.setRefusing(true)
  const refused = await page.request.get(`${app.url}/api/v1/posts?page=2`)
  expect(refused.status()).toBe(502)
  expect((await refused.json()).error.type).toBe('upstream_refused')
  await page.goto(`${app.url}/?symbol=AAPL`)
  await expect(page.getByRole('table', { name: 'Ratings' })).toContainText('AAPL')
  service.setRefusing(false)
})

test('the key is nowhere that anybody could read it', { tag: '@core' }, async ({ page }) => {
  await expectKeyNowhere(page, app, KEY)
})
