import type { Locator, Page } from '@playwright/test'
import { rows, visit } from './support/ratings-page.ts'
import { expect, expectNoOverflow, test } from './support/test.ts'

const readEmptyShare = (page: Page) =>
  page.getByRole('main').evaluate((main) => {
    const { left: start, width } = main.getBoundingClientRect()
    const isUsed = Array.from({ length: 50 }, () => false)
    const drawn = [...main.querySelectorAll('path, rect, button, input')]
    const boxes = drawn.map((element) => element.getBoundingClientRect())
    const walker = document.createTreeWalker(main, NodeFilter.SHOW_TEXT)
    const range = document.createRange()
    while (walker.nextNode()) {
      if (walker.currentNode.parentElement?.closest('.sr-only')) continue
      range.selectNodeContents(walker.currentNode)
      boxes.push(...range.getClientRects())
    }
    for (const { left, right } of boxes) {
      const [first, last] = [left, right].map((x) => Math.floor((50 * (x - start)) / width))
      for (let at = first ?? 0; at <= (last ?? -1); at += 1) isUsed[at] = true
    }
    return isUsed.filter((used) => !used).length / isUsed.length
  })

test('every page says that the ratings are invented, and the badge leads to the terms explained', async ({
  page,
}) => {
  for (const path of ['/', '/symbols', '/symbols/AAPL', '/users', '/downloads', '/status']) {
    await page.goto(path)
    await expect(page.getByRole('link', { name: /^Demo data/ }).first()).toBeVisible()
    await page.setViewportSize({ width: 2560, height: 1300 })
    await expect(page.getByRole('main').getByRole('heading').first()).toBeVisible()
    expect(await readEmptyShare(page), `${path} in a wide window`).toBeLessThan(0.2)
    await page.setViewportSize({ width: 1440, height: 900 })
    expect(await readEmptyShare(page), `${path} at 1440 px`).toBeLessThan(0.1)
  }
  await page
    .getByRole('link', { name: /^Demo data/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'About these ratings' })).toBeVisible()
  await expect(page.getByText('This is demo data')).toBeVisible()
  for (const term of ['Rating', 'Action', 'Prediction', 'Active', 'Expiry', 'Consensus']) {
    await expect(page.getByRole('term').filter({ hasText: new RegExp(`^${term}$`) })).toBeVisible()
  }
})

test('a chart that is embedded says it too', async ({ page }) => {
  await page.goto('/embed/symbols/AAPL')
  await expect(page.getByText('Demo data')).toBeVisible()
})

test('a page may be kept for the way back, and for moments by a cache in front; what is of this second by nobody else', async ({
  request,
}) => {
  const readKept = async (path: string) => (await request.get(path)).headers()['cache-control']
  for (const path of ['/', '/symbols/AAPL']) {
    expect(await readKept(path), path).toMatch(/^public, max-age=0, s-maxage=\d+, stale-if-error=/)
  }
  for (const path of ['/status', '/symbols/NOBODY.AT.ALL']) {
    expect(await readKept(path), path).toMatch(/^private, no-cache/)
  }
  expect((await request.get('/api/status')).headers()['cache-control']).toBe('no-store')
})

test('from the first link on, the first row is at most five stops away, and no stop is unseen', async ({
  page,
}) => {
  for (const path of ['/', '/symbols/AAPL', '/users/64']) {
    await page.goto(path)
    await expect(page.getByRole('table').first()).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
    let stops = 0
    const isInRow = () => page.evaluate(() => document.activeElement?.closest('tbody tr') != null)
    while (!(await isInRow()) && stops < 6) {
      await page.keyboard.press('Tab')
      stops += 1
      const focused = page.locator(':focus')
      await expect(focused).toBeVisible()
      await expect(focused).not.toHaveCSS('opacity', '0')
      if ((await focused.innerText()) === 'Skip to the table') await page.keyboard.press('Enter')
    }
    expect(stops, path).toBeLessThanOrEqual(5)
  }
})

test('by keyboard the first row, the filters and the list of keys are a few stops away', async ({
  page,
}) => {
  await visit(page)
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the table' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the filters' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to the export' })).toBeFocused()
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('complementary', { name: 'Filters' })).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('combobox', { name: 'Symbol' })).toBeFocused()
  await page.getByRole('link', { name: 'Skip to the table' }).focus()
  await page.keyboard.press('Enter')
  await expect(rows(page).first()).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(rows(page).nth(1)).toBeFocused()
  expect(new URL(page.url()).hash).toBe('')

  await page.keyboard.press('?')
  await expect(page.getByRole('heading', { name: 'Keys' })).toBeVisible()
})

