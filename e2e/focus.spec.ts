import { rows } from './support/ratings-page.ts'
import { openSearch, searchField } from './support/search.ts'
import { expect, test } from './support/test.ts'

test('J takes the focus along from row to row, and closing the rating leaves it there', async ({
  page,
}) => {
  await page.goto('/')
  await rows(page).first().focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('complementary', { name: /^Rating / })
  await expect(sheet).toBeVisible()
  await page.keyboard.press('j')
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('J')
  await expect(rows(page).nth(2)).toBeFocused()
  await page.keyboard.press('k')
  await expect(rows(page).nth(1)).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(sheet).toHaveCount(0)
  await expect(rows(page).nth(1)).toBeFocused()
})

test('Escape closes the saved views and leaves the open rating', async ({ page }) => {
  await page.goto('/')
  await rows(page).first().focus()
  await page.keyboard.press('Enter')
  const sheet = page.getByRole('complementary', { name: /^Rating / })
  await expect(sheet).toBeVisible()
  await page.getByRole('button', { name: 'Views' }).press('Enter')
  const views = page.getByRole('dialog', { name: 'Saved views' })
  const manage = views.getByRole('button', { name: /^Manage/ })
  // A trial click fails where something covers the button.
  await manage.click({ trial: true })
  await page.keyboard.press('Escape')
  await expect(views).toHaveCount(0)
  await expect(sheet).toBeVisible()
})

test('a filter that is removed hands the focus to its neighbor', async ({ page }) => {
  await page.goto('/?symbol=AAPL&rating=5')
  await page.getByRole('button', { name: /Remove filter: symbol/ }).press('Enter')
  await expect(page).toHaveURL(/\/\?rating=5$/)
  await expect(page.getByRole('button', { name: /Remove filter: rating/ })).toBeFocused()
})

test('a search leads the focus into the page that it opens', async ({ page }) => {
  for (const [text, address] of [
    ['symbol:AAPL', /\/\?symbol=AAPL$/],
    ['AAPL', /\/symbols\/AAPL$/],
  ] as const) {
    await page.goto('/users')
    await openSearch(page)
    await searchField(page).fill(text)
    const found = page.getByRole('listbox').getByRole('option', { selected: true })
    await expect(found).toContainText('AAPL')
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(address)
    await expect(page.getByRole('main')).toBeFocused()
  }
})

test('an open explanation closes when the focus moves on', async ({ page }) => {
  await page.goto('/symbols')
  await page.getByRole('button', { name: 'How consensus is ranked' }).press('Enter')
  const rule = page.getByRole('dialog', { name: 'How consensus is ranked' })
  await expect(rule).toBeVisible()
  await rule.getByRole('link').focus()
  await expect(rule).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(rule).toBeHidden()
})
