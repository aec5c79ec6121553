import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { type RunningApp, startApp } from './support/app.ts'
import { heading, rail, rows } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const ODD: Record<number, Partial<Row>> = {
  101: { user_id: 250, rating: 5, prediction: '-3.00' },
  102: { user_id: 251, action: 2 },
  103: { user_id: 252 },
  104: { user_id: 252, days: 300 },
  105: { user_id: 253, lasts: -5 },
  106: { user_id: 254, prediction: '250.00' },
  107: { user_id: 255, rating: 2, days: 400 },
  108: { user_id: 255, rating: 4, action: 2, days: 400.5 },
}

/** Days after 2024-01-01, and lifetime in days. */
type Row = {
  user_id: number
  rating: number
  action: number
  prediction: string
  days: number
  lasts: number
}

const FIRST = Date.UTC(2024, 0, 1) / 1000
const LABELS = ['Strong Sell', 'Moderate Sell', 'Hold', 'Moderate Buy', 'Strong Buy']
const ACTIONS = ['Initiated', 'Upgraded', 'Downgraded', 'Reiterated']

function toLine([id, given]: [number, Partial<Row>]): string {
  const plain = { user_id: id, rating: 3, action: 1, prediction: '4.50', days: id, lasts: 90 }
  const { user_id, rating, action, prediction, days, lasts } = { ...plain, ...given }
  const [created, expired] = [FIRST + days * 86_400, FIRST + (days + lasts) * 86_400]
  const date = (at: number) => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')
  const labels = [rating, LABELS[rating - 1], action, ACTIONS[action - 1]]
  const times = [created, date(created), expired, date(expired)]
  return [id, user_id, 'AAPL', ...labels, prediction, 1, 0, 0, ...times].join(',')
}

const HEADER =
  'id,user_id,symbol,rating,rating_label,action,action_label,prediction,tally_agree,tally_disagree,tally_comment,created_at,created_at_date,expired_at,expired_at_date'

let app: RunningApp
let folder: string
const at = (path: string) => `${app.url}${path}`

test.beforeAll(async () => {
  test.setTimeout(120_000)
  folder = mkdtempSync(join(tmpdir(), 'bellwether-odd-'))
  const odd = Object.entries(ODD).map(([id, row]): [number, Partial<Row>] => [Number(id), row])
  const plain = Array.from({ length: 60 }, (_, index): [number, Partial<Row>] => [index + 1, {}])
  const csv = join(folder, 'posts.csv')
  writeFileSync(csv, `${[HEADER, ...[...plain, ...odd].map(toLine)].join('\r\n')}\r\n`)
  app = await startApp({ env: { SERVICE_POSTS_CSV: csv } })
  const total = async () => (await (await fetch(at('/api/ratings'))).json()).page?.total
  await expect.poll(total, { timeout: 45_000 }).toBe(68)
})
test.afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const fold = (page: Page) => page.locator('summary', { hasText: 'Data quality' })
const lenses = (page: Page) => page.getByRole('group', { name: 'Data quality' })
const lens = (page: Page, name: string) => lenses(page).getByRole('checkbox', { name })

type Counted = { value: string; label: string; count: number }

const ask = async (page: Page, path: string) => await (await page.request.get(at(path))).json()
const totalOf = async (page: Page, search: string): Promise<number> =>
  (await ask(page, `/api/ratings${search}`)).page.total
const counted = (count: number) => `${count.toLocaleString('en-US')} rating`

