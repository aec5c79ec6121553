import { type RunningApp, startApp } from './support/app.ts'
import { heading } from './support/ratings-page.ts'
import { expect, test } from './support/test.ts'

let app: RunningApp

const READER = { 'remote-user': 'bob', 'remote-groups': 'guests' }
const OPERATOR = { 'remote-user': 'ada', 'remote-groups': 'guests, ratings-operators' }

test.describe.configure({ mode: 'serial' })

const start = (proxies: string) =>
  startApp({
    env: {
      ACCESS: 'proxy',
      TRUSTED_PROXIES: proxies,
      ACCESS_OPERATOR_GROUPS: 'ratings-operators',
      DEMO_RATINGS: '500',
      DEMO_TAIL_SECONDS: '0',
    },
  })

const ask = async (path: string, headers: Record<string, string>, method = 'GET') =>
  await fetch(app.url + path, { method, headers, redirect: 'manual' })

const statusOf = async (...asked: Parameters<typeof ask>) => (await ask(...asked)).status

test.beforeAll(async () => {
  test.setTimeout(120_000)
  app = await start('127.0.0.1')
  const readState = async () =>
    (await (await ask('/api/status', OPERATOR)).json()).data?.sync?.state
  await expect.poll(readState, { timeout: 60_000 }).toBe('idle')
})

test.afterAll(async () => {
  await app?.stop()
})

test.describe('for whom the proxy names', () => {
  test.use({ extraHTTPHeaders: READER })

  test('the account has no way out, and a token that is made there works for a script', async ({
    page,
  }) => {
    await page.goto(`${app.url}/account`)
    await expect(heading(page)).toHaveText('Your account')
    await expect(page.getByText('bob, reader')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Sign out' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Where you are signed in' })).toHaveCount(0)
    await expect(page.getByRole('heading', { name: 'Password' })).toHaveCount(0)
    await page.getByLabel('Purpose').fill('nightly export')
    await page.getByLabel('download files and the weekly dumps').check()
    await page.getByRole('button', { name: 'Create token' }).click()
    const token = (await page.getByText(/^bw_/).textContent()) ?? ''
    const headers = { authorization: `Bearer ${token}` }
    expect(await statusOf('/api/ratings.csv', headers)).toBe(200)
    expect(await statusOf('/api/metrics', headers)).toBe(403)
    expect(await statusOf('/api/metrics', { ...OPERATOR, ...headers })).toBe(403)
    await page.getByRole('button', { name: 'Revoke nightly export' }).click()
    await expect(page.getByRole('row', { name: /nightly export/ })).toHaveCount(0)
    expect(await statusOf('/api/ratings.csv', headers)).toBe(401)
  })
})

test('the same headers from anybody but the proxy are not believed', async () => {
  test.setTimeout(120_000)
  await app.stop()
  app = await start('192.0.2.1')
  for (const headers of [READER, OPERATOR]) {
    const forwarded = { ...headers, 'x-forwarded-for': '192.0.2.1' }
    for (const path of ['/api/ratings', '/api/status', '/api/access/me', '/account', '/']) {
      expect(await statusOf(path, forwarded), path).toBe(401)
    }
  }
})
