import type { Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const card = (page: Page) => page.getByRole('region', { name: 'Posts dump' })
const rows = (page: Page) =>
  page.getByRole('table', { name: 'First rows of the posts dump' }).getByRole('row')

test('more of a dump is read in the page, of any columns, and each of them can be left out', async ({
  page,
}) => {
  await page.goto('/downloads')
  await expect(card(page).getByText('The first 20 rows')).toBeVisible()
  const choice = card(page).getByRole('button', { name: /^Columns/ })
  const columns = page.getByRole('dialog', { name: 'Columns of the posts dump' })
  const first = await rows(page).nth(1).innerText()
  await card(page).getByRole('button', { name: 'Show more rows' }).click()
  await expect(card(page).getByText(/^The first [1-9]\d\d rows$/)).toBeVisible()
  expect(await rows(page).count()).toBeGreaterThan(100)
  expect(await rows(page).nth(1).innerText()).toBe(first)
  await choice.click()
  await columns.getByRole('checkbox', { name: 'user_id' }).uncheck()
  await page.keyboard.press('Escape')
  await expect(columns).toBeHidden()
  await expect(choice).toBeFocused()
  await expect(choice).toContainText('14 of 15')
  await expect(card(page).getByRole('columnheader', { name: 'user_id' })).toHaveCount(0)
})

test('lists the earlier editions of a dump on a phone', async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 900 })
  await page.goto('/downloads')
  const { data } = await (await page.request.get('/api/editions')).json()
  expect(data.posts[0].state).toBe('current')
  await card(page).getByRole('radio', { name: 'Earlier editions' }).check()
  await expect(card(page).getByText('Only the current edition is here')).toBeVisible()
  expect(await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth)).toBe(
    false,
  )
})
