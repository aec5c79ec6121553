import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { enter, expectPassedOn, type Guarded, startGuarded } from './support/behind-proxy.ts'
import { seriesFigure } from './support/chart-figure.ts'
import { findNginx, hasOpenssl, startHttpsNginx } from './support/nginx.ts'
import { heading, rows, strongSell, table } from './support/ratings-page.ts'
import { openSaveMenu } from './support/save-chart.ts'
import { openSearch, searchField } from './support/search.ts'
import { expect, test } from './support/test.ts'

const BASE_PATH = '/ratings'
const nginx = hasOpenssl() ? findNginx() : null

let guarded: Guarded
let url: string
let stop: () => Promise<void>

test.describe.configure({ mode: 'serial' })
test.skip(nginx === null, 'needs nginx and openssl')
test.use({ ignoreHTTPSErrors: true, allowConsole: ['401'] })

test.beforeAll(async () => {
  test.setTimeout(300_000)
  guarded = await startGuarded({ basePath: BASE_PATH })
  const { port } = guarded
  const target = new URL(guarded.app.url).origin
  const started = await startHttpsNginx({ program: nginx ?? '', target, port, basePath: BASE_PATH })
  url = started.url
  stop = started.stop
})

test.afterAll(async () => {
  await stop?.()
  await guarded?.stop()
})

function watchOutside(page: Page): string[] {
  const outside: string[] = []
  page.on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    if (protocol === 'https:' && !/^\/ratings(?:\/|$)/.test(pathname)) outside.push(request.url())
  })
  return outside
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/symbols?sort=symbol`)
  expect(page.url()).toBe(`${url}/sign-in?next=%2Fsymbols%3Fsort%3Dsymbol`)
  await expect(heading(page)).toHaveText('Sign in to Bellwether')
  await enter(page, 'bob')
  await page.waitForURL(`${url}/symbols?sort=symbol`)
}

async function signOut(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/account`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  expect(page.url()).toBe(`${url}/sign-in?why=out`)
  expect((await page.request.get(`${url}/api/ratings`)).status()).toBe(401)
}
test('one signs in, filters, goes to a symbol and back, and out; nothing is asked elsewhere on the host', async ({
  page,
}) => {
  const outside = watchOutside(page)
  await signIn(page, url)
  const cookies = await page.context().cookies(url)
  expect(cookies.filter(({ name }) => name.includes('session'))).toMatchObject([
    { name: '__Host-bellwether-session+ratings', path: '/', secure: true, httpOnly: true },
  ])

  const told = page.waitForResponse(`${url}/api/events`)
  await page.getByRole('banner').getByRole('link', { name: 'Ratings', exact: true }).click()
  await expect(rows(page).first()).toBeVisible()
  expect((await told).status()).toBe(200)
  expect(page.url()).toBe(url)
  await strongSell(page).click()
  await expect(page).toHaveURL(`${url}?rating=1`)
  await page.reload()
  await expect(strongSell(page)).toBeChecked()
  await strongSell(page).click()
  await expect(page).toHaveURL(url)
  await page.goBack()
  await expect(strongSell(page)).toBeChecked()

  const link = rows(page).first().locator('a[href^="/ratings/symbols/"]')
  const symbol = (await link.textContent()) ?? ''
  await link.click()
  await page.waitForURL(`${url}/symbols/${symbol}`)
  await expect(seriesFigure(page, symbol)).toBeVisible()
  const menu = await openSaveMenu(page.getByRole('main'))
  await menu.getByText('Embed in another page').click()
  const embedded = (await menu.locator('code').textContent()) ?? ''
  const [, src = ''] = /src="([^"]*)"/.exec(embedded) ?? []
  expect(src.replace(/\?from=\d{4}-\d\d-\d\d$/, '')).toBe(`${url}/embed/symbols/${symbol}`)
  await page.goBack()
  await expect(page).toHaveURL(`${url}?rating=1`)
  await expect(table(page)).toBeVisible()

  await openSearch(page)
  await searchField(page).fill(`symbol:${symbol}`)
  const marked = page
    .getByRole('listbox', { name: 'Suggestions' })
    .getByRole('option', { selected: true })
  await expect(marked).toHaveText(/Show ratings: .*\d ratings?$/)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL((address) => address.searchParams.get('symbol') === symbol)
  expect(new URL(page.url()).pathname).toBe(BASE_PATH)

  await signOut(page, url)
  expect(outside).toEqual([])
})

test('dumps, exports, pictures and documents come from below the path, and a page that does not exist says so', async ({
  page,
}) => {
  const outside = watchOutside(page)
  await signIn(page, url)
  await expectPassedOn(page, { url, direct: guarded.app.url, token: guarded.token })

  await page.goto(`${url}/downloads`)
  const [dump] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('link', { name: /^Download posts dump/ }).click(),
  ])
  expect(readFileSync(await dump.path(), 'utf8').split('\n').length).toBeGreaterThan(400)

  await page.goto(`${url}?rating=1`)
  await page.getByRole('button', { name: 'More for this view' }).click()
  const panel = page.getByRole('dialog', { name: /^Export / })
  await panel.getByRole('radio', { name: 'CSV', exact: true }).check()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download CSV' }).click(),
  ])
  expect(readFileSync(await file.path(), 'utf8')).toMatch(/^\ufeffid,/)
  await panel.getByText('Open in DuckDB').click()
  await panel.getByRole('radio', { name: 'curl', exact: true }).check()
  await expect(panel.locator('code').first()).toContainText(`${url}/api/ratings.csv?rating=1`)

  await page.goto(`${url}/users/1`)
  const picture = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect(picture).toBe(`${url}/link-preview.png`)
  expect((await page.request.get(picture ?? '')).headers()['content-type']).toBe('image/png')
  const manifest = await page.locator('link[rel="manifest"]').getAttribute('href')
  const { start_url } = await (await page.request.get(new URL(manifest ?? '', url).href)).json()
  expect(start_url).toBe(BASE_PATH)

  await page.goto(`${url}/docs`)
  await page.getByRole('main').getByRole('link', { name: 'Configuration' }).first().click()
  await expect(heading(page)).toHaveText('Configuration')
  await page.goto(`${url}/docs/api/listSymbols`)
  await page.getByRole('button', { name: 'Send' }).click()
  await expect(page.getByText(/^200 OK in /)).toBeVisible()
  expect(outside).toEqual([])
})

test.describe('what does not exist', () => {
  test.use({ allowConsole: ['404', '401'] })

  test('a page below the path says that it does not exist; the rest of the host is somebody else’s', async ({
    page,
  }) => {
    await signIn(page, url)
    const response = await page.goto(`${url}/nothing-here`)
    expect(response?.status()).toBe(404)
    await page.getByRole('link', { name: 'All symbols' }).click()
    await page.waitForURL(`${url}/symbols`)
    const beside = await page.request.get(new URL('/symbols', url).href)
    expect(await beside.text()).toBe('beside')
    await page.goto('about:blank')
  })
})

test('one signs in without scripts, and an embed stands by its link', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false, ignoreHTTPSErrors: true })
  const page = await context.newPage()
  try {
    await signIn(page, url)
    await expect(heading(page)).toHaveText('Symbols')
    await page.goto(`${url}/embed/symbols/AAPL`)
    const home = page.getByRole('link', { name: /Bellwether/ })
    await expect(home).toHaveAttribute('href', /^\/ratings\/symbols\/AAPL/)
  } finally {
    await context.close()
  }
})
