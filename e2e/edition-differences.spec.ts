import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { placeEarlierEdition } from '#testing/sync/earlier-edition.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-differences-'))
const dataDir = join(folder, 'data')
const env = { DEMO_RATINGS: '3000', DEMO_TAIL_SECONDS: '0', DATA_DIR: dataDir }
const PLANTED = { new: 40, vanished: 3, edited: 7, ended_early: 2, votes: 200 }
let app: RunningApp
let days: { from: string; to: string }

test.describe.configure({ mode: 'serial' })
test.use({ allowConsole: ['status of 404'] })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  app = await startApp({ env })
  const isKept = async () => {
    const { data } = await (await fetch(`${app.url}/api/editions`)).json()
    return data.posts.length
  }
  await expect.poll(isKept, { timeout: 60_000 }).toBe(1)
})

test.afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

test('with one edition the page says what is missing, and when it comes', async ({ page }) => {
  await page.goto(`${app.url}/downloads/changes`)
  await expect(page.getByText('Only one edition is available')).toBeVisible()
  await expect(page.getByText(/The service makes the next one at/)).toBeVisible()
})

test('the counts on the page of the dumps lead to the rows behind them', async ({ page }) => {
  await app.stop()
  days = await placeEarlierEdition(join(dataDir, 'editions'), PLANTED)
  app = await startApp({ env })
  const isCompared = async () => {
    const { data } = await (await fetch(`${app.url}/api/editions`)).json()
    return data.posts[0].changes
  }
  await expect
    .poll(isCompared, { timeout: 30_000 })
    .toEqual({ against: days.from, added: 40, changed: 209, gone: 3 })
  await page.goto(`${app.url}/downloads`)
  const posts = page.getByRole('group', { name: 'Show for the posts dump' })
  await posts.getByRole('radio', { name: 'Changes' }).check()
  await expect(page.getByText('+40 new, 209 changed, −3 gone')).toBeVisible()
  await page.getByRole('link', { name: /^row by row/ }).click()
  await expect(page).toHaveURL(new RegExp(`from=${days.from}&to=${days.to}`))
  await expect(
    page.getByText(
      /40 ratings were added, 7 were edited, 2 ended early, 3 are no longer listed and 200 changed only in votes/,
    ),
  ).toBeVisible()
})

test('differences are filtered, counted, ordered and taken away by the address alone', async ({
  page,
}) => {
  await page.goto(`${app.url}/downloads/changes`)
  const table = page.getByRole('table', { name: 'Differences' })
  await expect(table.getByRole('row')).toHaveCount(51)
  await expect(table.getByRole('row').nth(1)).toContainText('Edited')
  await expect(table.getByRole('row').nth(1)).toContainText('prediction')
  const filters = page.getByRole('complementary', { name: 'Filters' })
  await filters.getByRole('checkbox', { name: 'No longer listed' }).check()
  await expect(page).toHaveURL(/\?kind=vanished$/)
  await expect(page.getByText('3 of 252 ratings')).toBeVisible()
  await expect(table.getByRole('row')).toHaveCount(4)

  await filters.getByRole('checkbox', { name: 'No longer listed' }).uncheck()
  await filters.getByRole('checkbox', { name: 'agree', exact: true }).check()
  await expect(page).toHaveURL(/\?field=tally_agree$/)
  await expect(page.getByText('200 of 252 ratings')).toBeVisible()
  await page.getByRole('link', { name: 'Symbol', exact: true }).click()
  await expect(page).toHaveURL(/sort=symbol/)
  await expect(page.getByRole('columnheader', { name: 'Symbol' })).toHaveAttribute(
    'aria-sort',
    'ascending',
  )
  await expectNoAxeViolations(page)

  const href = (await page.locator('#export').getAttribute('href')) ?? ''
  expect(href).toMatch(/\/api\/editions\/differences\.csv\?field=tally_agree&sort=symbol$/)
  const file = await page.request.get(`${app.url}${href}`)
  expect(file.headers()['content-disposition']).toContain(`differences_${days.from}_${days.to}`)
  expect((await file.text()).trimEnd().split('\r\n')).toHaveLength(201)
  await page.getByRole('button', { name: 'More for this view' }).click()
  await expect(page.getByRole('dialog', { name: 'Export 200 rows' })).toBeVisible()
})

test('a row leads to its rating, and another pair is an address', async ({ page }) => {
  await page.goto(`${app.url}/downloads/changes?kind=edited`)
  const link = page.getByRole('link', { name: /^Rating \d+$/ }).first()
  const name = (await link.textContent()) ?? ''
  await link.click()
  await expect(page).toHaveURL(new RegExp(`/ratings/${name}`))
  await page.goto(`${app.url}/changes/editions?from=2020-01-05`)
  await expect(page).toHaveURL(`${app.url}/downloads/changes?from=2020-01-05`)
  await expect(page.getByText(/No posts dump of that Sunday is stored/)).toBeVisible()
  await page.getByRole('link', { name: 'Compare the two newest editions' }).click()
  await expect(page.getByRole('combobox', { name: 'From', exact: true })).toHaveValue(days.from)
  await expect(page.getByRole('combobox', { name: 'To', exact: true })).toHaveValue(days.to)
})

test('on a phone each rating is a card that fits', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`${app.url}/downloads/changes`)
  await expect(page.getByRole('link', { name: /^Rating \d+$/ }).first()).toBeVisible()
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})
