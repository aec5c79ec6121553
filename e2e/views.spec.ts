import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { heading } from './support/ratings-page.ts'
import { storeFirst } from './support/stored.ts'
import { expect, test, untilListening } from './support/test.ts'

const trigger = (page: Page) => page.getByRole('button', { name: /^Views/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Saved views' })
const entry = (page: Page, name: string) => panel(page).getByRole('link', { name })
const names = (page: Page) =>
  panel(page)
    .getByRole('list', { name: 'Saved views' })
    .getByRole('textbox')
    .evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value))

async function openPanel(page: Page) {
  await trigger(page).click()
  await expect(panel(page)).toBeVisible()
}

async function save(page: Page, name: string) {
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Save this view…' }).click()
  await panel(page).getByRole('textbox', { name: 'Name of this view' }).fill(name)
  await panel(page).getByRole('button', { name: 'Save view', exact: true }).click()
  await expect(trigger(page)).toContainText(name)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
}

async function keep(page: Page, views: readonly { name: string; address: string }[]) {
  await storeFirst(page, { views: views.map((view, index) => ({ id: `view-${index}`, ...view })) })
}

async function manage(page: Page) {
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Manage, import, export…' }).click()
  await expect(panel(page).getByRole('heading', { name: 'Saved views' })).toBeVisible()
}

test('what is looked at is saved under a name, and that name stands there as long as it is shown', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/?symbol=AAPL&rating=4,5&page=2')
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Save this view…' }).click()
  const field = panel(page).getByRole('textbox', { name: 'Name of this view' })
  await expect(field).toHaveValue('AAPL, Moderate Buy or Strong Buy')
  await field.fill('  AAPL buys ')
  await page.keyboard.press('Enter')
  await expect(trigger(page)).toHaveText(/AAPL buys/)
  await expect(trigger(page)).toBeFocused()
  await expect(entry(page, 'AAPL buys')).toHaveAttribute('aria-current', 'true')
  await page.reload()
  await expect(trigger(page)).toHaveText(/AAPL buys/)
  await page.goto('/')
  await expect(trigger(page)).toHaveText(/^Views/)
  await openPanel(page)
  await expect(entry(page, 'All ratings')).toHaveAttribute('aria-current', 'true')
  await entry(page, 'AAPL buys').click()
  await expect(page).toHaveURL(/\?symbol=AAPL&rating=4,5$/)
  await expect(trigger(page)).toBeFocused()
})

test('a name of several words has room in its button', async ({ page }) => {
  await page.goto('/?symbol=AAPL&rating=4,5')
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Save this view…' }).click()
  await page.keyboard.press('Enter')
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    const name = trigger(page).getByText('AAPL, Moderate Buy or Strong Buy')
    await expect(trigger(page)).toHaveAttribute('title', 'AAPL, Moderate Buy or Strong Buy')
    const toHidden = async () =>
      await name.evaluate((one) =>
        Math.max(one.scrollHeight - one.clientHeight, one.scrollWidth - one.clientWidth),
      )
    await expect.poll(toHidden).toBe(0)
  }
})

test('saving an existing name replaces that view once the reader confirms it', async ({ page }) => {
  await keep(page, [{ name: 'Buys', address: 'rating=4,5' }])
  await page.goto('/?rating=5')
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Save this view…' }).click()
  await panel(page).getByRole('textbox', { name: 'Name of this view' }).fill('buys')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByText('Buys exists already.')).toBeVisible()
  await expect(trigger(page)).toHaveText(/^Views/)
  await panel(page).getByRole('button', { name: 'Replace view' }).click()
  await expect(trigger(page)).toHaveText(/buys/)
  await expect(entry(page, 'buys')).toHaveCount(1)
})

test('views show their filters in words, are renamed, deleted and restored', async ({ page }) => {
  await keep(page, [
    { name: 'One', address: 'symbol=AAPL,MSFT&rating=5&from=2025-01-01' },
    { name: 'Two', address: 'rating=2' },
    { name: 'Three', address: '' },
  ])
  await page.goto('/?symbol=AAPL')
  await manage(page)
  await expect(
    panel(page).getByRole('textbox', { name: 'Name of One' }),
  ).toHaveAccessibleDescription('AAPL or MSFT · Strong Buy · posted since 2025-01-01')
  const two = panel(page).getByRole('textbox', { name: 'Name of Two' })
  await two.fill('three')
  await page.keyboard.press('Enter')
  await expect(panel(page).getByText('Another view has this name.')).toBeVisible()
  await two.fill('Second')
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['One', 'Second', 'Three'])
  await panel(page).getByRole('button', { name: 'Delete Second' }).click()
  await expect.poll(() => names(page)).toEqual(['One', 'Three'])
  await expect(panel(page).getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['One', 'Second', 'Three'])
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await expect(trigger(page)).toBeFocused()
  await page.reload()
  await manage(page)
  await expect.poll(() => names(page)).toEqual(['One', 'Second', 'Three'])
})

