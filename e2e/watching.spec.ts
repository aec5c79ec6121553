import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import type { Rating } from '#lib/contract/rating.ts'
import { makeRating } from '#testing/make-ratings.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { rows } from './support/ratings-page.ts'
import { type SmallService, startSmallService } from './support/small-service.ts'
import { STORED, storeFirst } from './support/stored.ts'
import {
  expect,
  expectNoAxeViolations,
  expectNoOverflow,
  test,
  untilListening,
} from './support/test.ts'

const KEY = 'key-of-those-who-watch'
const SECONDS = { timeout: 20_000 }

let service: SmallService
let app: RunningApp
let dataDir: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-watching-'))
  service = await startSmallService(KEY, 300)
  const env = { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: KEY, DATA_DIR: dataDir }
  app = await startApp({ env })
  await expect.poll(countRatings, { timeout: 60_000 }).toBe(300)
})

test.afterAll(async () => {
  await app?.stop()
  await service?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const countRatings = async (): Promise<number> =>
  (await (await fetch(`${app.url}/api/status`)).json()).data.archive.ratings

async function rate(...changes: Partial<Rating>[]): Promise<number[]> {
  const { ratings } = service
  const first = ratings.length + 1
  ratings.push(...changes.map((change, index) => makeRating(first + index, change)))
  await expect(async () => {
    await fetch(`${app.url}/api/sync`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: '{}',
    })
    expect(await countRatings()).toBe(ratings.length)
  }).toPass({ timeout: 40_000, intervals: [500] })
  return changes.map((_, index) => first + index)
}

const star = (page: Page, name: string) =>
  page.getByRole('button', { name: `Watch ${name}`, exact: true })
const place = (page: Page, name: string | RegExp = /^Watching/) =>
  page.getByRole('banner').getByRole('link', { name })
const line = (page: Page, name: string) =>
  page.getByRole('listitem').filter({ has: page.getByText(name, { exact: true }) })

async function watch(page: Page, path: string, name: string) {
  await page.goto(app.url + path)
  await expect(star(page, name)).toHaveAttribute('aria-pressed', 'false')
  await star(page, name).click()
  await expect(star(page, name)).toHaveAttribute('aria-pressed', 'true')
}

const settled = (page: Page) =>
  expect
    .poll(
      () =>
        page.evaluate((key) => {
          const { stars } = JSON.parse(localStorage.getItem(key) ?? '').state
          return stars.every(({ seen }: { seen: unknown }) => seen !== null)
        }, STORED),
      SECONDS,
    )
    .toBe(true)

async function keepView(page: Page) {
  await storeFirst(page, { views: [{ id: 'twos', name: 'Twos', address: 'rating=2' }] })
}

async function watchThree(page: Page) {
  await keepView(page)
  await watch(page, '/symbols/aapl', 'AAPL')
  await page.goto(`${app.url}/users/3`)
  await page.keyboard.press('w')
  await expect(star(page, 'user 3')).toHaveAttribute('aria-pressed', 'true')
  await page.goto(app.url)
  await page.getByRole('button', { name: /^Views/ }).click()
  await star(page, 'Twos').click()
  await expect(star(page, 'Twos')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Escape')
  await settled(page)
}

test('the header leads to what is watched before anything is, and the page says how it begins', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto(`${app.url}/symbols/AAPL`)
  await expect(star(page, 'AAPL')).toHaveAttribute('aria-pressed', 'false')
  await place(page, 'Watching').click()
  await expect(page.getByText('Nothing is watched yet')).toBeVisible()
  await expect(page).toHaveTitle('Watching · Bellwether')
})

test('the empty page offers the five most rated symbols, which stay in their place as they get their stars', async ({
  page,
}) => {
  const answer = await page.request.get(`${app.url}/api/symbols?sort=-ratings&per_page=5`)
  const symbols = (await answer.json()).data.map(({ symbol }: { symbol: string }) => symbol)
  await page.goto(`${app.url}/watching`)
  const offered = page.getByRole('list', { name: 'Most rated symbols' })
  await expect(offered.getByRole('link')).toHaveText(symbols)
  const second = offered.getByRole('button', { name: `Watch ${symbols[1]}`, exact: true })
  const box = await second.boundingBox()
  await offered.getByRole('button', { name: `Watch ${symbols[0]}`, exact: true }).click()
  const watched = page.getByRole('list', { name: 'Watched symbols' })
  await expect(watched.getByRole('link', { name: symbols[0], exact: true })).toBeVisible()
  expect(await second.boundingBox()).toEqual(box)
  await second.click()
  await expect(watched.getByRole('listitem')).toHaveCount(2)
  await expectNoAxeViolations(page)
  await page.reload()
  await expect(watched.getByRole('listitem')).toHaveCount(2)
  await expect(offered).toHaveCount(0)
})

test('ratings that come to what is watched are counted in the title and told once; each number leads to exactly these', async ({
  page,
}) => {
  await watchThree(page)
  const box = await place(page, 'Watching').boundingBox()
  await expect(page).toHaveTitle('Ratings · Bellwether')
  const [all, aapl] = await rate(
    { symbol: 'AAPL', user_id: 3, rating: 2 },
    { symbol: 'AAPL', user_id: 4, rating: 1 },
    { symbol: 'MSFT', user_id: 5, rating: 4 },
  )
  await expect(page).toHaveTitle('(2) Ratings · Bellwether', SECONDS)
  expect(await place(page, 'Watching, 2 new').boundingBox(), 'moves nothing').toEqual(box)
  await place(page, 'Watching, 2 new').click()
  await expect(page.getByRole('status').filter({ hasText: '2 new ratings' })).toBeVisible()
  await expect(line(page, 'AAPL')).toContainText('2 new ratings')
  await expect(line(page, 'User 3')).toContainText('1 new rating')
  await expect(line(page, 'Twos')).toContainText('1 new match')
  await expect(page).toHaveTitle('Watching · Bellwether')
  await expect(place(page, 'Watching')).toBeVisible()
  await expectNoAxeViolations(page)
  await line(page, 'AAPL').getByRole('link', { name: '2 new ratings' }).click()
  await expect(page).toHaveURL(`${app.url}/?id=${all},${aapl}`)
  await expect(rows(page)).toHaveCount(2)
  await page.goBack()
  await expect(line(page, 'AAPL')).toContainText('2 ratings')
  await page.reload()
  await expect(line(page, 'AAPL')).toContainText('2 ratings')
  await expect(line(page, 'AAPL')).not.toContainText('new')
  await expect(page).toHaveTitle('Watching · Bellwether')
})

test('what comes while the page is in sight joins the list, and a rating posted months ago is as new as any', async ({
  page,
}) => {
  await watchThree(page)
  await page.goto(`${app.url}/watching`)
  await expect(line(page, 'AAPL')).toContainText('Nothing new')
  const [late] = await rate({ symbol: 'AAPL', user_id: 5, rating: 3, created_at: 1_767_225_600 })
  await expect(line(page, 'AAPL')).toContainText('1 new rating', SECONDS)
  const [next] = await rate({ symbol: 'AAPL', user_id: 5, rating: 3 })
  await expect(line(page, 'AAPL')).toContainText('2 new ratings', SECONDS)
  await expect(page).toHaveTitle('Watching · Bellwether')
  const link = line(page, 'AAPL').getByRole('link', { name: '2 new ratings' })
  // Older than the fifty that are listed.
  await expect(link).toHaveAttribute('href', new RegExp(`symbol=AAPL&from=|id=${late},${next}$`))
})

test('a page counts as a look where it shows what came, and at no other time', async ({ page }) => {
  await watchThree(page)
  await page.goto(`${app.url}/symbols/AAPL?asof=2026-06-03`)
  await rate({ symbol: 'AAPL', user_id: 1, rating: 1 })
  await expect(page).toHaveTitle(/^\(1\) /, SECONDS)
  await page.goto(`${app.url}/symbols/AAPL`)
  await expect(page).toHaveTitle(/^AAPL/, SECONDS)
  await rate({ symbol: 'AAPL', user_id: 1, rating: 1 })
  await expect(page).toHaveTitle(/^\(1\) AAPL/, SECONDS)
  await page.reload()
  await expect(page).toHaveTitle(/^AAPL/, SECONDS)
  await rate({ symbol: 'MSFT', user_id: 3, rating: 2 })
  await expect(page).toHaveTitle(/^\(1\) /, SECONDS)
  await page.goto(`${app.url}/users/3`)
  const ofUser = service.ratings.filter(({ user_id }) => user_id === 3).length
  await expect.poll(() => page.evaluate(readSeenOfUser, STORED), SECONDS).toBe(ofUser)
  await expect(page).toHaveTitle(/^\(1\) User 3/)
  await page.goto(`${app.url}/?rating=2`)
  await expect(page).not.toHaveTitle(/^\(/, SECONDS)
})

const readSeenOfUser = (key: string): number =>
  JSON.parse(localStorage.getItem(key) ?? '').state.stars.find(
    ({ kind }: { kind: string }) => kind === 'user',
  ).seen.ratings

const setHidden = (page: Page, isHidden: boolean) =>
  page.evaluate((hidden) => {
    const state = hidden ? 'hidden' : 'visible'
    Object.defineProperty(document, 'visibilityState', { value: state, configurable: true })
    Object.defineProperty(document, 'hidden', { value: hidden, configurable: true })
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
  }, isHidden)

test('a tab that nobody sees counts on, tells the icon, and has looked at nothing', async ({
  page,
}) => {
  test.setTimeout(90_000)
  await page.addInitScript(() => {
    const told: unknown[] = []
    Object.assign(window, { told })
    const note = (count: unknown) => Promise.resolve(void told.push(count))
    Object.defineProperty(navigator, 'setAppBadge', { value: note, configurable: true })
    Object.defineProperty(navigator, 'clearAppBadge', {
      value: () => note('none'),
      configurable: true,
    })
  })
  await watchThree(page)
  await page.goto(`${app.url}/watching`)
  await expect(line(page, 'AAPL')).toContainText('Nothing new')
  await setHidden(page, true)
  await rate({ symbol: 'AAPL', user_id: 1, rating: 1 }, { symbol: 'AAPL', user_id: 2, rating: 1 })
  await expect(page).toHaveTitle('(2) Watching · Bellwether', { timeout: 40_000 })
  const told = () => page.evaluate(() => Reflect.get(window, 'told').at(-1))
  expect(await told()).toBe(2)
  await setHidden(page, false)
  await expect(page).toHaveTitle('Watching · Bellwether', SECONDS)
  await expect(line(page, 'AAPL')).toContainText('2 new ratings')
  await expect.poll(told).toBe('none')
})

test('a look in one tab is a look in the other, and so is a star', async ({ page, context }) => {
  await watchThree(page)
  const other = await context.newPage()
  await other.goto(app.url)
  await untilListening(other)
  await rate({ symbol: 'AAPL', user_id: 1, rating: 1 })
  await expect(other).toHaveTitle('(1) Ratings · Bellwether', SECONDS)
  await expect(page).toHaveTitle('(1) Ratings · Bellwether', SECONDS)
  await page.goto(`${app.url}/watching`)
  await expect(line(page, 'AAPL')).toContainText('1 new rating')
  await expect(other).toHaveTitle('Ratings · Bellwether')
  await star(page, 'AAPL').click()
  await expect(page.getByText('AAPL is not watched any more')).toBeVisible()
  await other.goto(`${app.url}/symbols/AAPL`)
  await expect(star(other, 'AAPL')).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(star(other, 'AAPL')).toHaveAttribute('aria-pressed', 'true')
  await expect(line(page, 'AAPL')).toContainText('1 new rating')
})

test('stars of what is gone are shown as such and taken away, and break nothing', async ({
  page,
}) => {
  await watchThree(page)
  await page.evaluate((key) => {
    const stored = JSON.parse(localStorage.getItem(key) ?? '')
    const { stars, views } = stored.state
    const odd = { ...stars[0], seen: null, before: null }
    stars.push({ ...odd, key: 'NOBODY' }, { ...odd, kind: 'user', key: '987654' })
    stars.push({ ...odd, kind: 'view', key: 'deleted', name: 'Was here' }, { nonsense: true })
    views[0].address = 'rating=two'
    localStorage.setItem(key, JSON.stringify(stored))
  }, STORED)
  await page.goto(`${app.url}/watching`)
  await expect(line(page, 'NOBODY')).toContainText('no rating of this symbol')
  await expect(line(page, 'User 987654')).toContainText('no rating by this user')
  await expect(line(page, 'Was here')).toContainText('was deleted')
  await expect(line(page, 'Twos')).toContainText('can no longer be read')
  await expect(line(page, 'AAPL')).toContainText('Nothing new')
  for (const name of ['NOBODY', 'User 987654', 'Was here']) {
    await line(page, name).getByRole('button').click()
    await expect(line(page, name)).toHaveCount(0)
  }
  await page.setViewportSize({ width: 390, height: 844 })
  await expectNoOverflow(page)
})

test('stars go along with the saved views in one file', async ({ page, browser }) => {
  await watchThree(page)
  await page.getByRole('button', { name: /^Views/ }).click()
  await page.getByRole('button', { name: 'Manage, import, export…' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export as JSON' }).click()
  const file = await (await download).path()
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({
    format: 'bellwether.views',
    version: 1,
    watched: { symbols: ['AAPL'], users: [3], views: ['twos'] },
  })
  const elsewhere = await (await browser.newContext()).newPage()
  await elsewhere.goto(app.url)
  await untilListening(elsewhere)
  await elsewhere.getByRole('button', { name: /^Views/ }).click()
  await elsewhere.getByRole('button', { name: 'Manage, import, export…' }).click()
  await elsewhere.getByLabel('Import a file').setInputFiles(file)
  await expect(elsewhere.getByText('1 view added, 0 already here, 3 stars added')).toBeVisible()
  await elsewhere.goto(`${app.url}/watching`)
  for (const name of ['AAPL', 'User 3', 'Twos']) {
    await expect(line(elsewhere, name)).toContainText('Nothing new')
  }
  await elsewhere.context().close()
})
