import type { Locator } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const COLUMNS = [
  ['Symbol', 'symbol', 'asc'],
  ['Consensus', 'consensus', 'desc'],
  ['30 days', 'change_30d', 'desc'],
  ['Mean prediction', 'avg_prediction', 'desc'],
  ['Dispersion', 'dispersion', 'desc'],
  ['Ratings', 'ratings', 'desc'],
  ['Last rated', 'last_created_at', 'desc'],
  ['Active, n', 'active', 'desc'],
] as const

/** The symbols of a league table, from the top. */
const namesIn = async (table: Locator) =>
  await table.locator('tbody td:first-child').allInnerTexts()

test('every column but the drawing sorts, first from its usual end, then from the other', async ({
  page,
}) => {
  await page.goto('/symbols')
  const table = page.getByRole('table', { name: 'Symbols' })
  for (const [label, column, usual] of COLUMNS) {
    const head = table.getByRole('columnheader', { name: label, exact: true })
    for (const direction of [usual, usual === 'asc' ? 'desc' : 'asc']) {
      await head.getByRole('link', { name: label }).click()
      const aria = direction === 'asc' ? 'ascending' : 'descending'
      await expect(head).toHaveAttribute('aria-sort', aria)
      const sort = `${direction === 'desc' ? '-' : ''}${column}`
      const { data } = await (await page.request.get(`/api/symbols?sort=${sort}`)).json()
      const names = data.map((row: { symbol: string }) => row.symbol)
      await expect.poll(async () => await namesIn(table)).toEqual(names)
    }
  }
})

test('the rule of a ranking opens beside its heading and names its source', async ({ page }) => {
  await page.goto('/symbols')
  const button = page.getByRole('button', { name: 'How consensus is ranked' })
  await button.focus()
  await page.keyboard.press('Enter')
  const rule = page.getByRole('dialog', { name: 'How consensus is ranked' })
  await expect(rule).toContainText('m ∓ 1.65 · √((q − m²) / (N + 1))')
  await expect(rule.getByRole('link', { name: /Ranking Items With Star Ratings/ })).toBeVisible()
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(rule).toBeHidden()
  await expect(button).toBeFocused()
  // It is no part of the heading, and opening it sorted nothing.
  await expect(page).toHaveURL(/\/symbols$/)
})

test('a sparkline says in words what it draws', async ({ page }) => {
  await page.goto('/symbols')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'AAPL' }) })
  await expect(row.getByRole('img')).toHaveAccessibleName(
    /^Consensus in a year: \d\.\d\d to \d\.\d\d, between \d\.\d\d and \d\.\d\d$/,
  )
})

test('each line of the overview leads to exactly what it counts', async ({ page }) => {
  await page.goto('/symbols')
  for (const [name, one] of [
    ['Most upgraded', 'upgrade'],
    ['Most downgraded', 'downgrade'],
  ] as const) {
    const line = page.getByRole('list', { name }).getByRole('link').first()
    await expect(line).toHaveAccessibleName(new RegExp(`\\d ${one}s?$`))
    const count = Number((await line.innerText()).replace(/\D/g, ''))
    const href = (await line.getAttribute('href')) ?? ''
    expect(href).toMatch(/^\/\?symbol=.+&action=[23]&from=2.+&to=2/)
    const { page: found } = await (await page.request.get(`/api/ratings${href.slice(1)}`)).json()
    expect(found.total).toBe(count)
  }
  const line = page.getByRole('list', { name: 'Most upgraded' }).getByRole('link').first()
  const count = Number((await line.innerText()).replace(/\D/g, ''))
  await line.click()
  const rows = page.getByRole('table', { name: 'Ratings' }).locator('tbody').getByRole('row')
  await expect(rows).toHaveCount(Math.min(count, 50))
  await page.goBack()
  const contested = page.getByRole('list', { name: 'Most contested' }).getByRole('link').first()
  await expect(contested).toHaveAttribute('href', /state=active&sort=-tally_disagree$/)
  const cliff = page.getByRole('list', { name: 'Expiry cliffs' }).getByRole('link').first()
  await expect(cliff).toHaveAttribute('href', /^\/symbols\/.+\?from=2.+&to=2/)
  const move = page.getByRole('list', { name: 'Largest moves' }).getByRole('link').first()
  await move.click()
  await expect(page).toHaveURL(/\/symbols\/.+\?from=2.+&to=2/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
})

test('the overview folds away', async ({ page }) => {
  await page.goto('/symbols')
  const lists = page.getByRole('list', { name: 'Expiry cliffs' })
  await expect(lists).toBeVisible()
  await page.getByRole('heading', { name: 'Overview' }).click()
  await expect(lists).toBeHidden()
})

test('asof rewinds the table and the overview', async ({ page }) => {
  const asof = '2020-06-30'
  const { data, page: found } = await (await page.request.get(`/api/symbols?asof=${asof}`)).json()
  await page.goto(`/symbols?asof=${asof}`)
  const table = page.getByRole('table', { name: 'Symbols' })
  await expect(page.getByText(`${found.total} symbols`).first()).toBeVisible()
  const first = table.locator('tbody').getByRole('row').first()
  await expect(first).toContainText(data[0].symbol)
  await expect(first).toContainText(data[0].ratings.toLocaleString('en-US'))
  await expect(page.getByText('2020-06-23 00:00 to 2020-06-30 00:00 UTC')).toBeVisible()
  await table.getByRole('columnheader', { name: 'Dispersion' }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=-dispersion&asof=2020-06-30/)
})

test('before the first rating the page says that nobody had rated anything', async ({ page }) => {
  await page.goto('/symbols?asof=2001-01-01')
  const main = page.getByRole('main')
  await expect(main.getByText('Nobody had rated anything by 2001-01-01')).toBeVisible()
  await expectNoAxeViolations(page)
  await main.getByRole('link', { name: 'Back to now' }).click()
  await expect(page).toHaveURL(/\/symbols$/)
  await expect(page.getByRole('table', { name: 'Symbols' })).toBeVisible()
})

test.describe('where the overview fails', () => {
  test.use({ allowConsole: ['500', '503'] })

  test('the table still stands, and it can be asked again', async ({ page }) => {
    await page.goto('/')
    await page.route('**/api/overview*', async (route) => {
      await route.fulfill({ status: 500, json: { success: false, code: 500 } })
    })
    // By a link within the application: the page's own server would have brought it along.
    await page.goto('/symbols?asof=2021-01-01')
    await page.getByRole('button', { name: 'Back to now' }).click()
    const table = page.getByRole('table', { name: 'Symbols' })
    await expect(table.getByRole('link', { name: 'AAPL' })).toBeVisible()
    await expect(page.getByText('The overview could not be loaded')).toBeVisible()
    await page.unroute('**/api/overview*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('The overview could not be loaded')).toBeHidden()
  })
})

for (const path of ['/symbols?sort=-consensus', '/symbols?asof=2016-02-29']) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`${path} has no accessibility violation in ${scheme}, narrow and wide`, async ({
      page,
    }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(path)
        await expect(page.getByRole('table', { name: 'Symbols' })).toBeVisible()
        await expectNoAxeViolations(page)
        const overflow = await page.evaluate(
          () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
        )
        expect(overflow).toBe(0)
      }
    })
  }
}
