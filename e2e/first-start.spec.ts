import { type RunningApp, startApp } from './support/app.ts'
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
