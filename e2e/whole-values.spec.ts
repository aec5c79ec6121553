import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import Papa from 'papaparse'
import { makeRating, toCsv } from '#testing/make-ratings.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, test } from './support/test.ts'

const SYMBOLS = ['GOOGL', 'AAPL', 'WWW.MMMM', 'BRK.B', '5" PIPE', 'LONG.TICKER.LONDON']
const USERS = [900_001, 12, 123_456_789, 900_002]
const PREDICTIONS = ['12.50', '-99.75', '1234567.50', '4.00']

const pick = <T>(values: readonly T[], place: number) => values[place % values.length] as T

const RATINGS = Array.from({ length: 60 }, (_, place) =>
  makeRating(place + 1, {
    user_id: pick(USERS, place),
    symbol: pick(SYMBOLS, place),
    prediction: pick(PREDICTIONS, place),
    tally_agree: pick([0, 7, 1_234_567], place),
    tally_disagree: pick([12_345, 0], place),
  }),
)

let dir: string
let app: RunningApp
test.beforeAll(async () => {
  test.setTimeout(120_000)
  dir = mkdtempSync(join(tmpdir(), 'bellwether-whole-'))
  writeFileSync(join(dir, 'posts.csv'), toCsv(RATINGS))
  app = await startApp({ env: { SERVICE_POSTS_CSV: join(dir, 'posts.csv') } })
  const count = async () => (await (await fetch(`${app.url}/api/ratings`)).json()).page?.total
  await expect.poll(count, { timeout: 60_000 }).toBe(RATINGS.length)
})
test.afterAll(async () => {
  await app?.stop()
  rmSync(dir, { recursive: true, force: true })
})

/** Texts that are wider than what shows them; words may be. */
const readCut = async (page: Page): Promise<string[]> =>
  await page.locator('table tbody td:visible:not(.rating, .action-mark)').evaluateAll((cells) =>
    cells.flatMap((cell) =>
      [cell, ...cell.querySelectorAll(':not(.change-before)')]
        .filter((part) => getComputedStyle(part).overflowX !== 'visible')
        .filter((part) => part.clientWidth > 0 && part.scrollWidth > part.clientWidth)
        .map((part) => part.textContent),
    ),
  )

for (const width of [390, 640, 700, 768, 1024, 1280, 1366, 1440, 1500, 1920]) {
  test(`shows numbers and tickers whole when the window is ${width} px wide`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/', '/symbols', '/users']) {
      await page.goto(app.url + path)
      await expect(page.locator('table tbody tr').first()).toBeVisible()
      expect(await readCut(page), path).toEqual([])
    }
  })
}

test.describe('with a clipboard', () => {
  test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

  test('copies selected rows as one line each with a tab between cells', async ({ page }) => {
    for (const path of ['/', '/symbols', '/users']) {
      await page.goto(app.url + path)
      await page.waitForLoadState('networkidle')
      const shown = page.locator('table tbody tr')
      await expect(shown.first()).toBeVisible()
      const texts = await shown.evaluateAll((all) => {
        const some = all.slice(0, 3)
        const range = document.createRange()
        range.setStartBefore(some[0]?.firstElementChild as Element)
        range.setEnd(all[3]?.firstElementChild as Element, 0)
        getSelection()?.removeAllRanges()
        getSelection()?.addRange(range)
        return some.map((row) =>
          [...row.children]
            .filter((cell) => cell.getClientRects().length > 0)
            .map((cell) => (cell as HTMLElement).innerText.replaceAll(/\s+/g, ' ').trim()),
        )
      })
      await page.keyboard.press('ControlOrMeta+C')
      const copied = await page.evaluate(() => navigator.clipboard.readText())
      expect(copied.split('\n'), path).toHaveLength(3)
      expect(Papa.parse(copied, { delimiter: '\t' }).data, path).toEqual(texts)
    }
  })
})
