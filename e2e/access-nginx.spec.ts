import { readFileSync } from 'node:fs'
import { request as requestBy } from 'node:https'
import { join } from 'node:path'
import {
  enter,
  expectPassedOn,
  type Guarded,
  PASSWORD,
  startGuarded,
} from './support/behind-proxy.ts'
import { findNginx, hasOpenssl, startHttpsNginx, startNginx } from './support/nginx.ts'
import { heading, rows } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const program = findNginx()

/** To nginx, a different client. */
const ELSEWHERE = '127.0.0.2'

let guarded: Guarded

test.describe.configure({ mode: 'serial' })
test.skip(program === null, 'needs nginx')
test.use({ ignoreHTTPSErrors: true })

test.beforeAll(async () => {
  test.setTimeout(180_000)
  guarded = await startGuarded()
})

test.afterAll(async () => {
  await guarded?.stop()
})

const readAudit = (): Record<string, string>[] =>
  readFileSync(join(guarded.dataDir, 'access', 'audit.ndjson'), 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))

test.describe('by https, as the document of access sets nginx up', () => {
  test.skip(!hasOpenssl(), 'needs openssl')
  test.use({ allowConsole: ['401'] })

  let nginx: Awaited<ReturnType<typeof startHttpsNginx>>

  test.beforeAll(async () => {
    nginx = await startHttpsNginx({
      program: program ?? '',
      target: guarded.app.url,
      port: guarded.port,
    })
  })

  test.afterAll(async () => {
    await nginx?.stop()
  })

  test('one signs in, reads, hears of events, takes files away whole, and signs out', async ({
    page,
  }) => {
    await page.goto(`${nginx.url}/symbols?sort=symbol`)
    await expect(heading(page)).toHaveText('Sign in to Bellwether')
    await enter(page, 'bob')
    await page.waitForURL(`${nginx.url}/symbols?sort=symbol`)
    const cookies = await page.context().cookies(nginx.url)
    expect(cookies.filter(({ name }) => name.endsWith('-session'))).toMatchObject([
      {
        name: '__Host-bellwether-session',
        secure: true,
        httpOnly: true,
        sameSite: 'Lax',
        path: '/',
      },
    ])

    const told = page.waitForResponse(`${nginx.url}/api/events`)
    await page.goto(nginx.url)
    await expect(rows(page).first()).toBeVisible()
    const events = await told
    expect(events.status()).toBe(200)
    expect(events.headers()['content-type']).toContain('text/event-stream')

    await expectPassedOn(page, {
      url: nginx.url,
      direct: guarded.app.url,
      token: guarded.token,
    })

    await page.goto(`${nginx.url}/account`)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('You are signed out')).toBeVisible()
    expect(await page.context().cookies(nginx.url)).not.toContainEqual(
      expect.objectContaining({ name: '__Host-bellwether-session' }),
    )
    expect((await page.request.get(`${nginx.url}/api/ratings`)).status()).toBe(401)
  })

  test('what a client says of where it comes from is not believed', async () => {
    test.skip(process.platform !== 'linux', 'needs a second address of this machine')
    const status = await signInFrom(ELSEWHERE, nginx.url, {
      'x-forwarded-for': '203.0.113.7',
      forwarded: 'for=203.0.113.7',
      'x-real-ip': '203.0.113.7',
      'x-client': '203.0.113.7',
    })
    expect(status).toBe(303)
    await expect
      .poll(() => readAudit().filter(({ from }) => from === ELSEWHERE))
      .toMatchObject([{ kind: 'sign-in', who: 'bob', outcome: 'done' }])
    expect(JSON.stringify(readAudit())).not.toContain('203.0.113.7')
  })
})

const signInFrom = (
  localAddress: string,
  url: string,
  headers: Record<string, string>,
): Promise<number> =>
  new Promise((resolve, reject) => {
    const asked = requestBy(
      `${url}/api/access/sign-in`,
      {
        method: 'POST',
        localAddress,
        rejectUnauthorized: false,
        agent: false,
        headers: {
          ...headers,
          origin: url,
          'content-type': 'application/x-www-form-urlencoded',
        },
      },
      (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      },
    )
    asked.on('error', reject)
    asked.end(new URLSearchParams({ name: 'bob', password: PASSWORD }).toString())
  })

/** Cache deception. */
const LIKE_FILES = [
  ...['/symbols/x.css', '/symbols/AAPL/x.css', '/symbols/AAPL.js', '/symbols/AAPL%2fx.css'],
  ...['/symbols/AAPL;x.css', '/account/x.js', '/account.css', '/account%3fx.css', '/users/1/x.png'],
  ...['/api/ratings/x.js', '/api/ratings;x.css', '/api/access/me/x.css', '/api/access/me.css'],
  ...['/api/status/..%2fx.css', '/_next/static/..%2f..%2faccount', '/_next/static/../../account'],
]

test('a cache in front keeps nothing of whoever is signed in, whatever the address looks like', async ({
  page,
  browser,
}) => {
  test.setTimeout(180_000)
  const nginx = await startNginx({
    program: program ?? '',
    target: guarded.app.url,
  })
  const stranger = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  try {
    await page.goto(nginx.url)
    await enter(page, 'bob')
    await page.waitForURL(`${nginx.url}/`)
    const pages = ['/', '/symbols', '/symbols/AAPL', '/users', '/ratings/1', '/account', '/docs']
    const answers = ['/api/ratings', '/api/status', '/api/access/me', '/api/ratings.csv']
    for (const path of [...pages, ...answers, ...LIKE_FILES]) {
      for (const request of [page.request, page.request, stranger.request]) {
        const response = await request.get(nginx.url + path, { maxRedirects: 0 })
        const { 'x-cache-status': cache, location } = response.headers()
        expect(cache, path).not.toMatch(/HIT|STALE|UPDATING|REVALIDATED/)
        if (request !== stranger.request) continue
        const isSentAway = response.status() === 303 && location?.startsWith('/sign-in')
        const said = `${path}: ${response.status()}`
        expect(isSentAway || [400, 401, 404].includes(response.status()), said).toBe(true)
      }
    }
    await page.goto('about:blank')
  } finally {
    await stranger.close()
    await nginx.stop()
  }
})
