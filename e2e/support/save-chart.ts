import { expect, type Locator, type Page } from '@playwright/test'

export const saveMenu = (page: Page): Locator => page.getByRole('dialog', { name: 'Save chart' })

export async function openSaveMenu(figure: Locator): Promise<Locator> {
  const menu = saveMenu(figure.page())
  await expect(async () => {
    if (!(await menu.isVisible()))
      await figure.getByRole('button', { name: 'More for this chart' }).click()
    await expect(menu).toBeVisible({ timeout: 2000 })
  }).toPass()
  return menu
}
