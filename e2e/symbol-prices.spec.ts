import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type RunningApp, startApp } from './support/app.ts'
import { toPostsDump, toPriceFile } from './support/operator-files.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-prices-'))
const names = join(folder, 'names.csv')
const posts = join(folder, 'posts.csv')
const dataDir = join(folder, 'data')
let app: RunningApp

const RATINGS = 3000
const SYMBOLS = ['AAPL', 'TSLA', 'NVDA']

test.describe.configure({ mode: 'serial' })

test.use({ allowConsole: ['400'] })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  writeFileSync(names, 'symbol,name\nAAPL,Apple Inc.\nTSLA,"Tesla, Inc."\n')
  writeFileSync(posts, toPostsDump({ symbols: SYMBOLS, users: 7, count: RATINGS, days: 900 }))
  const env = { SERVICE_POSTS_CSV: posts, SYMBOL_NAMES_CSV: names }
  app = await startApp({ env: { ...env, DATA_DIR: dataDir } })
  const isFilled = async () => {
    const { data } = await (await fetch(`${app.url}/api/status`)).json()
    return data.archive.ratings === RATINGS && data.names.names === 2
  }
  await expect.poll(isFilled, { timeout: 60_000 }).toBe(true)
})

test.afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('a symbol is found by its name, which stands beside it', async ({ page }) => {
  await page.goto(`${app.url}/symbols?q=apple`)
  const league = page.getByRole('table', { name: 'Symbols' })
  await expect(league).toContainText('AAPLApple Inc.')
  await league.getByRole('link', { name: 'AAPL', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('AAPL Apple Inc.')
  await expect(page).toHaveTitle(/^AAPL · Apple Inc\./)
  await expect(page.locator('[data-pane=consensus]')).toBeVisible()
  await expect(page.locator('[data-mark=close]')).toHaveCount(0)
})

test('an operator adds a price file on the status page; one that is none changes nothing', async ({
  page,
}) => {
  await page.goto(`${app.url}/status/prices`)
  const panel = page.getByRole('region', { name: 'Prices' })
  await expect(panel).toContainText('None are set up')
  const field = panel.getByLabel('Price files', { exact: true })
  await field.setInputFiles({
    name: 'a.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('a,b\n1,2'),
  })
  await expect(panel).toContainText('The file has no column “date”. Nothing was changed.')
  expect(existsSync(join(dataDir, 'prices', 'a.csv'))).toBe(false)
  const day = new Date(Date.now() - 300 * 86_400_000).toISOString().slice(0, 10)
  const buffer = Buffer.from(`${toPriceFile(SYMBOLS, 1000)}TSLA,${day},99999\n`)
  await field.setInputFiles({ name: 'mine.csv', mimeType: 'text/csv', buffer })
  await expect(panel).toContainText('3,000 closes of 3 symbols')
  await expect(panel.getByRole('list', { name: 'Files that were added here' })).toContainText(
    'mine.csv',
  )
  await expect(panel).not.toContainText('Nothing was changed')
  expect(existsSync(join(dataDir, 'prices', 'mine.csv'))).toBe(true)
  await panel.getByText('1 close left out').click()
  await expect(panel.getByRole('list', { name: 'Closes left out' })).toContainText(`TSLA on ${day}`)
  await expectNoAxeViolations(page)
  await page.goto(`${app.url}/symbols/TSLA`)
  await expect(page.getByText(`1 close left out: ${day}`)).toBeVisible()
})

test('draws the price of a symbol', async ({ page }) => {
  await page.goto(`${app.url}/symbols/AAPL`)
  const pane = page.locator('[data-pane=consensus]')
  await expect(pane.locator('[data-mark=close]')).toBeVisible()
  await expect(pane).toContainText('price')
})

test('a price file that is removed takes its prices along', async ({ page }) => {
  await page.goto(`${app.url}/status/prices`)
  const panel = page.getByRole('region', { name: 'Prices' })
  await panel.getByRole('button', { name: 'Remove mine.csv' }).click()
  await expect(panel).toContainText('None are set up')
  await page.goto(`${app.url}/symbols/AAPL`)
  await expect(page.locator('[data-pane=consensus]')).toBeVisible()
  await expect(page.locator('[data-mark=close]')).toHaveCount(0)
})
