import type { Page } from '@playwright/test'
import { expect, expectNoOverflow, test } from './support/test.ts'

async function readLines(page: Page, name: string) {
  const links = page.getByRole('list', { name }).getByRole('link')
  await expect(links.first()).toBeVisible()
  return await links.evaluateAll((all) =>
    all.map((link) => ({
      symbol: link.firstElementChild?.textContent ?? '',
      text: link.textContent ?? '',
      href: link.getAttribute('href') ?? '',
    })),
  )
}

const toNumbers = (text: string) =>
  (text.match(/[\d,]+/g) ?? []).map((n) => Number(n.replace(/,/g, '')))

async function askLink(page: Page, href: string) {
  expect(href).toMatch(/^\/\?symbol=/)
  return await (await page.request.get(`/api/ratings${href.slice(1)}&per_page=500`)).json()
}

const INSTANTS = { now: null, 'a day that the page is rewound to': '2021-03-05' } as const

for (const [what, asof] of Object.entries(INSTANTS)) {
  test(`each line of the overview leads to exactly what it counts, at ${what}, narrow and wide`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 800 })
    await page.goto(asof ? `/symbols?asof=${asof}` : '/symbols')
    const contested = await readLines(page, 'Most contested')
    for (const { symbol, text, href } of contested) {
      expect(href).toContain('state=active&sort=-tally_disagree')
      const { data, page: found } = await askLink(page, href)
      expect(found.total).toBeLessThanOrEqual(500)
      const votes = data.reduce(
        (sum: number, row: Record<string, number>) =>
          sum + Number(row.tally_agree) + Number(row.tally_disagree),
        0,
      )
      expect(toNumbers(text.slice(symbol.length)).at(-1), symbol).toBe(votes)
    }
    const names = ['Most contested', 'Expiring soon', 'Newest symbols']
    const readAll = async () => await Promise.all(names.map((name) => readLines(page, name)))
    const wide = await readAll()
    await page.setViewportSize({ width: 360, height: 800 })
    await page.getByRole('checkbox', { name: 'Show the overview' }).check()
    expect(await readAll()).toEqual(wide)
  })
}

for (const width of [390, 768, 1024, 1440, 2560]) {
  test(`the four lists are whole in a window of ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/symbols')
    const box = page.getByRole('checkbox', { name: 'Show the overview' })
    if (width < 640) await box.check()
    const overview = page.getByRole('region', { name: 'Overview' })
    await expect(overview.getByRole('heading', { level: 3 })).toHaveText([
      'Most contested',
      'Expiring soon',
      'Newest symbols',
      'Looked up, hardly rated',
    ])
    const cut = await overview.evaluate((region) =>
      [region, ...region.querySelectorAll('h3, p, a, b, small')]
        .filter((part) => part.scrollWidth > part.clientWidth && part.clientWidth > 0)
        .map((part) => part.textContent),
    )
    expect(cut).toEqual([])
    await expectNoOverflow(page)
  })
}

const movers = (page: Page) =>
  page.getByRole('paragraph').filter({ hasText: 'Largest moves of consensus' }).getByRole('link')

test('moves, newcomers and cliffs say what the page says that they lead to', async ({ page }) => {
  const asof = 'asof=2021-03-05'
  await page.goto(`/symbols?${asof}`)
  const opinionOf = async (symbol: string) => {
    const path = `/api/symbols/${encodeURIComponent(symbol)}/opinion?${asof}`
    return (await (await page.request.get(path)).json()).data
  }
  const { moves } = (await (await page.request.get(`/api/overview?${asof}`)).json()).data
  await expect(movers(page)).toHaveText(
    moves.slice(0, 3).map(({ symbol }: { symbol: string }) => symbol),
  )
  const sizes = moves.map(({ change }: { change: string }) => Math.abs(Number(change)))
  expect(sizes).toEqual(sizes.toSorted((a: number, b: number) => b - a))
  for (const { symbol, text, href } of await readLines(page, 'Newest symbols')) {
    const { ratings, first_created_at } = await opinionOf(symbol)
    expect(text).toContain(`n=${ratings}`)
    expect(text).toContain(new Date(first_created_at * 1000).toISOString().slice(0, 10))
    expect(href).toBe(`/symbols/${encodeURIComponent(symbol)}?${asof}`)
  }
  for (const { symbol, text, href } of await readLines(page, 'Expiring soon')) {
    const { active, cliff } = await opinionOf(symbol)
    const { lapsing: expiring } = cliff.find(({ days }: { days: number }) => days === 30)
    expect(text).toContain(`${expiring} of ${active}`)
    expect(href).toMatch(/^\/symbols\/.+\?from=2.+&to=2.+&asof=2021-03-05$/)
  }
  await movers(page).first().click()
  await expect(page).toHaveURL(
    /\/symbols\/.+\?from=2021-02-26T23:59:59Z&to=2021-03-06&asof=2021-03-05$/,
  )
  await expect(page.getByRole('heading', { level: 1 })).toContainText(moves[0].symbol)
})

test('on a phone the overview is shown by a box', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/symbols')
  const list = page.getByRole('list', { name: 'Expiring soon' })
  await expect(page.getByRole('link', { name: 'AAPL', exact: true })).toBeInViewport()
  await expect(list).toBeHidden()
  await page.getByRole('checkbox', { name: 'Show the overview' }).check()
  await expect(list).toBeVisible()
})

test.describe('where the overview fails', () => {
  test.use({ allowConsole: ['500', '503'] })

  test('the table still stands, and it can be asked again', async ({ page }) => {
    await page.goto('/')
    await page.route('**/api/overview*', async (route) => {
      await route.fulfill({ status: 500, json: { success: false, code: 500 } })
    })
    // A full load would include the data.
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
