import type { Page } from '@playwright/test'
import { useLocalZone } from './support/local-zone.ts'
import { expect, test } from './support/test.ts'

const DAY = '2024-08-02'

const banner = (page: Page) => page.getByRole('region', { name: 'Time machine' })
const control = (page: Page) => page.getByRole('main').getByRole('button', { name: /^As of/ })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Time machine' })

const ask = async (page: Page, path: string) => (await page.request.get(path)).json()

const written = (count: number) => count.toLocaleString('en-US')

async function openPanel(page: Page) {
  await control(page).click()
  await expect(panel(page).getByLabel(/^Day/)).toBeVisible()
}

test.describe('rewinding', () => {
  test('shows of the ratings what existed at the end of the chosen day, and says so', {
    tag: '@core',
  }, async ({ page }) => {
    await page.goto('/')
    const all = await page.getByRole('heading', { level: 1 }).textContent()
    await openPanel(page)
    await panel(page).getByLabel(/^Day/).fill(DAY)
    await panel(page).getByRole('button', { name: 'Go to this day' }).click()
    await expect(page).toHaveURL(`/?asof=${DAY}`)
    await expect(panel(page)).toBeHidden()
    await expect(control(page)).toBeFocused()
    const { page: then } = await ask(page, `/api/ratings?asof=${DAY}&per_page=1`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      `${written(then.total)} ratings`,
    )
    await expect(banner(page)).toContainText(`As of ${DAY} 23:59`)
    await expect(banner(page)).toContainText('Votes and comments are as last seen')
    await expect(page).toHaveTitle(`as of ${DAY} · Ratings · Bellwether`)
    await expect(page.getByRole('columnheader', { name: 'Agree', exact: true })).toHaveAttribute(
      'title',
      'as last seen',
    )
    await expect(page.getByRole('button', { name: /^Remove filter/ })).toHaveCount(0)

    await banner(page).getByRole('button', { name: 'Back to now' }).click()
    await expect(page).toHaveURL('/')
    await expect(banner(page)).toHaveCount(0)
    await expect(page.getByRole('main')).toBeFocused()
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(
      `${written(then.total)} ratings`,
    )
    expect(all).not.toBe(`${written(then.total)} ratings`)
    await page.goBack()
    await expect(page).toHaveURL(`/?asof=${DAY}`)
    await expect(banner(page)).toContainText(DAY)
  })

  test('shows of a symbol and of the league what the API says of that instant', async ({
    page,
  }) => {
    const { data } = await ask(page, `/api/symbols/AAPL/opinion?asof=${DAY}`)
    await page.goto(`/symbols/AAPL?asof=${DAY}`)
    await expect(page).toHaveTitle(
      new RegExp(`^AAPL · Amber Acorn Software as of ${DAY} · Bellwether$`),
    )
    await expect(page.getByRole('main')).toContainText(
      `${written(data.ratings)} ratings by ${written(data.users)} users`,
    )
    await expect(page.getByRole('main')).toContainText(`of ${written(data.active)} active`)

    const league = await ask(page, `/api/symbols?asof=${DAY}`)
    await page.goto(`/symbols?asof=${DAY}`)
    await expect(page).toHaveTitle(`Symbols as of ${DAY} · Bellwether`)
    const row = page.getByRole('row', { name: new RegExp(`(^| )${league.data[0].symbol} `) })
    await expect(row.first()).toContainText(written(league.data[0].active))
  })
})

test.describe('a rating’s page', () => {
  test.use({ allowConsole: ['404'] })

  test('is as it was at the instant, and missing before it existed', async ({ page }) => {
    const { data } = await ask(page, `/api/ratings?asof=${DAY}&per_page=1`)
    const { id } = data[0]
    await page.goto(`/ratings/${id}`)
    await expect(banner(page)).toHaveCount(0)
    await page.goto(`/ratings/${id}?asof=${DAY}`)
    await expect(page.getByText('Active', { exact: true })).toBeVisible()
    await expect(page.getByText(/, as last seen$/)).toBeVisible()
    await page.goto(`/ratings/${id}?asof=1999-12-31`)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(`There is no rating ${id}`)
    await expect(page.getByText('existed at the time')).toBeVisible()
  })
})

