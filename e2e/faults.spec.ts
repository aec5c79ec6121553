import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { SYNC_WORDS } from '#components/status/status-texts.ts'
import type { Rating } from '#lib/contract/rating.ts'
import * as faults from '#testing/hostile-service/faults.ts'
import { type HostileServer, startHostileServer } from '#testing/hostile-service/hostile-server.ts'
import { makeRating } from '#testing/make-ratings.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { askForSync, expectKeyNowhere, freshnessLine, loadStatus } from './support/operator.ts'
import { expect, test } from './support/test.ts'

const KEY = `CANARY-${'w0rst'.repeat(4)}`
const NEW_KEY = `CANARY-${'b3tter'.repeat(4)}`
const FIRST = 1500
const PAGE_SIZE = 50
const HOUR = 3600

const now = () => Date.now() / 1000
const STARTED = Math.floor(now())

const toPost = (id: number, change: Partial<Rating> = {}) =>
  makeRating(id, { created_at: STARTED - HOUR + Math.min(0, id - FIRST) * HOUR, ...change })

const toPosts = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => toPost(from + index))

let service: HostileServer
let app: RunningApp
let dataDir: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-faults-'))
  service = await startHostileServer(
    { now },
    {
      key: KEY,
      ratings: toPosts(1, FIRST + 10),
      pageSize: PAGE_SIZE,
      dumpValidators: 'etag',
      ranges: 'honoured',
    },
  )
  app = await startApp({ env: env(KEY) })
})

test.afterAll(async () => {
  await app?.stop()
  await service?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

const env = (key: string) => ({
  RATINGS_BASE_URL: service.url,
  RATINGS_API_KEY: key,
  DATA_DIR: dataDir,
})

const countHere = async (page: Page) =>
  (await (await page.request.get(`${app.url}/api/ratings?per_page=1`)).json()).page.total as number

async function syncUntil(page: Page, isThere: () => Promise<void>, timeout = 30_000) {
  await expect(async () => {
    await askForSync(page, app)
    await isThere()
  }).toPass({ timeout, intervals: [500] })
}

test('whatever comes instead of pages is said, what is here goes on being read, and it goes on when they come', async ({
  page,
}) => {
  test.setTimeout(120_000)
  await syncUntil(
    page,
    async () => {
      const { archive, sync } = await loadStatus(page, app)
      expect([archive.ratings, sync.state]).toEqual([FIRST + 10, 'idle'])
    },
    60_000,
  )
  const before = await countHere(page)
  const instead: [fault: faults.Fault, said: RegExp][] = [
    [faults.webPage(), /web page/],
    [faults.lyingLength(40), /ended early|closed the connection/],
  ]
  for (const [fault, said] of instead) {
    const end = service.misbehave(fault, { on: ['page'] })
    await syncUntil(page, async () => {
      const { sync, archive } = await loadStatus(page, app)
      expect(sync.reason).toMatch(said)
      expect([sync.state, archive.ratings]).toEqual(['waiting', before])
    })
    expect(await countHere(page)).toBe(before)
    end()
  }
  await page.goto(`${app.url}/status/sync`)
  await expect(page.getByRole('main')).toContainText(SYNC_WORDS.waiting.title)
  await expect(page.getByRole('main')).toContainText(/ended early|closed the connection/)
  await expect(freshnessLine(page)).toContainText(
    /Complete to .*(ended early|closed the connection)/,
  )
  await page.goto(`${app.url}/downloads`)
  await expect(page.getByRole('main')).toContainText((FIRST + 10).toLocaleString('en-US'))
  await page.goto(`${app.url}/?symbol=AAPL`)
  await expect(page.getByRole('table', { name: 'Ratings' })).toContainText('AAPL')

  service.ratings.push(...toPosts(FIRST + 11, FIRST + 13))
  service.misbehave(faults.drip(2000, 100), { on: ['page'] })
  await syncUntil(page, async () => {
    const { archive, sync } = await loadStatus(page, app)
    expect([archive.ratings, sync.state]).toEqual([FIRST + 13, 'idle'])
  })
  await expect(freshnessLine(page)).toContainText(/Complete to .*checked/, { timeout: 30_000 })
  service.behave()
})

test('a key that is refused stops every request, and another key starts them at once', async ({
  page,
}) => {
  test.setTimeout(120_000)
  service.misbehave(faults.refusal())
  await syncUntil(page, async () => {
    expect((await loadStatus(page, app)).sync.state).toBe('stopped')
  })
  const before = service.count()
  for (let n = 0; n < 20; n += 1) {
    await askForSync(page, app)
    await page.request.get(`${app.url}/api/v1/posts?page=${50 + n}`)
  }
  expect(service.count() - before).toBe(0)
  await page.goto(`${app.url}/`)
  await expect(freshnessLine(page)).toContainText(/Sync stopped/)
  await expect(page.getByRole('table', { name: 'Ratings' })).toBeVisible()
  await page.goto(`${app.url}/status/sync`)
  await expect(page.getByRole('main')).toContainText(SYNC_WORDS.stopped.title)
  await expect(page.getByRole('main')).toContainText('does not accept the key')
  await expectKeyNowhere(page, app, KEY)

  // An open page would poll the stopped dashboard.
  await page.goto('about:blank')
  await app.stop()
  service.behave()
  service.key = NEW_KEY
  service.ratings.push(toPost(FIRST + 14))
  app = await startApp({ env: env(NEW_KEY) })
  await syncUntil(page, async () => {
    const { archive, sync } = await loadStatus(page, app)
    expect([archive.ratings, sync.state]).toEqual([FIRST + 14, 'idle'])
  })
  await expectKeyNowhere(page, app, KEY)
  await expectKeyNowhere(page, app, NEW_KEY)
})