test('an exported file adds the views that another browser does not have', async ({
  page,
  browser,
}) => {
  await keep(page, [
    { name: 'Buys', address: 'rating=4,5' },
    { name: 'Sells', address: 'rating=1,2' },
  ])
  await page.goto('/?symbol=AAPL')
  await manage(page)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    panel(page).getByRole('button', { name: 'Export as JSON' }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^bellwether-views-\d{4}-\d\d-\d\d\.json$/)
  const path = await download.path()
  const file = JSON.parse(readFileSync(path, 'utf8'))
  expect(file).toMatchObject({ format: 'bellwether.views', version: 1 })

  const elsewhere = await browser.newPage()
  await keep(elsewhere, [{ name: 'Buys', address: 'rating=4,5' }])
  await elsewhere.goto('/?symbol=AAPL')
  await untilListening(elsewhere)
  await manage(elsewhere)
  await panel(elsewhere).getByLabel('Import a file').setInputFiles(path)
  await expect(panel(elsewhere).getByText('1 view added, 1 already here')).toBeVisible()
  await expect.poll(() => names(elsewhere)).toEqual(['Buys', 'Sells'])
  await elsewhere.close()
})

test('a file that is not a list of views is refused with a reason', async ({ page }) => {
  await keep(page, [{ name: 'Mine', address: 'rating=5' }])
  await page.goto('/?symbol=AAPL')
  await manage(page)
  const refused = async (text: string, reason: string) => {
    const buffer = Buffer.from(text)
    const file = { name: 'views.json', mimeType: 'application/json', buffer }
    await panel(page).getByLabel('Import a file').setInputFiles(file)
    await expect(panel(page).getByRole('alert')).toContainText(reason)
  }
  await refused('<h1>404</h1>', 'The file is not a list of views from this dashboard.')
  await refused('{"format":"bellwether.views","version":2}', 'A newer version')
  await refused('{"format":"bellwether.views","version":1,"views":{}}', 'damaged')
  await refused(`[${'0,'.repeat(3_000_000)}0]`, 'too long')
  expect(await names(page)).toEqual(['Mine'])
})

test('two tabs that save at once keep each other’s views, and each its own filters', async ({
  page,
  context,
}) => {
  await page.goto('/?symbol=AAPL')
  const other = await context.newPage()
  await other.goto('/?symbol=MSFT')
  await save(page, 'From one')
  await save(other, 'From the other')
  await openPanel(page)
  await expect(entry(page, 'From the other')).toBeVisible()
  await expect(entry(page, 'From one')).toBeVisible()
  await openPanel(other)
  await expect(entry(other, 'From one')).toBeVisible()
  await expect(page).toHaveURL(/\?symbol=AAPL$/)
  await expect(other).toHaveURL(/\?symbol=MSFT$/)
  await page.keyboard.press('Escape')
  await manage(page)
  await panel(page).getByRole('button', { name: 'Delete From one' }).click()
  await expect(entry(other, 'From one')).toBeHidden()
  await other.close()
})

test('a view of which something no longer exists opens without it and says so', async ({
  page,
}) => {
  await keep(page, [
    { name: 'Old', address: 'rating=5&mood=good&per_page=9000' },
    { name: 'Columns', address: 'symbol=AAPL&columns=symbol,gone_long_ago,rating' },
  ])
  await page.goto('/?symbol=AAPL')
  await openPanel(page)
  await entry(page, 'Old').click()
  await expect(page.getByText(/mood “good” is not a parameter here/)).toBeVisible()
  await expect(page.getByText(/per_page “9000” is not a whole number/)).toBeVisible()
  await expect(heading(page)).toContainText('ratings')
  await page.getByRole('link', { name: 'Remove the ignored part' }).click()
  await expect(page).toHaveURL(/\?rating=5$/)
  await expect(trigger(page)).toHaveText(/Old/)
  await openPanel(page)
  await entry(page, 'Columns').click()
  const headers = page.getByRole('table', { name: 'Ratings' }).getByRole('columnheader')
  await expect(headers.filter({ hasText: 'Symbol' })).toBeVisible()
  await expect(headers.filter({ hasText: 'Prediction' })).toHaveCount(0)
})

test('with storage denied, a view lasts for the page', async ({ page }) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    }
  })
  await page.goto('/?rating=5')
  await save(page, 'For now')
  await openPanel(page)
  await expect(panel(page).getByText('This browser stores nothing for this page')).toBeVisible()
})