test('a range of a chart keeps its length when the reader rewinds and returns', async ({
  page,
}) => {
  await page.goto('/symbols/AAPL')
  const range = page.getByRole('radio', { name: '1Y' })
  await range.check()
  const from = () => new URL(page.url()).searchParams.get('from')
  await expect.poll(from).not.toBeNull()
  const present = from()
  await openPanel(page)
  await panel(page).getByLabel(/^Day/).fill(DAY)
  await panel(page).getByRole('button', { name: 'Go to this day' }).click()
  await expect(page).toHaveURL(/asof=/)
  expect(from()).toBe('2023-08-02')
  await expect(range).toBeChecked()
  await banner(page).getByRole('button', { name: 'Back to now' }).click()
  await expect.poll(from).toBe(present)
})

test('links carry the instant through the pages, those that show the present too, and Back returns', async ({
  page,
}) => {
  await useLocalZone(page)
  await page.goto(`/?asof=${DAY}`)
  const go = (name: string) =>
    page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click()
  await go('Symbols')
  await expect(page).toHaveURL(`/symbols?asof=${DAY}`)
  await page.getByRole('main').getByRole('link', { name: 'AAPL', exact: true }).first().click()
  await expect(page).toHaveURL(`/symbols/AAPL?asof=${DAY}`)
  await go('Downloads')
  await expect(page).toHaveURL(`/downloads?asof=${DAY}`)
  await expect(banner(page)).toContainText('shows the present')
  await go('Users')
  await expect(page).toHaveURL(`/users?asof=${DAY}`)
  await expect(banner(page)).toContainText('As of 2024-08-03 01:59')

  await page.goBack()
  await page.goBack()
  await expect(page).toHaveURL(`/symbols/AAPL?asof=${DAY}`)
  await expect(banner(page)).toBeVisible()
})

test('the search and saved views keep where the reader stands', async ({ page }) => {
  await page.goto(`/?asof=${DAY}`)
  await expect(banner(page)).toBeVisible()
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: /search|filter/i })
  await expect(field).toHaveValue('')
  await field.fill('symbol:AAPL ')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/?symbol=AAPL&asof=${DAY}`)

  await page.getByRole('button', { name: 'Views' }).click()
  await page.getByRole('link', { name: 'All ratings', exact: true }).click()
  await expect(page).toHaveURL(`/?asof=${DAY}`)
})

test('a chosen day ends by the clock of the reader’s zone', async ({ page }) => {
  await useLocalZone(page)
  await page.goto('/users?asof=2024-03-30T22:59:59Z')
  await expect(control(page)).toHaveText(/2024-03-30/)
  await openPanel(page)
  await panel(page).getByLabel(/^Day/).fill('2024-10-27')
  await panel(page).getByLabel(/^Day/).press('Enter')
  await expect(page).toHaveURL('/users?asof=2024-10-27T22:59:59Z')
  await expect(banner(page)).toContainText('As of 2024-10-27 23:59')
})

test.describe('what stands in the address', () => {
  test('before the first rating leads to it', async ({ page }) => {
    await page.goto('/?asof=1999-12-31')
    await expect(page.getByText('No rating existed yet')).toBeVisible()
    await page.getByRole('link', { name: 'Go to that day' }).click()
    await expect(page.getByRole('heading', { level: 1 })).not.toHaveText('0 ratings')
  })

  test('in the future is what is left if nobody posts', async ({ page }) => {
    await page.goto('/?asof=9999-12-31&state=active')
    await expect(banner(page)).toContainText('without new ratings')
    const { page: then } = await ask(page, '/api/ratings?asof=9999-12-31&state=active')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(
      new RegExp(`^${written(then.total)} ratings?$`),
    )
  })

  test('and is no instant is now, and the page says what it ignored', async ({ page }) => {
    for (const path of ['/', '/symbols', '/users']) {
      await page.goto(`${path}?asof=banana`)
      await expect(page.getByText('Part of the address was ignored')).toBeVisible()
      await expect(banner(page)).toHaveCount(0)
      await expect(control(page)).toHaveText(/As of now/)
    }
  })

  test('is drawn by the server: the banner stands there without a script', async ({ request }) => {
    const html = await (await request.get(`/symbols?asof=${DAY}`)).text()
    expect(html).toContain('data-time-banner')
    expect(html).toContain(`<title>Symbols as of ${DAY} · Bellwether</title>`)
  })
})
