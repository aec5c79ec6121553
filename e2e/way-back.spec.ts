import { chromium, type Page } from '@playwright/test'
import { findWholeChromium } from '../scripts/engines.mjs'
import { frame, visit } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const TRIES_MS = 20_000

test('the way back from another site is instant: the page is shown as it was left', async ({
  baseURL,
}) => {
  const executablePath = findWholeChromium()
  test.skip(executablePath === null, 'needs a whole Chromium: the headless shell keeps no page')
  const asRoot = process.getuid?.() === 0
  const browser = await chromium.launch({
    executablePath: executablePath ?? undefined,
    args: asRoot ? ['--no-sandbox'] : [],
    // Playwright disables the back/forward cache.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const page = await browser.newPage({ baseURL })
    for (const path of ['/', '/symbols', '/symbols/AAPL', '/status']) {
      // Browsers may evict cached pages: one success is enough.
      await expect(async () => expect(await isShownAsLeft(page, path)).toBe(true), path).toPass({
        intervals: [0],
        timeout: TRIES_MS,
      })
    }
  } finally {
    await browser.close()
  }
})

async function isShownAsLeft(page: Page, path: string): Promise<boolean> {
  await page.goto(path)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.evaluate(() => document.body.setAttribute('data-left', ''))
  await page.goto('data:text/html,<h1>Another site</h1>')
  await expect(page.getByRole('heading', { name: 'Another site' })).toBeVisible()
  await page.evaluate(() => void setTimeout(() => window.history.back()))
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Another site')
  return await page.locator('body').evaluate((body) => body.hasAttribute('data-left'))
}

const LEFT_PX = 900

const topOf = (page: Page) => frame(page).evaluate(({ scrollTop }) => scrollTop)

async function scrollAway(page: Page): Promise<void> {
  await frame(page).evaluate((table, top) => table.scrollTo({ top }), LEFT_PX)
  const kept = () => page.evaluate(() => JSON.stringify(window.history.state))
  await expect.poll(kept).toContain(String(LEFT_PX))
}

async function clickInSight(page: Page): Promise<void> {
  const id = await frame(page).evaluate((table, headPx) => {
    const from = table.getBoundingClientRect().top + headPx
    const found = [...table.querySelectorAll<HTMLElement>('tr[data-rating]')]
    return found.find((row) => row.getBoundingClientRect().top > from)?.dataset.rating
  }, 100)
  await page.locator(`tr[data-rating="${id}"] td.symbol a`).click()
}

for (const size of [50, 250]) {
  test(`the way back to a table of ${size} ratings shows the rows that were in sight`, async ({
    page,
  }) => {
    await visit(page, `/?per_page=${size}`)
    await scrollAway(page)
    await clickInSight(page)
    await expect(page).toHaveURL(/symbols/)
    await page.goBack()
    await expect.poll(() => topOf(page)).toBe(LEFT_PX)
    await page.reload()
    await expect.poll(() => topOf(page)).toBe(LEFT_PX)
  })
}

test('other rows begin at the top, and the way back from them shows what was in sight', async ({
  page,
}) => {
  await visit(page)
  await scrollAway(page)
  await page.getByRole('radio', { name: 'Ended' }).click()
  await expect.poll(() => topOf(page)).toBe(0)
  await page.goBack()
  await expect.poll(() => topOf(page)).toBe(LEFT_PX)
  await page.goForward()
  await expect.poll(() => topOf(page)).toBe(0)
})
