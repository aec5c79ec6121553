import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import type { Rating } from '#lib/contract/rating.ts'
import { type HostileServer, startHostileServer } from '#testing/hostile-service/hostile-server.ts'
import { makeRating } from '#testing/make-ratings.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

/** 12 is active until 2031, 16 had expired. */
const LATE = Date.UTC(2031, 0, 1) / 1000
const RATINGS = Array.from({ length: 40 }, (_, index) =>
  makeRating(index + 1, {
    user_id: index + 1,
    ...(index % 3 === 0 ? {} : { expired_at: LATE, expired_at_date: '2031-01-01 00:00:00' }),
  }),
)
const DROPPED = [12, 16]
const DROPPED_AT = Date.UTC(2026, 10, 15, 5) / 1000
const LISTED = RATINGS.filter(({ id }) => !DROPPED.includes(id))

let service: HostileServer
let app: RunningApp
let folder: string
const at = (path: string) => `${app.url}${path}`

async function fillArchive(path: string) {
  const archive = await openArchive({ path, now: () => DROPPED_AT })
  const load = async (ratings: readonly Rating[]) => {
    await archive.import({ kind: 'dump', name: '2026-11-15' }, async (run) => {
      await run.append(
        ratings.map((rating) => ({ rating, extra: null })),
        [],
      )
      return { completeTo: null, whole: { at: DROPPED_AT } }
    })
  }
  await load(RATINGS)
  await load(LISTED)
  await archive.close()
}

test.beforeAll(async () => {
  test.setTimeout(120_000)
  folder = mkdtempSync(join(tmpdir(), 'bellwether-vanished-'))
  await fillArchive(join(folder, 'archive.duckdb'))
  service = await startHostileServer(
    { now: () => Date.now() / 1000 },
    { key: 'k', ratings: LISTED, pageSize: 10 },
  )
  const env = { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: 'k', DATA_DIR: folder }
  app = await startApp({ env })
})
test.afterAll(async () => {
  await app?.stop()
  await service?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const row = (page: Page, id: number) => page.locator(`tr[data-rating="${id}"]`)
const SINCE = 'No longer listed by the service since 2026-11-15 05:00'

test('what the service dropped stays in the table, marked, and says since when', async ({
  page,
}) => {
  await page.goto(at('/'))
  await expect(row(page, 12).getByTitle(SINCE)).toBeVisible()
  await expect(row(page, 12)).toContainText('no longer listed')
  await expect(row(page, 16).getByTitle(SINCE)).toBeVisible()
  await expect(page.getByTitle(SINCE)).toHaveCount(DROPPED.length)
  await expect(page.getByRole('heading', { level: 1 })).toContainText('40 ratings')
})

test('the lens leaves just them, on the page and in the file', async ({ page }) => {
  await page.goto(at('/?quality=vanished'))
  await expect(page.getByRole('heading', { level: 1 })).toContainText('2 ratings')
  const csv = await (
    await page.request.get(
      at('/api/ratings.csv?quality=vanished&columns=id,state,vanished_at&sort=id'),
    )
  ).text()
  expect(csv.trim().split('\r\n')).toEqual([
    'id,state,vanished_at',
    `12,expired,${DROPPED_AT}`,
    `16,expired,${DROPPED_AT}`,
  ])
})

test('the sheet says what became of it; before that instant it knows nothing of it', async ({
  page,
}) => {
  await page.goto(at('/?open=12'))
  const standing = page.getByRole('paragraph').filter({ hasText: SINCE })
  await expect(standing).toBeVisible()
  await expectNoAxeViolations(page)
  await page.goto(at('/ratings/12?asof=2026-11-15T04:59:59Z'))
  await expect(page.getByText('Active').first()).toBeVisible()
  await expect(page.getByText(/No longer listed/)).toHaveCount(0)
})

test.describe('at 360 px', () => {
  test.use({ viewport: { width: 360, height: 740 } })

  test('the mark is there', async ({ page }) => {
    await page.goto(at('/?quality=vanished'))
    await expect(page.getByRole('heading', { level: 1 })).toContainText('2 ratings')
    await expect(page.getByTitle(SINCE).first()).toBeAttached()
  })
})
