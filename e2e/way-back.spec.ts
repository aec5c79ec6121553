import { existsSync } from 'node:fs'
import { chromium } from '@playwright/test'
import { expect, test } from './support/test.ts'

/** The headless shell keeps no page for the way back; a whole browser does, without a window too. */
const WHOLE_BROWSER = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  chromium.executablePath(),
].find((path) => existsSync(path))

test('the way back from another site is instant: the page is shown as it was left', async ({
  baseURL,
}) => {
  test.skip(!WHOLE_BROWSER, 'needs a whole Chromium: the headless shell keeps no page')
  const asRoot = process.getuid?.() === 0
  const browser = await chromium.launch({
    executablePath: WHOLE_BROWSER,
    args: asRoot ? ['--no-sandbox'] : [],
    // Playwright asks for a new load each time, so that journeys do not depend on it.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  })
  try {
    const page = await browser.newPage({ baseURL })
    for (const path of ['/', '/symbols', '/symbols/AAPL', '/status']) {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      // What a new load would not have.
      await page.evaluate(() => document.body.setAttribute('data-left', ''))
      await page.goto('data:text/html,<h1>Another site</h1>')
      await expect(page.getByRole('heading', { name: 'Another site' })).toBeVisible()
      await page.evaluate(() => window.history.back())
      await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('Another site')
      await expect(page.locator('body'), path).toHaveAttribute('data-left', '')
    }
  } finally {
    await browser.close()
  }
})
