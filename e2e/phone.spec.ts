import type { Locator, Page } from '@playwright/test'
import { nextPage, previousPage } from './support/ratings-page.ts'
import { searchField } from './support/search.ts'
import { expect, expectNoOverflow, test } from './support/test.ts'

test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

test.afterEach(async ({ page }) => await expectNoOverflow(page))

const main = (page: Page) => page.getByRole('main')
const title = (page: Page) => page.getByRole('heading', { level: 1 })

async function total(page: Page, search: string): Promise<string> {
  const answer = await (await page.request.get(`/api/ratings${search}`)).json()
  return answer.page.total.toLocaleString('en-US')
}

test('ratings are filtered in a drawer, sorted, paged and opened', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto('/')
  await page.getByRole('button', { name: /^Filters/ }).tap()
  await page.getByRole('checkbox', { name: /^Strong Buy/ }).tap()
  await expect(page).toHaveURL(/\?rating=5$/)
  await page.keyboard.press('Escape')
  await expect(title(page)).toHaveText(`${await total(page, '?rating=5')} ratings`)
  const card = page.getByRole('table', { name: 'Ratings' }).getByRole('row').nth(1)
  const newest = await card.innerText()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Prediction')
  await expect(page).toHaveURL(/sort=-prediction/)
  await expect.poll(async () => await card.innerText()).not.toBe(newest)
  const highest = await card.innerText()
  await nextPage(page).tap()
  await expect(page).toHaveURL(/page=2/)
  await expect.poll(async () => await card.innerText()).not.toBe(highest)
  await card.tap()
  const sheet = page.getByRole('dialog', { name: /^Rating/ })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
})

test('one line of the pager stays in sight; its settings follow at the end of the rows, or on focus', async ({
  page,
}) => {
  await page.goto('/')
  const size = page.getByRole('combobox', { name: 'Rows per page' })
  const places = page.getByRole('navigation', { name: 'Main' })
  await expect(nextPage(page)).toBeInViewport({ ratio: 1 })
  const topOf = async (part: Locator) => (await part.boundingBox())?.y ?? Number.NaN
  expect(await topOf(size)).toBeGreaterThanOrEqual(await topOf(places))
  await size.focus()
  expect(await topOf(size)).toBeLessThan(await topOf(places))
  await size.blur()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  expect(await topOf(size)).toBeLessThan(await topOf(places))
})

test('as narrow as 300 px, both steps of the pager are in sight', async ({ page }) => {
  await page.setViewportSize({ width: 300, height: 640 })
  await page.goto('/?page=300')
  await expect(previousPage(page)).toBeInViewport({ ratio: 1 })
  await expect(nextPage(page)).toBeInViewport({ ratio: 1 })
})

test('the search leads to a symbol', { tag: '@core' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: /^Search/ }).tap()
  await searchField(page).fill('AAPL')
  await page.getByRole('option', { name: /^Symbol AAPL / }).tap()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)
  await expect(title(page)).toHaveText(/^AAPL/)
})

test('a symbol is read over another range and in other buckets', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto('/symbols/AAPL')
  await page.getByRole('radio', { name: '1Y' }).tap()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d$/)
  await page.getByLabel('Bucket').selectOption('month')
  await expect(page).toHaveURL(/bucket=month/)
  await expect(
    page.getByRole('figure', { name: 'Rating and prediction over time, AAPL' }),
  ).toBeVisible()
})

test('a symbol is watched, and is listed on the page Watching', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto('/symbols/AAPL')
  const star = page.getByRole('button', { name: 'Watch AAPL' })
  await star.tap()
  await expect(star).toHaveAttribute('aria-pressed', 'true')
  await page.goto('/watching')
  await expect(main(page).getByRole('link', { name: 'AAPL' }).first()).toBeVisible()
})

