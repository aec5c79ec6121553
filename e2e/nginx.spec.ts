import { type RunningApp, startApp } from './support/app.ts'
import { findNginx, startNginx } from './support/nginx.ts'
import { heading, rows } from './support/ratings-page.ts'
import { type SmallService, startSmallService } from './support/small-service.ts'
import { expect, test } from './support/test.ts'

const KEY = 'key-behind-nginx'
const program = findNginx()

let service: SmallService
let app: RunningApp

test.describe.configure({ mode: 'serial' })
test.skip(program === null, 'needs nginx')

test.beforeAll(async () => {
  test.setTimeout(120_000)
  service = await startSmallService(KEY, 300)
  app = await startApp({
    env: { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: KEY, SHARED_CACHE_SECONDS: '1' },
  })
  const countRatings = async () =>
    (await (await fetch(`${app.url}/api/status`)).json()).data.archive.ratings
  await expect.poll(countRatings, { timeout: 60_000 }).toBe(300)
})

test.afterAll(async () => {
  await app?.stop()
  await service?.stop()
})

const start = () => startNginx({ program: program ?? '', target: app.url })

test('behind an nginx the dashboard is what it is without', async ({ page }) => {
  const nginx = await start()
  try {
    await page.goto(nginx.url)
    await expect(rows(page).first()).toBeVisible()
    const lowest = page.getByRole('checkbox', { name: /Label 1/ })
    await lowest.click()
    await expect(page).toHaveURL(/rating=1/)
    await page.reload()
    await expect(lowest).toBeChecked()
    const told = page.waitForResponse(`${nginx.url}/api/events`)
    await page.goto(`${nginx.url}/users`)
    expect((await told).headers()['content-type']).toContain('text/event-stream')
    await expect(heading(page)).toHaveText('Users')
    const dump = await page.request.get(`${nginx.url}/api/v1/posts/dumps`)
    const direct = await page.request.get(`${app.url}/api/v1/posts/dumps`)
    expect(await dump.body()).toEqual(await direct.body())
    await page.goto('about:blank')
  } finally {
    await nginx.stop()
  }
})

test('an nginx that keeps pages sends them without asking, to each reader his own, and while we are down', async ({
  request,
}) => {
  const nginx = await start()
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const response = await request.get(nginx.url + path, { headers })
    const { 'x-cache-status': cache, etag = '' } = response.headers()
    return { status: response.status(), cache, etag, text: await response.text() }
  }
  try {
    const first = await ask('/users')
    expect(first.cache).toBe('MISS')
    expect(await ask('/users')).toEqual({ ...first, cache: 'HIT' })
    expect((await ask('/users', { 'if-none-match': first.etag })).status).toBe(304)

    const compact = `table=${encodeURIComponent('{"version":1,"density":"compact"}')}`
    const plain = await ask('/')
    const own = await ask('/', { cookie: compact })
    const german = await ask('/', { 'accept-language': 'de' })
    expect([plain.cache, own.cache]).toEqual(['MISS', 'MISS'])
    expect(german).toEqual({ ...plain, cache: 'HIT' })
    expect(own.text).not.toBe(plain.text)
    expect((await ask('/', { cookie: compact })).text).toBe(own.text)
    expect((await ask('/')).text).toBe(plain.text)

    for (const path of ['/status', '/api/status', '/api/ratings', '/symbols/NOBODY.AT.ALL']) {
      await ask(path)
      expect((await ask(path)).cache, path).toBe('MISS')
    }

    await app.stop()
    await expect.poll(async () => (await ask('/users')).cache).toMatch(/STALE|UPDATING/)
    const stale = await ask('/users')
    expect([stale.status, stale.text]).toEqual([200, first.text])
    expect((await ask('/status')).status).toBe(502)
  } finally {
    await nginx.stop()
  }
})
