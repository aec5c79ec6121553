import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from '@playwright/test'
import { makeToken, runAccess, signInByForm, untilFilled } from './support/accounts.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { heading } from './support/ratings-page.ts'
import { expect, expectNoAxeViolations, expectNoOverflow, test } from './support/test.ts'

const PASSWORDS = { ada: 'green stapler under water', bob: 'blue lantern over hills' }
type Name = keyof typeof PASSWORDS

let app: RunningApp
let dataDir: string

test.beforeAll(async () => {
  test.setTimeout(180_000)
  dataDir = mkdtempSync(join(tmpdir(), 'bellwether-access-'))
  await runAccess(dataDir, ['add', 'ada', '--role', 'operator'], `${PASSWORDS.ada}\n`)
  await runAccess(dataDir, ['add', 'bob'], `${PASSWORDS.bob}\n`)
  app = await startApp({
    env: { ACCESS: 'password', DATA_DIR: dataDir, DEMO_RATINGS: '3000', DEMO_TAIL_SECONDS: '0' },
  })
  const token = await makeToken(dataDir, {
    name: 'ada',
    label: 'filling',
    may: 'read',
    url: app.url,
  })
  await untilFilled(app.url, token)
})

test.afterAll(async () => {
  await app?.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

async function enter(page: Page, name: Name, password = PASSWORDS[name]): Promise<void> {
  await page.getByLabel('Name').fill(name)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

async function signIn(page: Page, name: Name, path = '/'): Promise<void> {
  await page.goto(app.url + path)
  await enter(page, name)
  await page.waitForURL(app.url + path)
}

const openTab = async (browser: Browser) =>
  await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage()

test('a link leads to the way in, a wrong password is said, and the right one leads to where one wanted to go', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto(`${app.url}/symbols?sort=symbol`)
  await expect(heading(page)).toHaveText('Sign in to Bellwether')
  await expect(page.getByLabel('Name')).toBeFocused()
  await enter(page, 'ada', 'some wrong password')
  await expect(page.getByText('Wrong name or password')).toBeVisible()
  await enter(page, 'ada')
  await page.waitForURL(`${app.url}/symbols?sort=symbol`)
  await expect(heading(page)).toHaveText(/Symbols/)
})

test('the way in works without scripts, and leads to no other host', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false })
  const page = await context.newPage()
  for (const next of [
    '//evil.example/',
    '/\\evil.example',
    'https://evil.example/',
    '/%0d%0aX:1',
  ]) {
    await page.goto(`${app.url}/sign-in?next=${encodeURIComponent(next)}`)
    await enter(page, 'bob')
    await expect(page).not.toHaveURL(/sign-in/)
    expect(new URL(page.url()).origin).toBe(app.url)
    await context.clearCookies()
  }
  await context.close()
})