for (const { path, table, leadsTo } of [
  { path: '/symbols', table: 'Symbols', leadsTo: /\/symbols\/[^/]+$/ },
  { path: '/users', table: 'Users', leadsTo: /\/users\/\d+$/ },
]) {
  test(`a row of ${path} is a card that leads to its page`, { tag: '@core' }, async ({ page }) => {
    await page.goto(path)
    const card = page.getByRole('table', { name: table, exact: true }).getByRole('row').nth(1)
    await card.getByRole('link').first().tap()
    await expect(page).toHaveURL(leadsTo)
    await expect(title(page)).toBeVisible()
  })
}

test('the places are at the foot of the window, over none of the content, and the page alone scrolls', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/')
  const nav = page.getByRole('navigation', { name: 'Main' })
  await expect(page.getByRole('link', { name: /^Demo data: .* fictional users/ })).toBeVisible()
  const { top, bottom } = await nav.evaluate((element) => element.getBoundingClientRect().toJSON())
  expect(bottom).toBe(844)
  for (const link of await nav.getByRole('link').all()) {
    expect((await link.boundingBox())?.height).toBeGreaterThanOrEqual(40)
  }
  const scrollers = await main(page).evaluate((element) =>
    [...element.querySelectorAll('*')]
      .filter((part) => part.scrollHeight > part.clientHeight + 1)
      .filter((part) => /auto|scroll/.test(getComputedStyle(part).overflowY))
      .map((part) => part.className),
  )
  expect(scrollers).toEqual([])
  const version = page.getByText(/^Bellwether [\d.]+, MIT/)
  await version.scrollIntoViewIfNeeded()
  await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight))
  const end = await version.boundingBox()
  expect((end?.y ?? 844) + (end?.height ?? 0)).toBeLessThanOrEqual(top)
  await nav.getByRole('button', { name: 'More' }).tap()
  const more = page.getByRole('dialog', { name: 'More' })
  await more.getByRole('button', { name: /^Theme/ }).tap()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  await more.getByRole('link', { name: 'Downloads' }).tap()
  await expect(title(page)).toHaveText('Weekly dumps')
  await expect(more).toBeHidden()
})

test.describe('without scripts', () => {
  test.use({ javaScriptEnabled: false })
  test('the places and the foot of the page lead on', { tag: '@core' }, async ({ page }) => {
    await page.goto('/')
    const nav = page.getByRole('navigation', { name: 'Main' })
    await nav.getByRole('link', { name: 'Users' }).tap()
    await expect(page).toHaveURL('/users')
    await page.getByRole('contentinfo').getByRole('link', { name: 'Status' }).tap()
    await expect(page).toHaveURL('/status')
  })
})

test('changes are read week by week', { tag: '@core' }, async ({ page }) => {
  await page.goto('/changes')
  await page.getByRole('link', { name: /Week before/ }).tap()
  await expect(page).toHaveURL(/\?to=/)
  await expect(page.getByRole('region', { name: 'Largest moves' })).toBeVisible()
})

test('both dumps are downloaded', { tag: '@core' }, async ({ page }) => {
  await page.goto('/downloads')
  for (const kind of ['posts', 'lookups']) {
    const downloading = page.waitForEvent('download')
    await page.getByRole('link', { name: new RegExp(`^Download ${kind} dump`) }).tap()
    expect(await (await downloading).failure()).toBeNull()
  }
})

test('rows are exported', { tag: '@core' }, async ({ page }) => {
  await page.goto('/?symbol=AAPL')
  const downloading = page.waitForEvent('download')
  await page.getByRole('link', { name: 'Export CSV' }).tap()
  expect((await downloading).suggestedFilename()).toMatch(/\.csv$/)
})

for (const { path, heading } of [
  { path: '/lookups', heading: 'Look-ups' },
  { path: '/sql', heading: 'SQL' },
  { path: '/users/everyone', heading: 'Users' },
  { path: '/status', heading: /status/i },
  { path: '/about', heading: /About/ },
  { path: '/docs', heading: /Doc/ },
]) {
  test(`${path} fits`, { tag: '@core' }, async ({ page }) => {
    await page.goto(path)
    await expect(title(page)).toHaveText(heading)
  })
}
