import type { Page } from '@playwright/test'
import { watchShifts } from './support/layout-shift.ts'
import { expect, expectNoAxeViolations, expectNoOverflow, test } from './support/test.ts'

const DAY = 86_400

const loadChanges = async (page: Page, query = '') => {
  const { data } = await (await page.request.get(`/api/changes${query}`)).json()
  return data
}

test('the report says what a week brought, and each count leads to exactly its ratings', {
  tag: '@core',
}, async ({ page }) => {
  const changes = await loadChanges(page)
  await page.goto('/changes')
  await expect(page.getByRole('main').getByRole('paragraph').first()).toContainText(
    `${changes.ratings} ratings were posted by ${changes.users} users on ${changes.symbols} symbols`,
  )
  await page.getByText('More about this period').click()
  const happened = page.getByRole('table', { name: 'What happened to ratings' })
  const links = await happened.getByRole('link').evaluateAll((all) =>
    all.map((link) => ({
      text: link.firstChild?.textContent ?? '',
      href: link.getAttribute('href') ?? '',
    })),
  )
  expect(links).toHaveLength(changes.events.length)
  for (const [index, { events }] of changes.events.entries()) {
    const { text, href } = links[index] ?? { text: '', href: '' }
    expect(Number(text.replace(',', ''))).toBe(events)
    const found = await (await page.request.get(`/api/ratings${href.slice(1)}`)).json()
    expect(found.page.total, href).toBe(events)
  }
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
  const more = page.getByText('More about this period')
  await more.scrollIntoViewIfNeeded()
  await expect(more).toBeVisible()
  expect(await readShifts()).toEqual([])
})

for (const width of [390, 1440]) {
  test(`the report fits a window of ${width} pixels`, async ({ page }) => {
    await page.setViewportSize({ width, height: 844 })
    await page.goto('/changes?from=2020-01-01')
    await expect(page.getByRole('heading', { name: 'Largest moves' })).toBeVisible()
    await page.getByText('More about this period').click()
    await expect(page.getByRole('table', { name: 'What ended' })).toBeVisible()
    await expectNoOverflow(page)
  })
}

const strip = (page: Page) => page.getByRole('complementary', { name: 'What moved' })

async function setLastVisit(page: Page, days: number) {
  await page.addInitScript((seconds) => {
    if (localStorage.getItem('bellwether.visit') !== null) return
    const seen = Math.floor(Date.now() / 1000) - seconds
    localStorage.setItem('bellwether.visit', JSON.stringify({ seen, before: null }))
  }, days * DAY)
}

test('a line above the table tells what moved since the last visit, with why, and moves nothing', {
  tag: '@core',
}, async ({ page }) => {
  await setLastVisit(page, 20)
  const readShifts = await watchShifts(page)
  await page.goto('/')
  const since = new Date((Math.floor(Date.now() / 1000 / DAY) - 20) * DAY * 1000)
  const day = since.toISOString().slice(0, 10)
  await expect(strip(page)).toContainText(`Since ${day}`)
  const { moves } = await loadChanges(page, `?from=${day}&to=9999-12-31`)
  for (const { symbol } of moves.slice(0, 3)) {
    await expect(strip(page).getByRole('link', { name: symbol, exact: true })).toHaveAttribute(
      'href',
      new RegExp(`^/symbols/.+\\?from=${day}.*#why$`),
    )
  }
  expect(await readShifts()).toEqual([])
  await expectNoAxeViolations(page)
  await strip(page).getByRole('link', { name: 'What changed' }).click()
  await expect(page).toHaveURL(new RegExp(`/changes\\?from=${day}`))
})

test('whoever is here for the first time is told of the last week; put away, the line stays away', async ({
  page,
}) => {
  await page.goto('/')
  await expect(strip(page)).toContainText('Last week')
  await strip(page).getByRole('button', { name: 'Hide' }).click()
  await expect(strip(page)).toBeHidden()
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await expect(page.getByRole('table', { name: /ratings/i }).first()).toBeVisible()
  await expect(strip(page)).toBeHidden()
  expect(asked.filter((path) => path === '/api/changes')).toEqual([])
})

test('a rewound page has no line of news, and its report is of the week before that instant', async ({
  page,
}) => {
  await page.goto('/?asof=2025-03-05')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(strip(page)).toHaveCount(0)
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
