import type { Locator, Page } from '@playwright/test'
import { expect } from './test.ts'

export const heading = (page: Page): Locator => page.getByRole('heading', { level: 1 })

export const table = (page: Page): Locator => page.getByRole('table', { name: 'Ratings' })

export const rows = (page: Page): Locator =>
  table(page)
    .getByRole('row')
    .filter({ has: page.getByRole('cell') })

/** Also behind an open dialog. */
export const frame = (page: Page): Locator =>
  page.getByRole('region', { name: 'Ratings, scrollable', includeHidden: true })

export const rail = (page: Page): Locator => page.getByRole('complementary', { name: 'Filters' })

export const strongSell = (page: Page): Locator =>
  page.getByRole('group', { name: 'Rating' }).getByRole('checkbox', { name: /Strong Sell/ })

export const nextPage = (page: Page): Locator => page.getByRole('button', { name: 'Next page' })
export const previousPage = (page: Page): Locator =>
  page.getByRole('button', { name: 'Previous page' })

export const selectionBar = (page: Page): Locator => page.getByRole('region', { name: 'Selection' })

export const header = (page: Page, name: string): Locator =>
  table(page).getByRole('columnheader', { name, exact: true })

export const edge = (page: Page, name: string): Locator =>
  table(page).getByRole('separator', { name: `Width of ${name}` })

export const NEWCOMER = [
  ...['Symbol', 'User', 'Rating', 'Action', 'Prediction', 'Agree', 'Disagree', 'Comments'],
  ...['Posted', 'Expires'],
]

export const columnsMenu = (page: Page): Locator => page.getByRole('dialog', { name: 'Columns' })

export async function openColumns(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Columns' }).click()
  await expect(columnsMenu(page).getByRole('checkbox', { name: 'Symbol' })).toBeVisible()
}

export const widthOf = async (part: Locator): Promise<number> =>
  Math.round((await part.boundingBox())?.width ?? 0)

export async function readNames(page: Page): Promise<string[]> {
  const texts = await table(page).getByRole('columnheader').allInnerTexts()
  return texts.map((text) => text.replace(/[↑↓\n]/g, '').trim())
}

export async function cell(page: Page, row: Locator, name: string): Promise<Locator> {
  return row.getByRole('cell').nth((await readNames(page)).indexOf(name))
}

export async function readColumn(page: Page, name: string): Promise<string[]> {
  const headers = await table(page).getByRole('columnheader').allInnerTexts()
  const index = headers.findIndex((text) => text.trim().startsWith(name))
  return await rows(page).evaluateAll(
    (all, place) => all.map((row) => (row as HTMLTableRowElement).cells[place]?.innerText ?? ''),
    index,
  )
}

export const readIds = async (page: Page): Promise<number[]> =>
  await rows(page).evaluateAll((all) => all.map((row) => Number(row.getAttribute('data-rating'))))

export async function visit(page: Page, address = '/'): Promise<void> {
  await page.goto(address)
  await expect(rows(page).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}
