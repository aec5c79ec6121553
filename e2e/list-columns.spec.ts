import type { Locator, Page } from '@playwright/test'
import { watchShifts } from './support/layout-shift.ts'
import { columnsMenu, widthOf } from './support/ratings-page.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const headings = (page: Page, table: string): Locator =>
  page.getByRole('table', { name: table }).getByRole('columnheader')

const readNames = async (page: Page, table: string) =>
  await headings(page, table).evaluateAll((cells) =>
    cells
      .filter((cell) => (cell as HTMLElement).offsetWidth > 0)
      .map((cell) => cell.getAttribute('aria-label')),
  )

async function visit(page: Page, path: string, table: string) {
  await page.goto(path)
  await expect(headings(page, table).first()).toBeVisible()
  await page.waitForLoadState('networkidle')
}

const LOOKUPS = ['Looked up', 'Symbol', 'Source', 'Room', 'Id']

test('columns of a list are hidden and moved by keyboard, stay so without a jump, and are reset', {
  tag: '@core',
}, async ({ page }) => {
  const names = () => readNames(page, 'Look-ups')
  await visit(page, '/lookups', 'Look-ups')
  expect(await names()).toEqual(LOOKUPS)
  const file = await page.locator('#export').getAttribute('href')

  await page.getByRole('button', { name: 'Columns' }).press('Enter')
  await columnsMenu(page).getByRole('checkbox', { name: 'Room' }).press('Space')
  await columnsMenu(page).getByRole('button', { name: 'Move Source left' }).press('Enter')
  await expect(columnsMenu(page).getByText('Source is column 2 of 5')).toBeAttached()
  const chosen = ['Looked up', 'Source', 'Symbol', 'Id']
  await expect.poll(names).toEqual(chosen)
  await expectNoAxeViolations(page)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('button', { name: 'Columns' })).toBeFocused()
  await expect(page.locator('#export')).toHaveAttribute('href', file ?? '')

  const readShifts = await watchShifts(page)
  await visit(page, '/lookups', 'Look-ups')
  expect(await names()).toEqual(chosen)
  expect(await readShifts()).toEqual([])

  await page.getByRole('button', { name: 'Columns' }).click()
  await columnsMenu(page)
    .getByRole('button', { name: /^Reset columns/ })
    .click()
  await expect.poll(names).toEqual(LOOKUPS)
})

test('the first paint of a list has the columns of its reader, before any script runs', async ({
  page,
  request,
}) => {
  await visit(page, '/symbols', 'Symbols')
  await page.getByRole('button', { name: 'Columns' }).click()
  await columnsMenu(page).getByRole('checkbox', { name: 'Dispersion' }).uncheck()
  await columnsMenu(page).getByRole('radio', { name: 'Compact' }).check()
  const cookies = await page.context().cookies()
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ')
  const html = await (await request.get('/symbols', { headers: { cookie } })).text()
  expect(html).toContain('data-column="consensus"')
  expect(html).not.toContain('data-column="dispersion"')
  expect(html).toMatch(/class="data-table compact cards list-table/)
})

test('an edge of a list is moved by arrow keys, no other moves, and columns still leave narrow windows', async ({
  page,
}) => {
  const column = (name: string) =>
    page.getByRole('table', { name: 'Symbols' }).getByRole('columnheader', { name, exact: true })
  await page.setViewportSize({ width: 1440, height: 900 })
  await visit(page, '/symbols', 'Symbols')
  const all = await readNames(page, 'Symbols')
  const [active, consensus] = [
    await widthOf(column('Active, n')),
    await widthOf(column('Consensus')),
  ]
  await page.getByRole('separator', { name: 'Width of Active, n' }).focus()
  await page.keyboard.press('ArrowRight')
  await expect.poll(() => widthOf(column('Active, n'))).toBe(active + 8)
  expect(await widthOf(column('Consensus'))).toBe(consensus)
  await visit(page, '/symbols', 'Symbols')
  expect(await widthOf(column('Active, n'))).toBe(active + 8)
  expect(await readNames(page, 'Symbols')).toEqual(all)

  await page.setViewportSize({ width: 1024, height: 900 })
  expect((await readNames(page, 'Symbols')).length).toBeLessThan(all.length)
  const beyond = await page
    .getByRole('region', { name: 'Symbols, scrollable' })
    .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)
  expect(beyond).toBe(0)
})

test('a column that a narrow window hides is shown once others make room', async ({ page }) => {
  await page.setViewportSize({ width: 1152, height: 900 })
  await visit(page, '/symbols', 'Symbols')
  expect(await readNames(page, 'Symbols')).not.toContain('Dispersion')
  await page.getByRole('button', { name: 'Columns' }).click()
  for (const name of ['Mean prediction', 'Last rated', '30 days', 'Ratings', 'Look-ups, 30 days']) {
    await columnsMenu(page).getByRole('checkbox', { name, exact: true }).uncheck()
  }
  await expect.poll(() => readNames(page, 'Symbols')).toContain('Dispersion')
})

test('a row of symbols is one line, and the table never scrolls sideways, from 640 pixels on', async ({
  page,
}) => {
  await visit(page, '/symbols', 'Symbols')
  const rows = page.getByRole('table', { name: 'Symbols' }).locator('tbody > tr')
  const frame = page.getByRole('region', { name: 'Symbols, scrollable' })
  for (const width of [640, 768, 1024, 1184, 1280, 1440, 1920, 2560]) {
    await page.setViewportSize({ width, height: 900 })
    const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight))
    expect([...new Set(heights)], `at ${width}`).toEqual([31])
    const [seen, whole] = await frame.evaluate((it) => [it.clientWidth, it.scrollWidth])
    expect(whole, `at ${width}`).toBe(seen)
  }
})
