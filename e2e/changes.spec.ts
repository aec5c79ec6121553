import type { Page } from '@playwright/test'
import { watchShifts } from './support/layout-shift.ts'
import { expect, expectNoAxeViolations, expectNoOverflow, test } from './support/test.ts'

const loadChanges = async (page: Page, query = '') => {
  const { data } = await (await page.request.get(`/api/changes${query}`)).json()
  return data
}

test('says what a week brought', {
  tag: '@core',
}, async ({ page }) => {
  const changes = await loadChanges(page)
  await page.goto('/changes')
  await expect(page.getByRole('main').getByRole('paragraph').first()).toContainText(
    `${changes.ratings} ratings were posted by ${changes.users} users on ${changes.symbols} symbols`,
  )
  await expectNoAxeViolations(page)
})

test('the largest moves come by size, name what moved them, and lead to the panel that has all of it', async ({
  page,
}) => {
  const [first] = (await loadChanges(page)).moves
  await page.goto('/changes')
  const lines = page.getByRole('region', { name: 'Largest moves' }).getByRole('listitem')
  const sizes = (await lines.allInnerTexts()).map((text) =>
    Number(/[+−](\d\.\d\d)/.exec(text)?.[1]),
  )
  expect(sizes.length).toBeGreaterThan(1)
  expect(sizes).toEqual(sizes.toSorted((a, b) => b - a))
  const line = lines.first()
  await expect(line).toContainText(first.symbol)
  await line.getByRole('link').click()
  await expect(page).toHaveURL(/\/symbols\/.+from=.+to=.+#why$/)
  const why = page.getByRole('region', { name: 'Why it moved' })
  for (const { events } of first.parts) {
    await expect(
      why.getByRole('link', { name: new RegExp(`^${events} ratings: `) }).first(),
    ).toBeVisible()
  }
})

test('weeks follow each other by links, days are chosen, and a period of the address is kept', async ({
  page,
}) => {
  await page.goto('/changes')
  const last = await loadChanges(page)
  await page.getByRole('link', { name: 'Week before' }).click()
  await expect(page).toHaveURL(/\?to=/)
  const before = await loadChanges(page, new URL(page.url()).search)
  expect(before.to).toBe(last.from)
  await expect(page.getByRole('main')).toContainText(`${before.ratings} rating`)
  await page.getByRole('link', { name: 'Week after' }).click()
  await expect(page).toHaveURL(/\?from=/)
  await expect(page.getByRole('main')).toContainText(`${last.ratings} rating`)
  await page.getByLabel('From', { exact: true }).fill('2026-01-01')
  await expect(page).toHaveURL(/from=2026-01-01/)
  await page.goto('/changes?from=2026-01-01&to=2025-01-01&colour=red')
  await expect(page.getByText(/is not after from/)).toBeVisible()
})

test('the report moves nothing while it is loaded', async ({ page }) => {
  const readShifts = await watchShifts(page)
  await page.goto('/help')
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Changes' })
    .click()
  await expect(page.getByRole('table', { name: 'Who changed their minds' })).toBeVisible()
  expect(await readShifts()).toEqual([])
})

for (const width of [390, 1440]) {
  test(`the report fits a window of ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/changes?from=2020-01-01')
    await expect(page.getByRole('heading', { name: 'Largest moves' })).toBeVisible()
    await expectNoOverflow(page)
  })
}

test('as of a past date, the report is of the week before', async ({ page }) => {
  await page.goto('/?asof=2025-03-05')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Changes' })
    .click()
  await expect(page).toHaveURL(/asof=2025-03-05/)
  await expect(page.getByRole('main')).toContainText('From 2025-02-23 05:00 to 2025-03-02 05:00')
})

test('in the league whoever points at a change is told what moved it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.goto('/symbols?sort=-change_30d')
  const cell = page
    .getByRole('row')
    .nth(1)
    .getByText(/^[+−]\d/)
    .first()
  await cell.hover()
  await expect(cell).toHaveAttribute('title', /(rating|upgrade|downgrade).* [+−]\d/)
})
