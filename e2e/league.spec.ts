import type { Locator } from '@playwright/test'
import { expect, expectNoOverflow, test } from './support/test.ts'

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

const namesIn = async (table: Locator) =>
  await table.locator('tbody td:first-child a').allInnerTexts()

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

test('a sparkline says in words what it draws, and the rule of a ranking opens beside its heading and names its source', async ({
  page,
}) => {
  await page.goto('/symbols')
  const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: 'AAPL' }) })
  await expect(row.getByRole('img')).toHaveAccessibleName(
    /^Consensus in a year: \d\.\d\d to \d\.\d\d, between \d\.\d\d and \d\.\d\d$/,
  )
  const button = page.getByRole('button', { name: 'How consensus is ranked' })
  await button.focus()
  await page.keyboard.press('Enter')
  const rule = page.getByRole('dialog', { name: 'How consensus is ranked' })
  await expect(rule).toContainText('m ∓ 1.65 · √((q − m²) / (N + 1))')
  await expect(rule.getByRole('link', { name: /Ranking Items With Star Ratings/ })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rule).toBeHidden()
  await expect(button).toBeFocused()
  await expect(page).toHaveURL(/\/symbols$/)
})

test('sorted by consensus, each row shows the bound that it stands there by', async ({ page }) => {
  for (const [sort, sign, key] of [
    ['-consensus', '≥', 'consensus_low'],
    ['consensus', '≤', 'consensus_high'],
  ] as const) {
    await page.goto(`/symbols?sort=${sort}&asof=2021-03-05`)
    const { data } = await (
      await page.request.get(`/api/symbols?sort=${sort}&asof=2021-03-05`)
    ).json()
    const cells = page.getByRole('table', { name: 'Symbols' }).locator('tbody td:nth-child(3)')
    await expect(cells).toHaveCount(data.length)
    const shown = await cells.allInnerTexts()
    const bounds = shown.map((text) => Number(text.split(sign)[1]?.match(/[\d.]+/)?.[0]))
    expect(bounds).toHaveLength(data.length)
    for (const [index, row] of data.entries()) {
      expect(Math.abs((bounds[index] ?? 0) - Number(row[key]))).toBeLessThanOrEqual(0.0051)
    }
    await expect(cells.first()).toContainText(/, may be \d\.\d\d to \d\.\d\d$/)
    await expect(cells.first().locator('[data-interval]')).toBeVisible()
  }
})

test('the tables use the width that the other pages use', async ({ page }) => {
  const WIDTHS = [1440, 2560]
  const readRights = async (path: string) => {
    await page.goto(path)
    await expect(page.getByRole('main').getByRole('table').first()).toBeVisible()
    const rights: number[] = []
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      const box = await page.getByRole('main').locator('> *').first().boundingBox()
      rights.push((box?.x ?? 0) + (box?.width ?? 0))
    }
    return rights
  }
  const others = await readRights('/symbols/AAPL')
  expect(await readRights('/symbols')).toEqual(others)
  expect(await readRights('/users')).toEqual(others)
})

test('asof rewinds the table', async ({ page }) => {
  const asof = '2020-06-30'
  const { data, page: found } = await (await page.request.get(`/api/symbols?asof=${asof}`)).json()
  await page.goto(`/symbols?asof=${asof}`)
  const table = page.getByRole('table', { name: 'Symbols' })
  await expect(page.getByText(`${found.total} symbols`).first()).toBeVisible()
  const first = table.locator('tbody').getByRole('row').first()
  await expect(first).toContainText(data[0].symbol)
  await expect(first).toContainText(data[0].ratings.toLocaleString('en-US'))
  await table.getByRole('columnheader', { name: 'Dispersion' }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=-dispersion&asof=2020-06-30/)
})

test('the largest moves lead to the symbol over the same week', async ({ page }) => {
  const asof = 'asof=2021-03-05'
  const { moves } = (await (await page.request.get(`/api/movers?${asof}`)).json()).data
  await page.goto(`/symbols?${asof}`)
  const movers = page
    .getByRole('paragraph')
    .filter({ hasText: 'Largest moves of consensus' })
    .getByRole('link')
  await expect(movers).toHaveText(moves.slice(0, 3).map(({ symbol }: { symbol: string }) => symbol))
  await movers.first().click()
  await expect(page).toHaveURL(
    /\/symbols\/.+\?from=2021-02-26T23:59:59Z&to=2021-03-06&asof=2021-03-05$/,
  )
})

