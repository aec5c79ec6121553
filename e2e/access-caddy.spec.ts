import { enter, expectPassedOn, type Guarded, startGuarded } from './support/behind-proxy.ts'
import { findCaddy, startCaddy } from './support/caddy.ts'
import { heading, rows } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const program = findCaddy()

let guarded: Guarded

test.describe.configure({ mode: 'serial' })
test.skip(program === null, 'needs Caddy')
test.use({ ignoreHTTPSErrors: true, allowConsole: ['401'] })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  guarded = await startGuarded()
})

test.afterAll(async () => {
  await guarded?.stop()
})

test('behind Caddy, as the document of access sets it up, one signs in, reads, hears of events, takes files away whole, and signs out', async ({
  page,
}) => {
  const { app, port, token } = guarded
  const caddy = await startCaddy({ program: program ?? '', target: app.url, port })
  try {
    await page.goto(`${caddy.url}/symbols?sort=symbol`)
    await expect(heading(page)).toHaveText('Sign in to Bellwether')
    await enter(page, 'bob')
    await page.waitForURL(`${caddy.url}/symbols?sort=symbol`)
    const cookies = await page.context().cookies(caddy.url)
    expect(cookies.map(({ name }) => name)).toContain('__Host-bellwether-session')

    const told = page.waitForResponse(`${caddy.url}/api/events`)
    await page.goto(caddy.url)
    await expect(rows(page).first()).toBeVisible()
    expect((await told).headers()['content-type']).toContain('text/event-stream')
    await expectPassedOn(page, { url: caddy.url, direct: app.url, token })

    await page.goto(`${caddy.url}/account`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('You are signed out')).toBeVisible()
    expect((await page.request.get(`${caddy.url}/api/ratings`)).status()).toBe(401)
    await page.goto('about:blank')
  } finally {
    await caddy.stop()
  }
})
