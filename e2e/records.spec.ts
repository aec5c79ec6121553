import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type RunningApp, startApp } from './support/app.ts'
import { toPostsDump, toPriceFile } from './support/operator-files.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

const folder = mkdtempSync(join(tmpdir(), 'bellwether-records-'))
const file = join(folder, 'prices.csv')
let app: RunningApp

const DAY = 86_400_000
const SYMBOLS = ['AAPL', 'TSLA', 'NVDA', 'MSFT', 'AMZN']

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  writeFileSync(file, `${toPriceFile(SYMBOLS, 1500)}AAPL,02.01.2026,7\n`)
  const env = { DEMO_RATINGS: '5000', DEMO_TAIL_SECONDS: '0', PRICES_CSV: file }
  app = await startApp({ env: { ...env, DATA_DIR: join(folder, 'data') } })
  const isFilled = async () => {
    const { data } = await (await fetch(`${app.url}/api/status`)).json()
    return data.archive.ratings > 4000 && data.prices.prices > 0
  }
  await expect.poll(isFilled, { timeout: 60_000 }).toBe(true)
})

test.afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const verdictOf = (page: Page) =>
  page.getByText(
    /^\d[\d,]*(st|nd|rd|th) of [\d,]+: right|than a coin: right|^Too few calls to judge: /,
  )

test('a user’s page says one verdict, as the record has it, and leads to every call', {
  tag: '@core',
}, async ({ page }) => {
  const userId = await selectScoredUser()
  const load = async (horizon: number) =>
    (await (await fetch(`${app.url}/api/users/${userId}/track?horizon=${horizon}`)).json()).data
  const verdict = verdictOf(page)
  await page.goto(`${app.url}/users/${userId}`)
  await expect(verdict).toHaveCount(1)
  await expect(verdict).toContainText(`of ${(await load(90)).clusters} call`)
  await expect(page.getByRole('main')).not.toContainText(
    /cannot be told from a coin|in the middle|better than \d+ of|than most/i,
  )
  await page.getByRole('radio', { name: '30', exact: true }).check()
  const track = await load(30)
  await expect(verdict).toContainText(`of ${track.clusters} call`)
  await expect(page.getByText(/^Right: a buy that beat .* over the next 30 days/)).toBeVisible()
  await expect(page).toHaveURL(/horizon=30/)
  const href = await page.getByRole('link', { name: 'All calls as CSV' }).getAttribute('href')
  const csv = await (await fetch(`${app.url}${href}`)).text()
  expect(csv.trimEnd().split('\r\n').length).toBe(track.calls + 1)
})

test('a user’s calls are sorted and paged in the address, and each row opens its rating', async ({
  page,
}) => {
  const userId = await selectScoredUser()
  const select = async (asked: string) =>
    (await (await fetch(`${app.url}/api/calls?user=${userId}&per_page=12&${asked}`)).json()).data
  await page.goto(`${app.url}/users/${userId}`)
  const table = page.getByRole('table', { name: `Calls of user ${userId}` })
  const linksOf = async () =>
    await table
      .locator('.row-link')
      .evaluateAll((links) =>
        links.map((link) => Number(link.getAttribute('href')?.match(/\d+/)?.[0])),
      )
  const idsOf = (calls: { id: number }[]) => calls.map(({ id }) => id)
  expect(await linksOf()).toEqual(idsOf(await select('sort=-exit_date')))
  const head = table.getByRole('columnheader', { name: 'Against the benchmark' })
  for (const [sort, aria] of [
    ['-excess', 'descending'],
    ['excess', 'ascending'],
  ]) {
    await head.getByRole('link').click()
    await expect(head).toHaveAttribute('aria-sort', aria ?? '')
    await expect(page).toHaveURL(new RegExp(`sort=${sort}`))
    const wanted = idsOf(await select(`sort=${sort}`))
    await expect.poll(linksOf).toEqual(wanted)
  }
  const next = page.getByRole('button', { name: 'Next page' })
  await next.click()
  await expect(page).toHaveURL(/sort=excess&page=2/)
  const second = await select('sort=excess&page=2')
  await expect.poll(linksOf).toEqual(idsOf(second))
  await page.reload()
  await expect.poll(linksOf).toEqual(idsOf(second))
  await page.getByRole('radio', { name: '365', exact: true }).check()
  await expect(page).not.toHaveURL(/page=2/)
  await expect.poll(linksOf).toEqual(idsOf(await select('sort=excess&horizon=365')))
  await table.locator('tbody tr').first().locator('td').last().click({ force: true })
  await expect(page).toHaveURL(/\/ratings\/\d+/)
})

