import { type RunningApp, startApp } from './support/app.ts'
import { freshnessLine } from './support/operator.ts'
import { rows } from './support/ratings-page.ts'
import { type SmallService, startSmallService } from './support/small-service.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

let service: SmallService
let app: RunningApp
let dumps: { release(): void }

test.beforeAll(async () => {
  test.setTimeout(120_000)
  service = await startSmallService('key-of-the-first-minute', 40_000)
  dumps = service.holdDumps()
  app = await startApp({
    env: { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: 'key-of-the-first-minute' },
  })
})

test.afterAll(async () => {
  dumps?.release()
  await app?.stop()
  await service?.stop()
})

test('the first start shows which step of how many it is, how far that is, and then the ratings, unasked', async ({
  page,
}) => {
  await page.goto(`${app.url}/`)
  const main = page.getByRole('main')
  const steps = main.getByRole('list', { name: 'Steps' }).getByRole('listitem')
  await expect(steps).toHaveText([/Fetch the dump/, /Import its rows/, /Work out changes/])
  await expect(main.locator('[aria-current="step"]')).toHaveText(/Fetch the dump/)
  const bar = main.getByRole('progressbar', { name: 'Fetching' })
  await expect(bar).toHaveAttribute('aria-valuenow', /^(4\d|50)$/)
  await expect(bar).toHaveAttribute('aria-valuetext', /^[\d.]+ MB of [\d.]+ MB$/)
  await expect(freshnessLine(page)).toContainText(/Fetching [\d.]+ MB of [\d.]+ MB/)
  await expectNoAxeViolations(page)
  await page.setViewportSize({ width: 360, height: 800 })
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360)
  dumps.release()
  await expect(rows(page)).toHaveCount(50, { timeout: 30_000 })
})
