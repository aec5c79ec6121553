import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from '@playwright/test'
import { listenOnLoopback } from '#testing/loopback.ts'
import { makeToken, runAccess, untilFilled } from './support/accounts.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { heading } from './support/ratings-page.ts'
import { test as base, expect, untilListening } from './support/test.ts'

/** Names other than this machine's: their plain http is no secure context. */
const test = base.extend<object, { launchOptions: { args?: string[] } }>({
  launchOptions: [
    async ({ launchOptions }, use) => {
      const args = [...(launchOptions.args ?? []), '--host-resolver-rules=MAP *.lan 127.0.0.1']
      await use({ ...launchOptions, args })
    },
    { scope: 'worker' },
  ],
})

const PASSWORDS = { ada: 'green stapler under water', bob: 'blue lantern over hills' }

let app: RunningApp
let url: string
let dataDir: string

test.beforeAll(async () => {
  test.setTimeout(180_000)
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-plain-http-'))
  await runAccess(dataDir, ['add', 'ada', '--role', 'operator'], `${PASSWORDS.ada}\n`)
  await runAccess(dataDir, ['add', 'bob'], `${PASSWORDS.bob}\n`)
  app = await startApp({
    env: {
      ACCESS: 'password',
      ALLOWED_HOSTS: 'nas.lan',
      DATA_DIR: dataDir,
      DEMO_RATINGS: '3000',
      DEMO_TAIL_SECONDS: '0',
    },
  })
  url = app.url.replace('127.0.0.1', 'nas.lan')
  const wanted = { name: 'ada', label: 'filling', may: 'read', url: app.url }
  await untilFilled(app.url, await makeToken(dataDir, wanted))
})

test.afterAll(async () => {
  await app?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

/** The watch of the usual pages takes their host for another machine. */
async function openContext(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ storageState: { cookies: [], origins: [] } })
  const errors: string[] = []
  context.on('weberror', (error) => void errors.push(error.error().message))
  context.on('close', () => expect(errors).toEqual([]))
  return context
}

async function signIn(page: Page, name: keyof typeof PASSWORDS): Promise<void> {
  await page.goto(`${url}/sign-in`)
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(PASSWORDS[name])
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.waitForURL(`${url}/`)
  await untilListening(page)
}

test('a browser that sends no Sec-Fetch-Site signs in, uses every form and signs out when the host has plain http', {
  tag: '@core',
}, async ({ browser }) => {
  const context = await openContext(browser)
  const page = await context.newPage()
  const sent: Promise<Record<string, string>>[] = []
  page.on('request', (request) => {
    if (request.method() !== 'GET') sent.push(request.allHeaders())
  })
  await signIn(page, 'ada')
  expect(await page.evaluate(() => window.isSecureContext)).toBe(false)

  // Links change the page, but the policy stays that of the first one.
  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByLabel('Purpose').fill('nightly export')
  await page.getByLabel('read ratings, symbols and users').check()
  await page.getByRole('button', { name: 'Create token' }).click()
  await expect(page.getByText(/^bw_/)).toBeVisible()
  await page.getByRole('button', { name: 'Revoke nightly export' }).click()
  await expect(page.getByRole('button', { name: 'Revoke nightly export' })).toHaveCount(0)
  await page.getByLabel('Current password').fill(PASSWORDS.ada)
  await page.getByLabel('New password').fill(PASSWORDS.ada)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password changed')).toBeVisible()
  await page.getByRole('link', { name: 'All accounts' }).click()
  // "Unlock bob" contains "Lock bob": without `exact`, the page could be left before the request is sent.
  const lockBob = page.getByRole('button', { name: 'Lock bob', exact: true })
  await lockBob.click()
  await page.getByRole('button', { name: 'Unlock bob' }).click()
  await expect(lockBob).toBeVisible()
  await page.goto(`${url}/status/sync`)
  await untilListening(page)
  const synced = page.waitForResponse(`${url}/api/sync`)
  await page.getByRole('button', { name: /Sync now/ }).click()
  expect((await synced).status()).toBe(202)

  await page.getByRole('link', { name: 'Your account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  const requests = await Promise.all(sent)
  expect(requests.length).toBeGreaterThan(6)
  for (const headers of requests) {
    expect(headers['sec-fetch-site']).toBeUndefined()
    expect(headers.origin).toBe(url)
  }
  await context.close()
})

/** A page that sends its form at once. */
function servePage(server: Server, { path, policy }: { path: string; policy: string }): void {
  server.on('request', (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html', 'referrer-policy': policy })
    response.end(`<!doctype html><form method="post" action="${url}${path}">
<input name="name" value="bob"><input name="password" value="${PASSWORDS.bob}"></form>
<script>document.forms[0].submit()</script>`)
  })
}

for (const path of ['/api/access/sign-in', '/api/access/sign-out']) {
  for (const host of ['evil.lan', 'nas.lan']) {
    for (const policy of ['no-referrer', 'unsafe-url']) {
      test(`a form to ${path} is refused when a page of ${host} on another port sends it with ${policy}`, async ({
        browser,
      }) => {
        const server = createServer()
        servePage(server, { path, policy })
        const foreign = await listenOnLoopback(server)
        const context = await openContext(browser)
        const page = await context.newPage()
        await signIn(page, 'ada')
        const refused = page.waitForResponse(`${url}${path}`)
        await page.goto(`http://${host}:${foreign.port}/`).catch(() => {})
        const response = await refused
        expect(response.request().method()).toBe('POST')
        expect(response.status()).toBe(403)
        expect(response.headers()['set-cookie']).toBeUndefined()
        await page.goto(`${url}/account`)
        await expect(heading(page)).toHaveText('Your account')
        await expect(page.getByText('ada, operator')).toBeVisible()
        await context.close()
        await foreign.close()
      })
    }
  }
}
