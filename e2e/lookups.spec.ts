import type { Page } from '@playwright/test'
import { openSearch, searchField } from './support/search.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

test.beforeAll(async ({ baseURL }) => {
  const isImported = async () => {
    const { data } = await (await fetch(`${baseURL}/api/dumps`)).json()
    return data.lookups.imported.state
  }
  await expect.poll(isImported, { timeout: 60_000 }).toBe('imported')
})

const countOf = async (page: Page, query = '') => {
  const { page: info } = await (await page.request.get(`/api/lookups${query}`)).json()
  return info.total.toLocaleString('en-US')
}

test('look-ups are filtered, counted, ordered and taken away by the address alone', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/downloads')
  await page.getByRole('link', { name: 'Browse look-ups' }).click()
  await expect(page.getByRole('heading', { name: 'Look-ups', level: 1 })).toBeVisible()
  const all = await countOf(page)
  await expect(page.getByText(`${all} look-ups`).first()).toBeVisible()
  await expect(page.getByText(/known up to .* from the dump of/)).toBeVisible()

  const filters = page.getByRole('complementary', { name: 'Filters' })
  await filters.getByRole('checkbox', { name: 'slack' }).check()
  await expect(page).toHaveURL(/\?source=slack$/)
  const some = await countOf(page, '?source=slack')
  await expect(page.getByText(`${some} of ${all} look-ups`)).toBeVisible()
  await expect(page.getByRole('cell', { name: 'discord' })).toHaveCount(0)

  await page.getByRole('link', { name: 'Symbol', exact: true }).click()
  await expect(page).toHaveURL(/sort=symbol/)
  await expect(
    page.getByRole('table', { name: 'Look-ups' }).getByRole('columnheader', { name: 'Symbol' }),
  ).toHaveAttribute('aria-sort', 'ascending')
  const link = page.locator('#export')
  await expect(link).toHaveAttribute('href', /\/api\/lookups\.csv\?source=slack&sort=symbol/)
})

test('a span is chosen along the timeline by keys, and is days in the address', async ({
  page,
}) => {
  await page.goto('/lookups')
  const strip = page.getByRole('listbox', { name: 'Looked up over time, pick a range' })
  await strip.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}&to=\d{4}-\d{2}-\d{2}$/)
  const { search } = new URL(page.url())
  await expect(page.getByText(`${await countOf(page, search)} of`)).toBeVisible()
})

test('a view is saved with its words, opened on its page, and found from any page', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/lookups')
  const filters = page.getByRole('complementary', { name: 'Filters' })
  const drop = page.getByRole('button', { name: 'Remove filter: source slack' })
  const views = page.getByRole('button', { name: /^Views/ })
  const panel = page.getByRole('dialog', { name: 'Saved views' })
  await filters.getByRole('checkbox', { name: 'slack' }).check()
  await expect(page).toHaveTitle('source slack · Look-ups · Bellwether')
  await views.click()
  await panel.getByRole('button', { name: 'Save this view…' }).click()
  await expect(panel.getByRole('textbox')).toHaveValue('source slack')
  await panel.getByRole('textbox').fill('From Slack')
  await page.keyboard.press('Enter')
  await expect(views).toHaveText(/From Slack/)
  await page.keyboard.press('Escape')

  await drop.click()
  await expect(page).toHaveURL(/\/lookups$/)
  await expect(page).toHaveTitle('Look-ups · Bellwether')
  await views.click()
  await expect(panel.getByRole('link', { name: 'All look-ups' })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await panel.getByRole('link', { name: 'From Slack' }).click()
  await expect(page).toHaveURL(/\/lookups\?source=slack$/)
  await expect(drop).toBeVisible()
  await expect(views).toHaveText(/From Slack/)

  await page.goto('/?symbol=AAPL')
  await views.click()
  await expect(panel.getByRole('link', { name: 'All ratings' })).toBeVisible()
  await expect(panel.getByRole('link', { name: 'From Slack' })).toHaveCount(0)
  await panel.getByRole('button', { name: 'Manage, import, export…' }).click()
  await expect(panel).toContainText('Look-ups · source slack')
  await panel.getByRole('button', { name: 'Close' }).click()
  await openSearch(page)
  await searchField(page).fill('From Slack')
  await page.getByRole('option', { name: 'View From Slack' }).click()
  await expect(page).toHaveURL(/\/lookups\?source=slack$/)
  await expect(views).toHaveText(/From Slack/)
})

test('filters that nothing passes are said to, and leave by one click', async ({ page }) => {
  await page.goto('/lookups?symbol=NOBODY')
  await expect(page.getByText('No look-up passes these filters')).toBeVisible()
  await page.getByRole('link', { name: 'Remove all filters' }).click()
  await expect(page).toHaveURL(/\/lookups$/)
  await expect(page.getByRole('table', { name: 'Look-ups' })).toBeVisible()
})

test('on a phone a look-up is a card, filters close with their count, and rows are sorted by a control', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/lookups')
  await page.getByText('Filters', { exact: true }).click()
  await page.getByRole('checkbox', { name: 'slack' }).check()
  await expect(page).toHaveURL(/\?source=slack$/)
  await page.getByRole('button', { name: `Show ${await countOf(page, '?source=slack')}` }).click()
  await expect(page.getByRole('checkbox', { name: 'slack' })).toBeHidden()
  await page.getByRole('combobox', { name: 'Sort by' }).selectOption('Symbol')
  await expect(page).toHaveURL(/\?source=slack&sort=symbol$/)
  await page.getByRole('button', { name: 'Sorted ascending. Reverse the order' }).click()
  await expect(page).toHaveURL(/\?source=slack&sort=-symbol$/)
  await expectNoAxeViolations(page)
  const wide = await page.evaluate(() => document.documentElement.scrollWidth)
  expect(wide).toBeLessThanOrEqual(390)
})
