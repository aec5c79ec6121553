import { expect, type Page } from '@playwright/test'

export const searchField = (page: Page) => page.getByRole('combobox', { name: 'Search or filter' })

/** Retries, because keys before hydration are lost. */
export async function openSearch(page: Page, key = '/'): Promise<void> {
  await expect(async () => {
    if (!(await searchField(page).isVisible())) await page.keyboard.press(key)
    await expect(searchField(page)).toBeFocused({ timeout: 2000 })
  }).toPass()
}
