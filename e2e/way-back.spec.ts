import { chromium, type Page } from '@playwright/test'
import { findWholeChromium } from '../scripts/engines.mjs'
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