test('a symbol begins with a verdict, and each part of it leads to the ratings that it counts', async ({
  page,
}) => {
  const { data } = await (await page.request.get('/api/symbols/AAPL/opinion')).json()
  await page.goto('/symbols/AAPL')
  await expect(page.getByText(/^Moderate|^Strong|^Hold/).first()).toBeVisible()
  const size = ({ change }: { change: string }) => Math.abs(Number(change))
  const [largest] = [...data.moves.parts].sort((one, other) => size(other) - size(one))
  const why = page.locator(`main a[href*="moved=${largest.kind}"]`).first()
  await expect(why, 'it comes first').toContainText(/^[a-z ]+$/)
  const asked = (await why.getAttribute('href'))?.slice(1)
  const because = await (await page.request.get(`/api/ratings${asked}`)).json()
  expect(because.page.total, 'the cause counts what it leads to').toBe(largest.events)
  await page.getByRole('link', { name: `${data.active} active ratings` }).click()
  await expect(page).toHaveURL(/\?symbol=AAPL&state=active$/)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${data.active} ratings`)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  const readCards = (page: Page) =>
    rows(page).evaluateAll((all) =>
      all.slice(0, 20).map((row) => {
        const { left, right, height } = row.getBoundingClientRect()
        const cells = [...row.querySelectorAll('td')].filter((cell) => cell.checkVisibility())
        return {
          height: Math.round(height),
          fits: left >= 0 && right <= window.innerWidth,
          cut: cells.some((cell) => cell.scrollWidth > cell.clientWidth + 1),
          text: cells.map((cell) => cell.innerText.trim()).join(' | '),
        }
      }),
    )

  test('a symbol has its verdict, its figures and then its chart in the first screen', {
    tag: '@core',
  }, async ({ page }) => {
    await page.goto('/symbols/AAPL')
    const compare = page.getByRole('button', { name: 'Compare' })
    const timeMachine = page.getByRole('main').getByRole('button', { name: 'As of now' })
    const bucket = page.getByLabel('Bucket')
    await expect(bucket).toBeInViewport()
    await expect(page.getByRole('application').first()).toBeInViewport({ ratio: 0.2 })
    await expect(timeMachine).toBeInViewport()
    const topOf = async (one: Locator) => (await one.boundingBox())?.y ?? 0
    const consensus = page.getByRole('term').filter({ hasText: 'Consensus' })
    expect(await topOf(consensus)).toBeLessThan(await topOf(bucket))
    await compare.tap()
    await page.getByRole('combobox', { name: 'Compare with' }).fill('MSFT')
    await page.getByRole('option', { name: /^MSFT/ }).tap()
    await expect(page).toHaveURL(/vs=MSFT$/)
    await expectNoOverflow(page)
    const table = page.getByRole('table', { name: 'Figures side by side' })
    await expect(table.getByRole('columnheader', { name: 'MSFT' })).toBeVisible()
    await expect
      .poll(() => table.evaluate((it) => it.getBoundingClientRect().right <= window.innerWidth))
      .toBe(true)
    const frame = await table.evaluate(({ parentElement }) => parentElement?.scrollWidth ?? 0)
    expect(frame).toBeLessThanOrEqual(390)
  })

  test('a user is taken out by number with a finger', async ({ page }) => {
    await visit(page)
    await page.getByRole('button', { name: /^Filters/ }).tap()
    const field = page.getByRole('combobox', { name: 'User' })
    await field.fill('64')
    const out = page.getByRole('option', { name: 'Exclude #64', exact: true })
    const box = await out.boundingBox()
    expect(Math.min(box?.width ?? 0, box?.height ?? 0)).toBeGreaterThanOrEqual(24)
    await out.tap()
    await expect(page).toHaveURL(/\?user=-64$/)
    await field.fill('64')
    await expect(out).toHaveAttribute('aria-selected', 'true')
    await page.getByRole('option', { name: /^#64 / }).tap()
    await expect(page).toHaveURL(/\?user=64$/)
  })

  test('a row is a card of two lines with nothing cut off, and says what it is sorted by', {
    tag: '@core',
  }, async ({ page }) => {
    await visit(page)
    for (const { height, fits, cut, text } of await readCards(page)) {
      expect({ fits, cut }, text).toEqual({ fits: true, cut: false })
      expect(height, text).toBeLessThan(60)
      expect(text).toMatch(/(Buy|Hold|Sell)/)
      expect(text).toMatch(/%/)
      expect(text).toMatch(/\d{4}-\d\d-\d\d/)
    }
    await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Agree')
    await expect(page).toHaveURL(/sort=-tally_agree/)
    await expect
      .poll(async () => (await readCards(page)).every(({ height }) => height < 60))
      .toBe(true)
    const { data } = await (await page.request.get('/api/ratings?sort=-tally_agree')).json()
    const most = data[0].tally_agree.toLocaleString('en-US')
    await expect.poll(async () => (await readCards(page))[0]?.text).toContain(most)
    await expectNoOverflow(page)
  })
})