test.describe('where the movers fail', () => {
  test.use({ allowConsole: ['500', '503'] })

  test('the table stands, and they are loaded again on request', async ({ page }) => {
    await page.goto('/')
    await page.route('**/api/movers*', async (route) => {
      await route.fulfill({ status: 500, json: { success: false, code: 500 } })
    })
    // A full load would include the data.
    await page.goto('/symbols?asof=2021-01-01')
    await page.getByRole('button', { name: 'Back to now' }).click()
    const table = page.getByRole('table', { name: 'Symbols' })
    await expect(table.getByRole('link', { name: 'AAPL' })).toBeVisible()
    await expect(page.getByText('The largest moves could not be loaded')).toBeVisible()
    await page.unroute('**/api/movers*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(page.getByText('The largest moves could not be loaded')).toBeHidden()
  })
})

test('symbols are ticked on any page and compared; nothing moves, and the address holds them', async ({
  page,
}) => {
  await page.goto('/symbols?per_page=5')
  const table = page.getByRole('table', { name: 'Symbols' })
  const tick = (index: number) => table.getByRole('checkbox').nth(index)
  const nameOf = async (index: number) => (await namesIn(table))[index] ?? ''
  const bar = page.getByRole('region', { name: 'Selection' })
  const [first, second] = [await nameOf(0), await nameOf(1)]
  const before = await table.boundingBox()
  await tick(0).check()
  await expect(bar).toContainText(`${first}: tick another to compare`)
  await tick(1).focus()
  await page.keyboard.press('Space')
  await expect(bar.getByRole('link', { name: 'Compare 2 symbols' })).toBeVisible()
  expect(await table.boundingBox()).toEqual(before)
  await expect(page).toHaveURL(new RegExp(`selected=${first},${second}$`))
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(page).toHaveURL(/page=2/)
  await expect.poll(async () => await nameOf(0)).not.toBe(first)
  const third = await nameOf(2)
  for (const index of [2, 1, 0, 3]) await tick(index).check()
  await expect(bar).toContainText('no more than 6')
  await expect(tick(4)).toBeDisabled()
  for (const index of [1, 0, 3]) await tick(index).uncheck()
  await bar.getByRole('link', { name: 'Compare 3 symbols' }).click()
  await expect(page).toHaveURL(new RegExp(`/symbols/${first}\\?vs=${second},${third}$`))
  await expect(
    page.getByRole('figure', { name: `Consensus compared, ${first}, ${second}, ${third}` }),
  ).toBeVisible()
})

test('on a phone each row is a card: its name is never cut, and what it is sorted by is on it', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  for (const [path, name, label] of [
    ['/symbols?sort=-last_created_at', 'Symbols', 'Last rated'],
    ['/users?sort=-last_created_at', 'Users', 'Last rated'],
  ] as const) {
    await page.goto(path)
    const table = page.getByRole('table', { name })
    const sort = page.getByRole('combobox', { name: 'Sort by' })
    await expect(sort).toBeInViewport()
    await expect(
      sort.getByRole('option', { name: label, exact: true, selected: true }),
    ).toHaveCount(1)
    await expect(page.getByRole('button', { name: /^Sorted descending/ })).toBeInViewport()
    for (const width of [390, 768, 1024]) {
      await page.setViewportSize({ width, height: 844 })
      const cut = await table.locator('tbody td:first-child a').evaluateAll(
        (links) =>
          links.filter((link) => {
            const cell = link.closest('td')
            return !cell || cell.scrollWidth > cell.clientWidth + 1
          }).length,
      )
      expect(cut, `${name} at ${width} px`).toBe(0)
    }
    await page.setViewportSize({ width: 390, height: 844 })
    const card = table.locator('tbody').getByRole('row').first()
    const sorted = card.locator('[data-sorted]')
    await expect(sorted).toBeInViewport({ ratio: 1 })
    await expect(sorted).toHaveAttribute('data-label', label)
    await expectNoOverflow(page)
  }
})

test.describe('without any script', () => {
  test.use({ javaScriptEnabled: false })

  test('both tables are there, and nothing else in their place', async ({ page }) => {
    for (const [path, name] of [
      ['/symbols', 'Symbols'],
      ['/users', 'Users'],
    ] as const) {
      await page.goto(path)
      await expect(page.getByRole('table', { name }).getByRole('row')).toHaveCount(51)
      await expect(page.getByText('loading')).toHaveCount(0)
    }
  })
})

test('a page loads nothing of other pages before the reader comes near a link', async ({
  page,
}) => {
  const prepared: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (searchParams.has('_rsc')) prepared.push(pathname)
  })
  await page.goto('/symbols/AAPL')
  const preparing = page.waitForRequest(/\/users\?_rsc=/)
  await page.getByRole('navigation').getByRole('link', { name: 'Users', exact: true }).focus()
  await preparing
  expect(new Set(prepared)).toEqual(new Set(['/users']))
})

test('a click shows at once where it leads, while the page is still on its way', async ({
  page,
}) => {
  const address = /\/symbols\?_rsc=/
  const known = page.waitForResponse(async (response) => {
    if (!address.test(response.url())) return false
    const headers = await response.request().allHeaders()
    return 'next-router-prefetch' in headers && !('next-router-segment-prefetch' in headers)
  })
  await page.goto('/about')
  const link = page.getByRole('navigation').getByRole('link', { name: 'Symbols', exact: true })
  await link.hover()
  await (await known).finished()
  let arrive = () => {}
  const waiting = new Promise<void>((resolve) => {
    arrive = resolve
  })
  await page.route(address, async (route) => {
    await waiting
    await route.continue()
  })
  await link.click()
  const main = page.getByRole('main')
  await expect(main.getByRole('heading', { level: 1, name: 'Symbols' })).toBeVisible()
  await expect(main.getByText('Symbols are loading.')).toBeAttached()
  arrive()
  await expect(page.getByRole('table', { name: 'Symbols' })).toBeVisible()
  await expect(main.getByText('loading')).toHaveCount(0)
})

test('before the first rating the page says that nobody had rated anything', async ({ page }) => {
  await page.goto('/symbols?asof=2001-01-01')
  const main = page.getByRole('main')
  await expect(main.getByText('There were no ratings by 2001-01-01')).toBeVisible()
  await main.getByRole('link', { name: 'Back to now' }).click()
  await expect(page).toHaveURL(/\/symbols$/)
  await expect(page.getByRole('table', { name: 'Symbols' })).toBeVisible()
})