test('predictions against what came are a chart in the page as it arrives, and a table on a click', async ({
  page,
}) => {
  await page.goto(`${app.url}/users/everyone?horizon=30`)
  const { data } = await (await fetch(`${app.url}/api/record?horizon=30`)).json()
  const { groups } = data.calibration
  const figure = page.getByRole('figure', { name: /^Predictions against what came/ })
  const dots = await figure.locator('[data-dots]').getAttribute('d')
  expect(dots?.match(/m/gi)).toHaveLength(groups.length)
  await expect(figure.getByRole('table')).toHaveCount(0)
  await figure.getByText('All groups as a table').click()
  await expect(figure.getByRole('table').locator('tbody tr')).toHaveCount(groups.length)
})

async function selectScoredUser(): Promise<number> {
  const from = new Date(Date.now() - 700 * DAY).toISOString().slice(0, 10)
  const asked = `${app.url}/api/calls?horizon=30&from=${from}&per_page=500`
  const { data } = await (await fetch(asked)).json()
  const counts = new Map<number, number>()
  for (const { outcome, user_id } of data) {
    if (outcome === 'scored') counts.set(user_id, (counts.get(user_id) ?? 0) + 1)
  }
  return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0] ?? 0
}

test('users are ranked by their records where there are prices, by any horizon', async ({
  page,
}) => {
  await page.goto(`${app.url}/users?per_page=20`)
  const table = page.getByRole('table', { name: 'Users' })
  const head = table.getByRole('columnheader', { name: 'Right' })
  await expect(head).toHaveAttribute('aria-sort', 'descending')
  const expectOrder = async (asked: string) => {
    const answer = await fetch(`${app.url}/api/users?per_page=20&${asked}`)
    const { data } = await answer.json()
    const wanted = data.map((row: { user_id: number }) => `#${row.user_id}`)
    await expect
      .poll(async () => await table.locator('tbody td:first-child').allInnerTexts())
      .toEqual(wanted)
    return data
  }
  const { standings } = await (await fetch(`${app.url}/api/users`)).json()
  const { ranked, beat, worse } = standings.luck
  await expect(page.getByRole('main')).toContainText(
    ranked === 0
      ? 'Nobody has 5 or more calls'
      : new RegExp(`${beat} of ${ranked} users? with .* better than a coin and ${worse} worse`),
  )
  const [first] = await expectOrder('sort=-record')
  expect(first.rank).toBe(1)
  await page.getByRole('radio', { name: '365', exact: true }).check()
  await expect(page).toHaveURL(/horizon=365/)
  await expectOrder('sort=-record&horizon=365')
  await table.getByRole('columnheader', { name: 'Excess' }).getByRole('link').click()
  await expect(page).toHaveURL(/sort=-excess/)
  await expectOrder('sort=-excess&horizon=365')
})

test('the whole community has a record, which leads to every call of it', async ({ page }) => {
  await page.goto(`${app.url}/users`)
  await page.getByRole('link', { name: 'Everyone' }).click()
  await expect(page).toHaveURL(/\/users\/everyone$/)
  await expect(page.getByRole('link', { name: 'Everyone' })).toHaveAttribute('aria-current', 'page')
  const { data } = await (await fetch(`${app.url}/api/record`)).json()
  const main = page.getByRole('main')
  await expect(page.getByRole('heading', { name: 'All users together' })).toBeVisible()
  await expect(verdictOf(page)).toContainText(/right \d+% of [\d,]+ calls/)
  const labels = page.getByRole('table', { name: 'By rating', exact: true })
  await expect(labels.locator('tbody tr')).toHaveCount(
    data.by_label.filter(({ clusters }: { clusters: number }) => clusters > 0).length,
  )
  await expect(labels).toContainText('Strong Buy')
  const years = page.getByRole('table', { name: 'By the year of the rating' })
  await expect(years.locator('tbody tr')).toHaveCount(
    data.by_year.filter(({ clusters }: { clusters: number }) => clusters > 0).length,
  )
  await page.getByRole('radio', { name: '30', exact: true }).check()
  await expect(page).toHaveURL(/horizon=30/)
  await expect(main).toContainText(/over the next 30 days/)
  const href = await page.getByRole('link', { name: 'NDJSON' }).getAttribute('href')
  const lines = (await (await fetch(`${app.url}${href}`)).text()).trimEnd().split('\n')
  expect(lines.length).toBe(data.calls)
  const asof = new Date(Date.now() - 365 * DAY).toISOString().slice(0, 10)
  await page.goto(`${app.url}/record?asof=${asof}`)
  await expect(page).toHaveURL(`${app.url}/users/everyone?asof=${asof}`)
  const then = await (await fetch(`${app.url}/api/record?asof=${asof}`)).json()
  await expect(verdictOf(page)).toContainText(
    `of ${then.data.clusters.toLocaleString('en-US')} calls`,
  )
})

