import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { heading } from './support/ratings-page.ts'
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
  await panel(page)
    .getByRole('button', { name: /Save (this view|as new)…/ })
    .click()
  await panel(page).getByRole('textbox', { name: 'Name of this view' }).fill(name)
  await panel(page).getByRole('button', { name: 'Save view', exact: true }).click()
  await expect(trigger(page)).toContainText(name)
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
}

/** Views as a browser keeps them, put there before the page is first seen. */
async function keep(page: Page, views: readonly { name: string; address: string }[], first = -1) {
  const text = JSON.stringify({
    format: 'bellwether.views',
    version: 1,
    views: views.map((view, index) => ({ id: `view-${index}`, ...view })),
    default: first < 0 ? null : `view-${first}`,
  })
  await page.addInitScript((kept) => {
    if (!localStorage.getItem('bellwether.views')) localStorage.setItem('bellwether.views', kept)
  }, text)
}

async function manage(page: Page) {
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Manage, import, export…' }).click()
  await expect(panel(page).getByRole('heading', { name: 'Saved views' })).toBeVisible()
}

const place = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name })

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

test('a view that was changed is saved in its place or under a new name', async ({ page }) => {
  await keep(page, [{ name: 'Buys', address: 'rating=4,5' }])
  await page.goto('/?rating=4,5')
  await expect(trigger(page)).toHaveText(/Buys/)
  await page
    .getByRole('group', { name: 'Action' })
    .getByRole('checkbox', { name: /Upgraded/ })
    .check()
  await expect(trigger(page)).toHaveAccessibleName(/Buys.*changed/)
  await page.reload()
  await expect(trigger(page)).toHaveAccessibleName(/Buys.*changed/)
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Save changes to Buys' }).click()
  await expect(trigger(page)).not.toHaveAccessibleName(/changed/)
  await page.keyboard.press('Escape')
  await page.goBack()
  await expect(page).toHaveURL(/\?rating=4,5$/)
  await save(page, 'Buys again')
  await openPanel(page)
  await expect(entry(page, 'Buys')).toHaveCount(2)
  // A name that is taken is refused, with one that is free.
  await page.keyboard.press('Escape')
  await page.goto('/?rating=1')
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Save this view…' }).click()
  await panel(page).getByRole('textbox').fill('buys')
  await page.keyboard.press('Enter')
  await expect(
    panel(page).getByText('There is already a view of that name. “buys 2” is free.'),
  ).toBeVisible()
})

test('views are renamed, moved by key and by mouse, deleted and brought back', async ({ page }) => {
  const three = ['One', 'Two', 'Three'].map((name, index) => ({
    name,
    address: `rating=${index + 1}`,
  }))
  await keep(page, three)
  await page.goto('/?symbol=AAPL')
  await manage(page)
  await panel(page).getByRole('textbox', { name: 'Name of Two' }).fill('Second')
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['One', 'Second', 'Three'])
  const up = panel(page).getByRole('button', { name: 'Move Three up' })
  await up.focus()
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['One', 'Three', 'Second'])
  await expect(up).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['Three', 'One', 'Second'])
  await page
    .getByTitle('Drag to another place')
    .first()
    .dragTo(panel(page).getByRole('textbox', { name: 'Name of Second' }))
  await expect.poll(() => names(page)).toEqual(['One', 'Second', 'Three'])
  await panel(page).getByRole('button', { name: 'Delete Second' }).click()
  await expect.poll(() => names(page)).toEqual(['One', 'Three'])
  await expect(panel(page).getByRole('button', { name: 'Undo' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(() => names(page)).toEqual(['One', 'Second', 'Three'])
  await page.keyboard.press('Escape')
  await expect(panel(page)).toBeHidden()
  await page.reload()
  await manage(page)
  await expect.poll(() => names(page)).toEqual(['One', 'Second', 'Three'])
})

test('the default view opens the page for who asks for nothing, and stands in the address', async ({
  page,
}) => {
  await keep(page, [{ name: 'Buys', address: 'rating=4,5' }])
  await page.goto('/?symbol=AAPL')
  await manage(page)
  await panel(page).getByRole('button', { name: 'Default: Buys' }).click()
  await page.keyboard.press('Escape')
  await page.goto('/')
  await expect(page).toHaveURL(/\?rating=4,5$/)
  await expect(trigger(page)).toHaveText(/Buys/)
  // Everything is one click away, and stays: not loading again nor coming back brings the default.
  await openPanel(page)
  await entry(page, 'All ratings').click()
  await expect(page).toHaveURL(/\/$/)
  await page.reload()
  await expect(trigger(page)).toHaveText(/^Views/)
  await expect(page).toHaveURL(/\/$/)
  await place(page, 'Symbols').click()
  await expect(page).toHaveURL(/\/symbols$/)
  await page.goBack()
  await expect(trigger(page)).toHaveText(/^Views/)
  await expect(page).toHaveURL(/\/$/)
  await page.goForward()
  await place(page, 'Ratings').click()
  await expect(page).toHaveURL(/\?rating=4,5$/)
  await page.getByRole('button', { name: 'Clear all' }).click()
  await expect(page).toHaveURL(/\/$/)
  await expect(trigger(page)).toHaveText(/^Views/)
  await page.goto('/?symbol=MSFT')
  await expect(page).toHaveURL(/\?symbol=MSFT$/)
})

test('a view is shared as an absolute link', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await keep(page, [{ name: 'Buys', address: 'rating=4,5&tz=Europe/Berlin' }])
  await page.goto('/?symbol=AAPL&page=2')
  const copied = () => page.evaluate(() => navigator.clipboard.readText())
  await openPanel(page)
  await panel(page).getByRole('button', { name: 'Copy link to this view' }).click()
  await expect.poll(copied).toBe(`${new URL(page.url()).origin}/?symbol=AAPL`)
  await panel(page).getByRole('button', { name: 'Manage, import, export…' }).click()
  await panel(page).getByRole('button', { name: 'Copy link to Buys' }).click()
  await expect.poll(copied).toMatch(/\/\?rating=4,5&tz=Europe(\/|%2F)Berlin$/)
})

