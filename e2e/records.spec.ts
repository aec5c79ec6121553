import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { RATING_FIELDS } from '../lib/contract/rating-fields.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

/** Closes of some symbols of the demo over its last years, in a file as an operator has it. */
const folder = mkdtempSync(join(tmpdir(), 'bellwether-records-'))
const file = join(folder, 'prices.csv')
let app: RunningApp

const DAY = 86_400_000
const SYMBOLS = ['AAPL', 'TSLA', 'NVDA', 'MSFT', 'AMZN']

function toPrices(days: number): string {
  const today = Math.floor(Date.now() / DAY)
  const lines = SYMBOLS.flatMap((symbol, nth) =>
    Array.from({ length: days }, (_, index) => {
      const close = 100 + 20 * Math.sin(index / (20 + 3 * nth)) + index / 50
      const date = new Date((today - days + index) * DAY).toISOString().slice(0, 10)
      return `${symbol},${date},${close.toFixed(4)}`
    }),
  )
  return ['symbol,date,close', ...lines, 'AAPL,02.01.2026,7', ''].join('\n')
}

/** Forty ratings of two users, as a posts dump has them. */
function toPosts(): string {
  const now = Math.floor(Date.now() / 1000)
  const rows = Array.from({ length: 40 }, (_, index) => {
    const at = now - (40 - index) * 5 * 86_400
    const text = (seconds: number) =>
      new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ')
    const ends = at + 90 * 86_400
    const what = [index + 1, 1 + (index % 2), 'AAPL', 4, 'Moderate Buy', 1, 'Initiated', '5.00']
    return [...what, 0, 0, 0, at, text(at), ends, text(ends)].join(',')
  })
  return [RATING_FIELDS.join(','), ...rows, ''].join('\n')
}

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  writeFileSync(file, toPrices(1500))
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

test('a user’s track record says in a sentence how often the user was right, and leads to every call', async ({
  page,
}) => {
  const from = new Date(Date.now() - 700 * DAY).toISOString().slice(0, 10)
  const asked = `${app.url}/api/calls?symbol=AAPL&from=${from}&per_page=500`
  const { data } = await (await fetch(asked)).json()
  const scored = data.filter((call: { outcome: string }) => call.outcome === 'scored')
  const userId = scored.at(-1).user_id
  await page.goto(`${app.url}/users/${userId}`)
  const panel = page.getByRole('region', { name: 'Track record', exact: true })
  await expect(panel).toContainText(/Right \d+ of 100 times over 90 days/)
  await expectNoAxeViolations(page)
  await panel.getByRole('radio', { name: '30', exact: true }).check()
  await expect(panel).toContainText(/Right \d+ of 100 times over 30 days/)
  await expect(page).toHaveURL(/horizon=30/)
  const track = await (await fetch(`${app.url}/api/users/${userId}/track?horizon=30`)).json()
  await expect(panel).toContainText(`${track.data.scored} of ${track.data.calls} ratings count`)
  const href = await panel.getByRole('link', { name: 'All of them as CSV' }).getAttribute('href')
  const csv = await (await fetch(`${app.url}${href}`)).text()
  expect(csv.trimEnd().split('\r\n').length).toBe(track.data.calls + 1)
})

test('the operator sees what was read of the price files, and what was set aside', async ({
  page,
}) => {
  await page.goto(`${app.url}/status`)
  const panel = page.getByRole('region', { name: 'Prices' })
  await expect(panel).toContainText('7,500 closes of 5 symbols')
  await panel.getByText('1 line set aside').click()
  await expect(panel).toContainText('has no date as YYYY-MM-DD: AAPL,02.01.2026,7')
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
  test.setTimeout(120_000)
  const demo = await startApp({
    env: {
      ...{ DEMO_RATINGS: '5000', DEMO_TAIL_SECONDS: '0' },
      DATA_DIR: join(folder, 'demo'),
    },
  })
  try {
    const load = async () => (await (await fetch(`${demo.url}/api/status`)).json()).data.prices
    await expect
      .poll(async () => (await load()).prices, { timeout: 60_000 })
      .toBeGreaterThan(900_000)
    expect(await load()).toMatchObject({ invented: true, files: [{ file: 'demo prices' }] })
    await page.goto(`${demo.url}/status`)
    const panel = page.getByRole('region', { name: 'Prices' })
    await expect(panel).toContainText('Demo prices, invented')
    const record = await (await fetch(`${demo.url}/api/record`)).json()
    expect(record.data.luck.beat).toBeGreaterThan(0)
    const calls = await (await fetch(`${demo.url}/api/calls?per_page=500`)).json()
    const { user_id } = calls.data.find(({ outcome }: { outcome: string }) => outcome === 'scored')
    await page.goto(`${demo.url}/users/${user_id}`)
    const track = page.getByRole('region', { name: 'Track record', exact: true })
    await expect(track).toContainText(/over 90 days/)
    await page.goto(`${app.url}/status`)
    await expect(panel).toContainText('7,500 closes of 5 symbols')
    await expect(panel).not.toContainText('invented')
  } finally {
    await demo.stop()
  }
})

test('a community of somebody’s own has no prices until there is a file: one line says how to add some', async ({
  page,
}) => {
  test.setTimeout(120_000)
  const posts = join(folder, 'posts.csv')
  writeFileSync(posts, toPosts())
  const bare = await startApp({
    env: { SERVICE_POSTS_CSV: posts, DATA_DIR: join(folder, 'bare') },
  })
  try {
    const load = async () => (await (await fetch(`${bare.url}/api/status`)).json()).data
    await expect.poll(async () => (await load()).archive.ratings, { timeout: 60_000 }).toBe(40)
    expect((await load()).prices).toMatchObject({ is_configured: false, prices: 0, files: [] })
    await page.goto(`${bare.url}/status`)
    const panel = page.getByRole('region', { name: 'Prices' })
    await expect(panel).toContainText('None are set up, so ratings are judged without them.')
    await page.goto(`${bare.url}/users/1`)
    await expect(page.getByRole('link', { name: 'How to add prices' })).toBeVisible()
    await expect(page.getByRole('region', { name: 'Record, without prices' })).toBeVisible()
    await expectNoAxeViolations(page)
  } finally {
    await bare.stop()
  }
})