test('a reader is offered what he may do, and an operator all of it', async ({ page, browser }) => {
  await signIn(page, 'bob', '/status')
  await expect(page.getByRole('region', { name: 'Health' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Status' })).toHaveCount(0)
  const other = await openTab(browser)
  await signIn(other, 'ada', '/status')
  const tabs = other.getByRole('navigation', { name: 'Status' })
  await tabs.getByRole('link', { name: 'Sync' }).click()
  await expect(other.getByRole('button', { name: /Sync now/ })).toBeVisible()
  await expect(other.getByRole('heading', { name: 'Planned' })).toBeVisible()
  await other.context().close()
  expect((await page.request.get(`${app.url}/status/sync`)).status()).toBe(404)
})

test.describe('a page that one may not see', () => {
  test.use({ allowConsole: ['404'] })
})

test('a token that is made on the page is shown once, works for a script, and can be taken back', {
  tag: '@core',
}, async ({ page }) => {
  await signIn(page, 'bob', '/account')
  await page.getByLabel('Purpose').fill('nightly export')
  await page.getByLabel('download files and the weekly dumps').check()
  await expect(page.getByLabel('start a sync')).toHaveCount(0)
  await page.getByRole('button', { name: 'Create token' }).click()
  const shown = page.getByText(/^bw_/)
  const token = (await shown.textContent()) ?? ''
  const ask = async (path: string) =>
    (await fetch(app.url + path, { headers: { authorization: `Bearer ${token}` } })).status
  expect(await ask('/api/ratings.csv')).toBe(200)
  expect(await ask('/api/metrics')).toBe(403)

  await page.goto(app.url)
  await page.getByRole('button', { name: 'More for this view' }).click()
  const panel = page.getByRole('dialog', { name: /^Export / })
  await panel.getByText('Open in DuckDB').click()
  await expect(panel).toContainText('Replace YOUR_TOKEN with a token that may download files')
  await panel.getByRole('radio', { name: 'curl', exact: true }).check()
  const line = (await panel.locator('code').textContent()) ?? ''
  const files = mkdtempSync(join(tmpdir(), 'bellwether-curl-'))
  execFileSync('sh', ['-c', `${line.replace('YOUR_TOKEN', token)} -s`], { cwd: files })
  expect(readdirSync(files)).toEqual([expect.stringMatching(/^ratings_.*\.csv$/)])
  rmSync(files, { recursive: true })

  await page.goto(`${app.url}/account`)
  await expect(shown).toHaveCount(0)
  const row = page.getByRole('row', { name: /nightly export/ })
  await expect(row).toContainText('just now')
  await row.getByRole('button', { name: 'Revoke nightly export' }).click()
  await expect(row).toHaveCount(0)
  expect(await ask('/api/ratings.csv')).toBe(401)
})

test.describe('a session that has ended', () => {
  test.use({ allowConsole: ['401'] })

  test('leaves the page that stood open, and signing in again leads back to it', async ({
    page,
    browser,
  }) => {
    await signIn(page, 'bob', '/account')
    const other = await openTab(browser)
    await signIn(other, 'bob', '/account')
    await other.getByRole('button', { name: 'End all other sessions' }).click()
    await expect(other.getByRole('button', { name: 'End all other sessions' })).toHaveCount(0)
    await other.context().close()
    await expect(page.getByText('Your session has ended')).toBeVisible()
    await enter(page, 'bob')
    await page.waitForURL(`${app.url}/account`)
  })
})

test.describe('after signing out', () => {
  test.use({ allowConsole: ['401'] })

  test('the browser keeps nothing of the data, and its other tabs leave', async ({ page }) => {
    await signIn(page, 'bob', '/account')
    await page.evaluate(async () => {
      const cache = await caches.open('bellwether-database')
      await cache.put('/api/database.duckdb?tables=core&etag=1', new Response('rows'))
    })
    const other = await page.context().newPage()
    await other.goto(`${app.url}/symbols`)
    await expect(other.getByRole('table').first()).toBeVisible()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await expect(page.getByText('You are signed out')).toBeVisible()
    await expect(heading(other)).toHaveText('Sign in to Bellwether')
    expect(await page.evaluate(() => caches.keys())).toEqual([])
  })
})

test('an operator locks an account, sees both in the audit log, and unlocks it', async ({
  page,
  browser,
}) => {
  await signInByForm(app.url, { name: 'bob', password: 'some wrong password' })
  const bobs = await openTab(browser)
  await signIn(bobs, 'bob')
  await signIn(page, 'ada', '/access')
  await page.getByRole('button', { name: 'Lock bob', exact: true }).click()
  await expect(page.getByRole('row', { name: /bob reader, locked/ })).toBeVisible()
  await bobs.reload()
  await expect(heading(bobs)).toHaveText('Sign in to Bellwether')
  await bobs.context().close()
  await page.getByRole('link', { name: 'Audit log' }).click()
  const log = page.getByRole('table', { name: 'Audit log' })
  await expect(log.getByRole('row', { name: /ada locked bob/ })).toBeVisible()
  await expect(
    log.getByRole('row', { name: /wrong name or password refused/ }).first(),
  ).toBeVisible()
  await page.goto(`${app.url}/access`)
  await page.getByRole('button', { name: 'Unlock bob' }).click()
  await expect(page.getByRole('button', { name: 'Lock bob', exact: true })).toBeVisible()
  const held = readFileSync(join(dataDir, 'access', 'audit.ndjson'), 'utf8')
  for (const password of Object.values(PASSWORDS)) expect(held).not.toContain(password)
})

test('a chart in another page is shown by its token alone, goes on being asked for, and goes when that is taken back', async ({
  page,
}) => {
  const token = await makeToken(dataDir, {
    name: 'ada',
    label: 'the wiki',
    may: 'embed',
    url: app.url,
  })
  const { data } = await (
    await fetch(`${app.url}/api/symbols?per_page=1`, {
      headers: {
        authorization: `Bearer ${await makeToken(dataDir, { name: 'ada', label: 'looking', may: 'read', url: app.url })}`,
      },
    })
  ).json()
  const address = `${app.url}/embed/symbols/${data[0].symbol}?link=${token}`
  const asked: number[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/')) asked.push(response.status())
  })
  await page.clock.install()
  await page.goto(address)
  await expect(heading(page)).toHaveText(data[0].symbol)
  await expect(page.getByText(/Ignored in the address/)).toHaveCount(0)
  await page.clock.fastForward('06:00')
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  expect([...new Set(asked)]).toEqual([200])
  await page.goto('about:blank')
  const id = /^(\S+) · the wiki/m.exec(await runAccess(dataDir, ['tokens']))?.[1] ?? ''
  await runAccess(dataDir, ['take-back', id])
  await expect.poll(async () => (await fetch(address)).status).toBe(401)
})

for (const [name, path, who] of [
  ['the way in', '/sign-in?why=wrong', null],
  ['one’s account', '/account', 'ada'],
  ['everybody’s access', '/access', 'ada'],
] as const) {
  test(`${name} has nothing that axe finds, and fits a phone`, async ({ page }) => {
    if (who) await signIn(page, who, path)
    else await page.goto(app.url + path)
    await page.setViewportSize({ width: 390, height: 844 })
    await expect(page.getByRole('button').first()).toBeVisible()
    await expectNoAxeViolations(page)
    await expectNoOverflow(page)
  })
}