test('views are exported and imported elsewhere, after a look at what comes', async ({
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
  await keep(elsewhere, [{ name: 'Buys', address: 'rating=5' }])
  await elsewhere.goto('/?symbol=AAPL')
  await untilListening(elsewhere)
  await manage(elsewhere)
  await panel(elsewhere).getByRole('button', { name: 'Import…' }).click()
  await panel(elsewhere).getByLabel('Choose a file').setInputFiles(path)
  await expect(panel(elsewhere).getByText('1 new view, 1 changed, 0 already here')).toBeVisible()
  expect(await names(elsewhere)).toEqual(['Buys'])
  await panel(elsewhere).getByRole('button', { name: 'Import 2 views' }).click()
  await expect.poll(() => names(elsewhere)).toEqual(['Buys', 'Sells'])
  await elsewhere.close()
})

test('garbage is refused plainly and takes nothing away', async ({ page }) => {
  await keep(page, [{ name: 'Mine', address: 'rating=5' }])
  await page.goto('/?symbol=AAPL')
  await manage(page)
  await panel(page).getByRole('button', { name: 'Import…' }).click()
  const field = panel(page).getByRole('textbox', { name: 'Text of the file' })
  const many = Array.from({ length: 10_000 }, (_, id) => ({
    id: `x${id}`,
    name: `${id}`,
    address: '',
  }))
  const hostile = [
    ['<h1>404</h1>', 'That is not a list of views from this dashboard.'],
    ['{"__proto__":{"format":"bellwether.views"}}', 'That is not a list of views'],
    ['{"format":"bellwether.views","version":2}', 'newer version'],
    ['{"format":"bellwether.views","version":1,"views":{}}', 'That list of views is damaged.'],
    [JSON.stringify({ format: 'bellwether.views', version: 1, views: many }), '10,000 views'],
  ] as const
  for (const [text, words] of hostile) {
    await field.fill(text)
    await expect(panel(page).getByRole('alert')).toContainText(words)
    await expect(panel(page).getByRole('alert')).toContainText('Your views are untouched.')
  }
  const huge = Buffer.from(`[${'0,'.repeat(3_000_000)}0]`)
  await panel(page)
    .getByLabel('Choose a file')
    .setInputFiles({ name: 'huge.json', mimeType: 'application/json', buffer: huge })
  await expect(panel(page).getByRole('alert')).toContainText('too long')
  await panel(page).getByRole('button', { name: 'Cancel' }).click()
  expect(await names(page)).toEqual(['Mine'])
})

test('a file can be dropped on the list', async ({ page }) => {
  await page.goto('/?symbol=AAPL')
  await manage(page)
  const text =
    '{"format":"bellwether.views","version":1,"views":[{"id":"a","name":"Strong sells","address":"rating=1"}]}'
  const dataTransfer = await page.evaluateHandle((content) => {
    const data = new DataTransfer()
    data.items.add(new File([content], 'views.json', { type: 'application/json' }))
    return data
  }, text)
  await panel(page).dispatchEvent('dragover', { dataTransfer })
  await panel(page).dispatchEvent('drop', { dataTransfer })
  await panel(page).getByRole('button', { name: 'Import 1 view' }).click()
  await expect.poll(() => names(page)).toEqual(['Strong sells'])
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
  // One that is deleted here is gone there, and does not come back.
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
  await page.getByRole('link', { name: 'Leave it out' }).click()
  await expect(page).toHaveURL(/\?rating=5$/)
  await expect(trigger(page)).toHaveText(/Old/)
  await openPanel(page)
  await entry(page, 'Columns').click()
  const headers = page.getByRole('table', { name: 'Ratings' }).getByRole('columnheader')
  await expect(headers.filter({ hasText: 'Symbol' })).toBeVisible()
  await expect(headers.filter({ hasText: 'Prediction' })).toHaveCount(0)
})

test('with storage and clipboard denied, a view lasts for the page and a link is shown to copy', async ({
  page,
}) => {
  await page.addInitScript(() => {
    for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    }
    Object.defineProperty(navigator, 'clipboard', { value: undefined })
    document.execCommand = () => false
  })
  await page.goto('/?rating=5')
  await save(page, 'For now')
  await openPanel(page)
  await expect(panel(page).getByText('This browser keeps nothing for this page')).toBeVisible()
  await panel(page).getByRole('button', { name: 'Copy link to this view' }).click()
  const field = panel(page).getByRole('textbox', { name: 'Link to copy' })
  await expect(field).toHaveValue(/^http.*\/\?rating=5$/)
  await expect(field).toBeFocused()
  const selected = () =>
    field.evaluate(({ selectionStart, selectionEnd }: HTMLInputElement) => [
      selectionStart,
      selectionEnd,
    ])
  expect(await selected()).toEqual([0, (await field.inputValue()).length])
})

test('nothing of the saved views is loaded before somebody asks for them', async ({ page }) => {
  const bodies: Promise<string>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/_next/static/')) bodies.push(response.text().catch(() => ''))
  })
  await page.goto('/')
  await expect(trigger(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  const hasViews = async () =>
    (await Promise.all(bodies)).some((text) => text.includes('Save this view'))
  expect(await hasViews()).toBe(false)
  await openPanel(page)
  expect(await hasViews()).toBe(true)
})
