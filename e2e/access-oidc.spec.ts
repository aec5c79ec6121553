import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { freePort } from '#testing/loopback.ts'
import { type RealProvider, startRealProvider } from '../testing/server/real-provider.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { heading } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

const CLIENT = { id: 'bellwether', secret: 'the-secret-of-the-client' }

let app: RunningApp
let provider: RealProvider
let dataDir: string
let port: number

test.describe.configure({ mode: 'serial' })
test.use({ allowConsole: ['401'] })

const start = () =>
  startApp({
    env: {
      PORT: String(port),
      DATA_DIR: dataDir,
      ACCESS: 'oidc',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      OIDC_ISSUER: provider.issuer.href.replace(/\/$/, ''),
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_SCOPES: 'openid profile',
      ACCESS_OPERATOR_GROUPS: 'ratings-operators',
      DEMO_RATINGS: '500',
      DEMO_TAIL_SECONDS: '0',
    },
  })

test.beforeAll(async () => {
  test.setTimeout(120_000)
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-oidc-'))
  port = await freePort()
  const url = `http://127.0.0.1:${port}`
  provider = await startRealProvider({
    callback: `${url}/api/access/oidc/callback`,
    signedOut: `${url}/sign-in?why=out`,
    clientId: CLIENT.id,
    clientSecret: CLIENT.secret,
    claims: (login) => ({
      preferred_username: login,
      groups: login === 'ada' ? ['ratings-operators'] : ['guests'],
    }),
    isInToken: true,
  })
  app = await start()
})

test.afterAll(async () => {
  await app?.stop()
  await provider?.close()
  rmSync(dataDir, { recursive: true, force: true })
})

const toProvider = (page: Page) =>
  page.getByRole('link', { name: `Sign in at ${provider.issuer.host}` })

async function signIn(page: Page, name: string, path: string): Promise<void> {
  await page.goto(app.url + path)
  await expect(heading(page)).toHaveText('Sign in to Bellwether')
  await toProvider(page).click()
  await page.getByPlaceholder('Enter any login').fill(name)
  await page.getByPlaceholder('and password').fill('any')
  await page.getByRole('button', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.waitForURL(app.url + path)
}

const openTab = async (browser: Browser) =>
  await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage()

test('a button leads to the provider, and from there to where one wanted to go', async ({
  page,
}) => {
  await signIn(page, 'bob', '/symbols?sort=symbol')
  await expect(heading(page)).toHaveText(/Symbols/)
  await page.goto(`${app.url}/account`)
  await expect(page.getByText('bob, reader')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0)
  expect((await page.request.get(`${app.url}/access`)).status()).toBe(404)
})

test('who is in a group of operators runs the dashboard', async ({ page }) => {
  await signIn(page, 'ada', '/access')
  await expect(page.getByRole('table', { name: 'Signed in now' })).toContainText('bob')
  await page.getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('table', { name: 'Audit log' })
  await expect(log.getByRole('row', { name: /bob signed in/ })).toBeVisible()
})

test('while the provider is away, who is signed in stays so, over a restart too, and the way in says why nobody else comes in', async ({
  page,
  browser,
}) => {
  test.setTimeout(120_000)
  await signIn(page, 'bob', '/account')
  await provider.close()
  await page.reload()
  await expect(page.getByText('bob, reader')).toBeVisible()
  await page.goto('about:blank')
  await app.stop()
  app = await start()
  await page.goto(`${app.url}/account`)
  await expect(page.getByText('bob, reader')).toBeVisible()
  const other = await openTab(browser)
  await other.goto(`${app.url}/symbols`)
  await toProvider(other).click()
  await expect(other.getByText('The identity provider does not answer')).toBeVisible()
  await expect(toProvider(other)).toHaveAttribute('href', /next=%2Fsymbols/)
  await other.context().close()
})