async function unfold(page: Page) {
  await fold(page).scrollIntoViewIfNeeded()
  await expect(async () => {
    if (!(await lenses(page).isVisible())) await fold(page).click()
    await expect(lenses(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
}

test('lenses are folded away; each leaves as many rows as stand beside it', async ({ page }) => {
  await page.goto(at('/'))
  await expect(lenses(page)).toHaveCount(0)
  await unfold(page)
  const { data } = await ask(page, '/api/facets')
  const quality: Counted[] = data.quality
  expect(quality.map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 0])
  for (const { value, label, count } of quality.slice(-3)) {
    await expect(lens(page, label)).toHaveAccessibleDescription(String(count))
    await lens(page, label).check()
    await expect(page).toHaveURL(new RegExp(`\\?quality=${value}$`))
    await expect(heading(page)).toContainText(counted(count))
    await expect(rows(page)).toHaveCount(count)
    await expect(page).toHaveTitle(`${label} · Ratings · Bellwether`)
    await page.getByRole('button', { name: `Remove filter: quality ${label}` }).click()
    await expect(page).toHaveURL(/\/$/)
    await expect(lens(page, label)).not.toBeChecked()
  }
})

test('a lens is taken out, and all of them by one button', async ({ page }) => {
  await page.goto(at('/'))
  const all = await totalOf(page, '')
  const { data } = await ask(page, '/api/facets')
  const extreme = data.quality.find(({ value }: Counted) => value === 'extreme_prediction').count
  await unfold(page)
  await lenses(page).getByRole('button', { name: 'Exclude Extreme prediction' }).click()
  await expect(page).toHaveURL(/\?quality=-extreme_prediction$/)
  await expect(heading(page)).toContainText(counted(all - extreme))

  const button = lenses(page).getByRole('button', {
    name: 'Exclude all ratings with data quality problems',
  })
  await button.click()
  await expect(button).toHaveAttribute('aria-pressed', 'true')
  const search = new URL(page.url()).search
  expect(search.match(/-/g)).toHaveLength(7)
  await expect(heading(page)).toContainText(counted(await totalOf(page, search)))
  await button.click()
  await expect(page).toHaveURL(/\/$/)
  await expect(heading(page)).toContainText(counted(all))
})

test('an address with a lens opens the section before any script runs', async ({
  request,
  page,
}) => {
  const html = await (await request.get(at('/?quality=-flip_within_day'))).text()
  expect(html).toMatch(/<details[^>]* open=""[^>]*><summary[^>]*>Data quality/)
  expect(html).toContain('aria-label="Exclude Flip within a day"')
  await page.goto(at('/?quality=doubtful'))
  await expect(page.getByText(/quality/).first()).toBeVisible()
  await expect(heading(page)).toContainText(counted(await totalOf(page, '')))
})

test.describe('at 360 px', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 740 } })

  test('the drawer holds the lenses and their rules, and no more than fits', async ({ page }) => {
    await page.goto(at('/'))
    await expect(async () => {
      await page.getByRole('button', { name: /^Filters/ }).click()
      await expect(page.getByRole('dialog', { name: 'Filters' })).toBeVisible({ timeout: 1000 })
    }).toPass()
    await unfold(page)
    await lens(page, 'Flip within a day').check()
    await expect(page).toHaveURL(/\?quality=flip_within_day$/)
    await expect(lenses(page)).toBeVisible()
    const drawer = page.getByRole('dialog', { name: 'Filters' })
    const inside = drawer.locator(':scope > div').first()
    expect(await inside.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
    await lenses(page).getByRole('button', { name: 'Rules' }).click()
    const rules = page.getByRole('dialog', { name: 'Rules of data quality' })
    await expect(rules.getByRole('term')).toHaveCount(7)
    const place = await rules.boundingBox()
    expect(place?.x).toBeGreaterThanOrEqual(0)
    expect((place?.x ?? 0) + (place?.width ?? 0)).toBeLessThanOrEqual(360)
    expect(place?.y).toBeGreaterThanOrEqual(0)
    await page.keyboard.press('Escape')
    const rest = await totalOf(page, '?quality=flip_within_day')
    await drawer.getByRole('button', { name: `Show ${counted(rest)}` }).click()
    await expect(rows(page)).toHaveCount(rest)
  })
})

test('the section stays open when its last lens is given up, and is no trap for the keyboard', async ({
  page,
}) => {
  await page.goto(at('/?quality=flip_within_day'))
  await expect(rail(page)).toBeVisible()
  await expect(async () => {
    await lens(page, 'Flip within a day').uncheck({ timeout: 1000 })
    await expect(page).toHaveURL(/\/$/, { timeout: 1000 })
  }).toPass()
  await expect(lenses(page)).toBeVisible()
  await expect(lens(page, 'Flip within a day')).toBeFocused()
  await fold(page).focus()
  await page.keyboard.press('Enter')
  await expect(lenses(page)).toHaveCount(0)
  await page.keyboard.press('Enter')
  await expect(lenses(page)).toBeVisible()
})
