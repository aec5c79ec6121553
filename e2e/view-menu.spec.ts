import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

async function openMenu(page: Page, of: 'view' | 'chart' = 'view') {
  const button = page.getByRole('button', { name: `More for this ${of}` }).first()
  const copy = page.getByRole('button', { name: 'Copy link' })
  await expect(async () => {
    if (!(await copy.isVisible())) await button.click()
    await expect(copy).toBeVisible({ timeout: 2000 })
  }).toPass()
  return page.getByRole('dialog').filter({ has: copy })
}

test('the menu of a filtered table copies its link, shows its feeds and fills in an alert', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/?symbol=AAPL&rating=5')
  const menu = await openMenu(page)
  await menu.getByRole('button', { name: 'Copy link' }).click()
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
  await menu.getByText('Follow in a feed reader').click()
  const { origin } = new URL(page.url())
  await menu.getByRole('button', { name: 'Copy feed address' }).click()
  const feed = `${origin}/api/ratings.atom?symbol=AAPL&rating=5`
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(feed)
  await expectNoAxeViolations(page)
  await menu.getByRole('link', { name: 'Alert me…' }).click()
  const form = page.getByRole('form', { name: 'New alert' })
  await expect(form.getByRole('option', { name: 'new ratings: AAPL, Strong Buy' })).toBeAttached()
  await expect(form.getByLabel('Notify about')).toHaveValue('initial')
  await expect(form.getByLabel('Notify about')).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()
  await expect(page).toHaveURL('/status/alerts')
  await expect(page.getByRole('button', { name: 'New alert' })).toBeFocused()
})

test('the menu of a symbol’s chart fills in an alert about its ratings', async ({ page }) => {
  await page.goto('/symbols/AAPL')
  await (await openMenu(page, 'chart')).getByRole('link', { name: 'Alert me…' }).click()
  const form = page.getByRole('form', { name: 'New alert' })
  await expect(form.getByRole('option', { name: 'new ratings: AAPL', exact: true })).toBeAttached()
})

test('the menu of the changes shows their feed by keys, on a phone too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/changes')
  const menu = await openMenu(page)
  await menu.getByText('Follow in a feed reader').press('Enter')
  await expect(menu).toContainText('/api/changes.atom')
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(menu).toBeHidden()
  await expect(page.getByRole('button', { name: 'More for this view' })).toBeFocused()
})