test('the operator sees what was read of the price files, and what was set aside', async ({
  page,
}) => {
  await page.goto(`${app.url}/status/prices`)
  const panel = page.getByRole('region', { name: 'Prices' })
  await expect(panel).toContainText('7,500 closes of 5 symbols')
  await panel.getByText('1 line set aside').click()
  await expect(panel).toContainText('could be month/day or day/month: use YYYY-MM-DD: 02.01.2026')
})

test('why a consensus moved adds up, and each part opens exactly its ratings', async ({ page }) => {
  await page.goto(`${app.url}/symbols/AAPL`)
  const panel = page.getByRole('region', { name: 'Why it moved' })
  const rows = panel.getByRole('row')
  await expect(rows.last()).toContainText('All of it')
  const texts = (await rows.allInnerTexts()).slice(1)
  const changes = texts.map((text) =>
    Math.round(Number(/[+−]?\d+\.\d\d/.exec(text)?.[0].replace('−', '-')) * 100),
  )
  const whole = changes.pop()
  expect(changes.reduce((sum, one) => sum + one, 0)).toBe(whole)
  const link = panel.getByRole('link', { name: /ratings: Upgrades/ })
  const count = Number((await link.innerText()).replace(/\D.*$/s, ''))
  await link.click()
  await expect(page).toHaveURL(/moved=upgraded/)
  const params = new URL(page.url()).searchParams
  const answer = await (await fetch(`${app.url}/api/ratings?${params}`)).json()
  expect(answer.page.total).toBe(count)
  await expect(page).toHaveTitle(/Upgrades/)
})

test('the demo has prices of its own, called invented; an operator who brings a file has that alone', async ({
  page,
}) => {
  const ask = async (path: string) => (await (await page.request.get(path)).json()).data
  const load = async () => (await ask('/api/status')).prices
  await expect.poll(async () => (await load()).prices, { timeout: 60_000 }).toBeGreaterThan(900_000)
  expect(await load()).toMatchObject({ invented: true, files: [{ file: 'demo prices' }] })
  await page.goto('/status/prices')
  const panel = page.getByRole('region', { name: 'Prices' })
  await expect(panel).toContainText('Demo prices, made up by a program')
  expect((await ask('/api/record')).clusters).toBeGreaterThan(0)
  const calls = await ask('/api/calls?per_page=500')
  const { user_id } = calls.find(({ outcome }: { outcome: string }) => outcome === 'scored')
  await page.goto(`/users/${user_id}`)
  await expect(verdictOf(page)).toHaveCount(1)
  await expect(page.getByText(/over the next 90 days/)).toBeVisible()
  await page.goto(`${app.url}/status/prices`)
  await expect(panel).toContainText('7,500 closes of 5 symbols')
  await expect(panel).not.toContainText('invented')
})

test('a community of somebody’s own has no prices until there is a file: one line says how to add some', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const posts = join(folder, 'posts.csv')
  writeFileSync(posts, toPostsDump({ symbols: ['AAPL'], users: 2, count: 40, days: 200 }))
  const bare = await startApp({
    env: { SERVICE_POSTS_CSV: posts, DATA_DIR: join(folder, 'bare') },
  })
  try {
    const load = async () => (await (await fetch(`${bare.url}/api/status`)).json()).data
    await expect.poll(async () => (await load()).archive.ratings, { timeout: 60_000 }).toBe(40)
    expect((await load()).prices).toMatchObject({ is_configured: false, prices: 0, files: [] })
    await page.goto(`${bare.url}/status/prices`)
    const panel = page.getByRole('region', { name: 'Prices' })
    await expect(panel).toContainText('None are set up, so ratings are judged without them.')
    await page.goto(`${bare.url}/users/1`)
    await expect(page.getByRole('link', { name: 'How to add prices' })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Latest ratings of user 1' })).toBeVisible()
    await expectNoAxeViolations(page)
    await page.close()
  } finally {
    await bare.stop()
  }
})
