import { nextPage, previousPage, readColumn, readIds, rows, table } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const HEADERS = [
  'User',
  'Symbol',
  'Rating',
  'Action',
  'Prediction',
  'Agree',
  'Disagree',
  'Comments',
  'Posted',
  'Expires',
]

test('the first paint has rows in it, before any script runs', { tag: '@core' }, async ({
  request,
}) => {
  const html = await (await request.get('/?symbol=AAPL')).text()
  expect(html).toContain('href="/symbols/AAPL"')
  expect(html.match(/<tr/g)?.length).toBeGreaterThan(40)
})

test('only the page of the status carries its lists', async ({ request }) => {
  const carries = async (path: string) =>
    (await (await request.get(path)).text()).includes('past_end')
  expect(await carries('/status')).toBe(true)
  for (const path of ['/', '/symbols', '/about']) expect(await carries(path), path).toBe(false)
})

test('the table has the columns that the documentation names', async ({ page }) => {
  await page.goto('/')
  for (const name of HEADERS) {
    await expect(
      table(page).getByRole('columnheader', { name, exact: false }).first(),
    ).toBeVisible()
  }
  await expect(rows(page)).toHaveCount(50)
})

test('a newcomer filters by symbol, and the link shows somebody else the same', async ({
  page,
  browser,
}) => {
  await page.goto('/')
  await page.getByRole('combobox', { name: 'Symbol' }).fill('aap')
  await page.getByRole('option', { name: /^AAPL/ }).click()
  await expect(page).toHaveURL(/[?&]symbol=AAPL/)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('ratings')
  await expect
    .poll(async () => new Set(await readColumn(page, 'Symbol')))
    .toEqual(new Set(['AAPL']))
  await expect(rows(page)).toHaveCount(50)
  const seen = await readIds(page)

  const elsewhere = await browser.newPage()
  await elsewhere.goto(page.url())
  await expect.poll(async () => await readIds(elsewhere)).toEqual(seen)
  await elsewhere.close()
})

test('rating and action filters narrow, back and forward walk through them', async ({ page }) => {
  await page.goto('/')
  const rail = page.getByRole('group', { name: 'Rating' })
  await rail.getByRole('checkbox', { name: /Strong Buy/ }).check()
  await expect(page).toHaveURL(/rating=5/)
  await page
    .getByRole('group', { name: 'Action' })
    .getByRole('checkbox', { name: /Upgraded/ })
    .check()
  await expect(page).toHaveURL(/action=2/)
  await expect
    .poll(async () => (await readColumn(page, 'Action')).every((text) => text.includes('Upgraded')))
    .toBe(true)
  await page.goBack()
  await expect(page).not.toHaveURL(/action=2/)
  await expect(page).toHaveURL(/rating=5/)
  await page.goForward()
  await expect(page).toHaveURL(/action=2/)
})

test('sorting by prediction orders by number and says so to a screen reader', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/')
  const header = table(page).getByRole('columnheader', { name: /Prediction/ })
  await header.getByRole('button', { name: /Prediction/ }).click()
  await expect(page).toHaveURL(/sort=-?prediction/)
  await expect(header).toHaveAttribute('aria-sort', /ascending|descending/)
  const url = new URL(page.url())
  const api = await (await page.request.get(`/api/ratings${url.search}`)).json()
  const values = api.data.map((row: { prediction: string }) => Number(row.prediction))
  const direction = url.searchParams.get('sort')?.startsWith('-') ? -1 : 1
  expect(values).toEqual([...values].sort((a, b) => direction * (a - b)))
})

test('pages turn, and the count stays true', { tag: '@core' }, async ({ page }) => {
  await page.goto('/')
  const first = await readIds(page)
  await nextPage(page).click()
  await expect(page).toHaveURL(/page=2/)
  await expect.poll(async () => (await readIds(page))[0]).not.toBe(first[0])
  expect(await readIds(page)).not.toContain(first[0])
  await previousPage(page).click()
  await expect.poll(() => readIds(page)).toEqual(first)
})

test('a date range in the address is obeyed to the second', async ({ page }) => {
  await page.goto('/?from=2020-01-01&to=2021-01-01')
  await expect(rows(page).first()).toBeVisible()
  const created = await readColumn(page, 'Posted')
  expect(created.every((text) => text.startsWith('2020-'))).toBe(true)
})

test('an address edited by hand shows the nearest view and says what it ignored', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/?page=zz&rating=5&nope=1')
  await expect(page.getByText(/ignored/i).first()).toBeVisible()
  await expect(page.getByText(/nope/).first()).toBeVisible()
  await expect
    .poll(async () =>
      (await readColumn(page, 'Rating')).every((text) => text.includes('Strong Buy')),
    )
    .toBe(true)
})

test('nothing matches: the page names the filter to blame and what its removal brings', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/?symbol=NOSUCHSYMBOL&rating=5')
  await expect(page.getByText('No rating matches')).toBeVisible()
  const way = page.getByRole('listitem').filter({ hasText: 'Without symbol NOSUCHSYMBOL' })
  const { page: info } = await (await page.request.get('/api/ratings?rating=5')).json()
  await expect(way).toContainText(`${info.total.toLocaleString('en-US')} ratings`)
  await way.getByRole('link').click()
  await expect(page).toHaveURL(/\?rating=5$/)
  await expect(rows(page)).toHaveCount(50)
})

test.describe('when the dashboard cannot be reached', () => {
  test.use({ allowConsole: ['Failed to load resource', 'net::ERR'] })

  test('rows stay, the failure is said, and a retry mends it', { tag: '@core' }, async ({
    page,
  }) => {
    await page.goto('/')
    await expect(rows(page)).toHaveCount(50)
    await page.route('**/api/ratings?**', (route) => route.abort())
    await page
      .getByRole('group', { name: 'Rating' })
      .getByRole('checkbox', { name: /Strong Sell/ })
      .check()
    const retry = page.getByRole('button', { name: /try again|retry/i }).first()
    await expect(retry).toBeVisible({ timeout: 20_000 })
    await page.unroute('**/api/ratings?**')
    await retry.click()
    await expect
      .poll(async () =>
        (await readColumn(page, 'Rating')).every((text) => text.includes('Strong Sell')),
      )
      .toBe(true)
  })
})
