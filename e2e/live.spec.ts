import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { makeRatings } from '#testing/make-ratings.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { freshnessLine } from './support/operator.ts'
import { frame, rows } from './support/ratings-page.ts'
import { type SmallService, startSmallService } from './support/small-service.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const KEY = 'key-of-those-who-listen'
const EVENTS = '**/api/events'
const SECONDS = { timeout: 20_000 }

let service: SmallService
let app: RunningApp
let dataDir: string

test.describe.configure({ mode: 'serial' })

const start = (env: Record<string, string> = {}) =>
  startApp({
    env: { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: KEY, DATA_DIR: dataDir, ...env },
  })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-live-'))
  service = await startSmallService(KEY, 300)
  app = await start()
  await expect.poll(countRatings, { timeout: 60_000 }).toBe(300)
})

test.afterAll(async () => {
  await app?.stop()
  await service?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const readData = async (path: string) => (await (await fetch(app.url + path)).json()).data
const countRatings = async (): Promise<number> => (await readData('/api/status')).archive.ratings

async function countStreams(): Promise<number> {
  const text = await (await fetch(`${app.url}/api/metrics`)).text()
  return Number(/^bellwether_event_streams(?:\{[^}]*\})? (\d+)$/m.exec(text)?.[1])
}

async function rate(count: number) {
  const { ratings } = service
  const first = ratings.length + 1
  ratings.push(...makeRatings(first, first + count - 1))
  await expect(async () => {
    await fetch(`${app.url}/api/sync`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: '{}',
    })
    expect(await countRatings()).toBe(ratings.length)
  }).toPass({ timeout: 40_000, intervals: [500] })
}

const offer = (page: Page) => page.getByRole('button', { name: /new ratings?|have changed/ })

async function listen(page: Page, path = '/') {
  const answered = page.waitForResponse(EVENTS)
  await page.goto(app.url + path)
  expect((await answered).headers()['content-type']).toContain('text/event-stream')
}

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)

test('new ratings are offered as they come, unasked, and nothing moves until they are wanted', async ({
  page,
}) => {
  // Updates must come from the stream.
  await page.route('**/api/status', () => {})
  await listen(page)
  await frame(page).evaluate((element) => element.scrollTo({ top: 300 }))
  const shown = await rows(page).allInnerTexts()
  const box = await frame(page).boundingBox()
  await rate(37)
  await expect(page.getByRole('button', { name: '37 new ratings' })).toBeVisible(SECONDS)
  await expect(page.getByRole('status').filter({ hasText: 'Newer ratings' })).toHaveCount(1)
  expect(await rows(page).allInnerTexts()).toEqual(shown)
  expect(await frame(page).boundingBox()).toEqual(box)
  expect(await frame(page).evaluate(({ scrollTop }) => scrollTop)).toBe(300)
  await expectNoAxeViolations(page)
  await offer(page).click()
  await expect(rows(page).first()).toContainText('337')
  await expect(offer(page)).toBeHidden()
  expect(await frame(page).evaluate(({ scrollTop }) => scrollTop)).toBe(0)
  await expect(frame(page)).toBeFocused()
})

test('under a filter only the ratings that pass it are counted, and where none does nothing is offered', async ({
  page,
  context,
}) => {
  const first = service.ratings.length + 1
  const coming = makeRatings(first, first + 9)
  const { symbol } = coming[0] ?? { symbol: '' }
  const count = coming.filter((rating) => rating.symbol === symbol).length
  expect(count).toBeLessThan(10)
  const unmatched = await context.newPage()
  await listen(unmatched, '/?symbol=NOSUCHSYMBOL')
  await listen(page, `/?symbol=${symbol}`)
  await rate(10)
  const name = new RegExp(`^${count} new ratings?`)
  await expect(page.getByRole('button', { name })).toBeVisible(SECONDS)
  await expect(offer(unmatched)).toHaveCount(0)
  await unmatched.close()
})

test('a tab that nobody sees holds no stream, and catches up when it is seen again', async ({
  page,
}) => {
  await expect.poll(countStreams, SECONDS).toBe(0)
  await listen(page)
  await expect.poll(countStreams, SECONDS).toBe(1)
  await setHidden(page, true)
  await expect.poll(countStreams, SECONDS).toBe(0)
  await rate(2)
  await expect(offer(page)).toHaveCount(0)
  await setHidden(page, false)
  await expect(page.getByRole('button', { name: '2 new ratings' })).toBeVisible(SECONDS)
  expect(await countStreams()).toBe(1)
})

test('one stream serves every page that is gone to, and what other sites embed has none', async ({
  page,
}) => {
  const opened: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/api/events')) opened.push(request.url())
  })
  await listen(page)
  const main = page.getByRole('navigation', { name: 'Main' })
  for (const name of ['Symbols', 'Users']) {
    await main.getByRole('link', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(name)
  }
  await freshnessLine(page).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Status')
  expect(opened).toHaveLength(1)
  await page.goto(`${app.url}/embed/symbols/AAPL`)
  await page.waitForLoadState('networkidle')
  await expect.poll(countStreams, SECONDS).toBe(0)
  expect(opened).toHaveLength(1)
})

test.describe('a restart', () => {
  test.use({ allowConsole: ['net::ERR_CONNECTION_REFUSED', 'net::ERR_CONNECTION_RESET'] })

  test('is not held up by those who listen, and they listen again after it', async ({ page }) => {
    test.setTimeout(120_000)
    await listen(page)
    const { port } = new URL(app.url)
    // At the shutdown deadline an open stream would be cut, which the console would show.
    expect(await app.stop()).toBe(0)
    app = await start({ PORT: port })
    await expect.poll(countStreams, { timeout: 60_000 }).toBe(1)
    await rate(3)
    await expect(page.getByRole('button', { name: '3 new ratings' })).toBeVisible(SECONDS)
  })
})
