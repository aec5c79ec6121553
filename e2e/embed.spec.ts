import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Page } from '@playwright/test'
import { comparisonFigure } from './support/chart-figure.ts'
import { openSaveMenu } from './support/save-chart.ts'
import { expect, test } from './support/test.ts'

async function startOtherSite(): Promise<{
  url: string
  frame: (src: string) => string
  server: Server
}> {
  const server = createServer((request, response) => {
    const src = new URL(request.url ?? '/', 'http://a').searchParams.get('src') ?? ''
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
    response.end(
      `<!doctype html><html lang="en"><title>Another site</title><h1>Another site</h1><iframe title="chart" src="${src.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="900" height="718"></iframe>`,
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, frame: (src) => `${url}/?src=${encodeURIComponent(src)}`, server }
}

let other: Awaited<ReturnType<typeof startOtherSite>>
test.beforeAll(async () => {
  other = await startOtherSite()
})
test.afterAll(() => {
  other.server.closeAllConnections()
  other.server.close()
})

const framed = (page: Page) => page.frameLocator('iframe[title="chart"]')
const drawn = { name: /^Consensus/, level: 3 }

test('a chart stands in a page of another site', { tag: '@core' }, async ({ page, baseURL }) => {
  await page.goto(other.frame(`${baseURL}/embed/symbols/AAPL?from=2024-01-01&theme=dark`))
  const frame = framed(page)
  await expect(frame.getByRole('heading', { level: 1, name: 'AAPL' })).toBeVisible()
  await expect(frame.getByRole('heading', drawn)).toBeVisible()
  await expect(frame.getByText(/^Consensus \d\.\d\d of 5, n = [\d,]+, as of .* UTC$/)).toBeVisible()
  await expect(frame.locator('html')).toHaveAttribute('data-theme', 'dark')
  const link = frame.getByRole('link')
  await expect(link).toHaveCount(1)
  await expect(link).toHaveAttribute('href', '/symbols/AAPL?from=2024-01-01')
  await expect(link).toHaveAttribute('target', '_blank')
  await expect(link).toHaveAttribute('rel', /noopener/)
  await expect(frame.getByRole('navigation')).toHaveCount(0)
  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()])
  await expect(opened.getByRole('heading', { level: 1, name: 'AAPL' })).toBeVisible()
  expect(await opened.evaluate(() => window.opener)).toBeNull()
})

test('an embed only reads, asks little, needs no cookie and is told its theme by its address', async ({
  page,
  context,
}) => {
  const requests: string[] = []
  page.on('request', (one) => requests.push(`${one.method()} ${new URL(one.url()).pathname}`))
  await context.addCookies([{ name: 'theme', value: 'dark', url: 'http://127.0.0.1' }])
  await page.goto('/embed/symbols/AAPL?theme=light')
  await expect(page.getByRole('heading', drawn)).toBeVisible()
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'light')
  expect(requests.filter((one) => !one.startsWith('GET '))).toEqual([])
  expect(requests.filter((one) => one.includes('/api/'))).toEqual([])
  await context.clearCookies()
  await page.goto('/embed/symbols/AAPL')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'system')
  expect(await context.cookies()).toEqual([])
  await expect(page.locator('form, input, button')).toHaveCount(0)
})

test.describe('what may not be framed', () => {
  test.use({ allowConsole: ['frame-ancestors', 'X-Frame-Options', 'Refused to', 'chrome-error'] })

  test('every page but the embeds refuses', async ({ page, baseURL }) => {
    for (const path of ['/', '/symbols/AAPL', '/status', '/embed', '/users']) {
      const refused = page.waitForResponse((one) => one.url() === `${baseURL}${path}`)
      await page.goto(other.frame(`${baseURL}${path}`))
      const headers = (await refused).headers()
      expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
      expect(headers['x-frame-options']).toBe('DENY')
      await expect
        .poll(() =>
          page
            .frames()
            .find((frame) => frame !== page.mainFrame())
            ?.url(),
        )
        .toContain('chrome-error')
    }
  })
})

test('only embeds may be framed, and nothing else of their headers is weaker', async ({
  request,
}) => {
  const load = async (path: string) => (await request.get(path, { maxRedirects: 0 })).headers()
  for (const path of ['/embed/symbols/AAPL', '/embed/symbols/NOBODY', '/embed/anything/else']) {
    const headers = await load(path)
    expect(headers['x-frame-options'], path).toBeUndefined()
    expect(headers['content-security-policy'], path).toContain('frame-ancestors *')
    expect(headers['content-security-policy'], path).toContain("form-action 'none'")
    expect(headers['content-security-policy'], path).toMatch(/script-src 'self' 'sha256-[^;]+;/)
    expect(headers['content-security-policy'], path).not.toContain('nonce')
    expect(headers['x-content-type-options'], path).toBe('nosniff')
    expect(headers['referrer-policy'], path).toBe('no-referrer')
    expect(headers['set-cookie'], path).toBeUndefined()
  }
  for (const path of ['/', '/embed', '/embeds/x', '/downloads', '/api/status', '/symbols/embed']) {
    const headers = await load(path)
    expect(headers['x-frame-options'], path).toBe('DENY')
    expect(headers['referrer-policy'], path).toBe('same-origin')
  }
})

test('an embed is served under no other host name than the dashboard', async ({ request }) => {
  const response = await request.get('/embed/symbols/AAPL', { headers: { host: 'evil.example' } })
  expect(response.status()).toBe(421)
})

test('a client cannot name the theme of a page by a header of its own', async ({ request }) => {
  const html = await (await request.get('/', { headers: { 'x-embed-theme': 'dark' } })).text()
  expect(html).not.toContain('data-theme="dark"')
})

test.describe('states', () => {
  test.use({ allowConsole: ['404'] })

  test('an unknown symbol is a 404 in the frame’s own design', async ({ page, request }) => {
    const path = `/embed/symbols/${encodeURIComponent('<IMG SRC=X>')}`
    expect((await request.get(path)).status()).toBe(404)
    await page.goto(path)
    await expect(page.getByText('<IMG SRC=X> has no ratings')).toBeVisible()
    await expect(page.getByRole('navigation')).toHaveCount(0)
  })

  test('any other address below it has neither header nor chart', async ({ page }) => {
    for (const path of ['/embed/members/1', '/embed/symbols', '/embed/symbols/AAPL/x']) {
      const response = await page.goto(path)
      expect(response?.status(), path).toBe(404)
      await expect(page.getByText('There is nothing to embed at this address')).toBeVisible()
      await expect(page.getByRole('navigation')).toHaveCount(0)
    }
  })

  test('an unknown page of the dashboard keeps its header', async ({ page }) => {
    const response = await page.goto('/no-such-page')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('navigation').first()).toBeVisible()
    await expect(page.getByText('There is no such page')).toBeVisible()
  })
})

test('names an empty range and parameters that it ignores', async ({ page }) => {
  await page.goto('/embed/symbols/AAPL?from=1990-01-01&to=1990-02-01')
  await expect(page.getByText('No rating was posted or active in this range')).toBeVisible()
  await page.goto('/embed/symbols/AAPL?asof=2024-08-02&theme=blue')
  await expect(page.getByText(/^Ignored in the address: theme .*; asof/)).toBeVisible()
  await expect(page.getByRole('heading', drawn)).toBeVisible()
})

test('the line of the menu shows the chart that it was copied from', async ({ page, baseURL }) => {
  await page.goto('/symbols/AAPL?bucket=week&from=2024-01-01&to=2024-08-03')
  const menu = await openSaveMenu(page.getByRole('main'))
  await menu.getByText('Embed in another page').click()
  const src = await menu
    .locator('code')
    .evaluate(
      (code) =>
        new DOMParser().parseFromString(code.textContent ?? '', 'text/html').querySelector('iframe')
          ?.src ?? '',
    )
  expect(src).toBe(`${baseURL}/embed/symbols/AAPL?from=2024-01-01&to=2024-08-03`)
  await page.goto(other.frame(src))
  await expect(framed(page).getByRole('heading', drawn)).toBeVisible()
})

test('shows a comparison in a page of another site', async ({ page, baseURL }) => {
  await page.goto('/symbols/AAPL?range=all&vs=MSFT,NOSUCH,NVDA')
  const menu = await openSaveMenu(comparisonFigure(page))
  await menu.getByText('Embed in another page').click()
  const readAddress = () =>
    menu
      .locator('code')
      .evaluate(
        (code) =>
          new DOMParser()
            .parseFromString(code.textContent ?? '', 'text/html')
            .querySelector('iframe')?.src ?? '',
      )
  const address = `${baseURL}/embed/symbols/AAPL?vs=MSFT,NOSUCH,NVDA`
  expect(await readAddress()).toBe(address)
  await menu.getByRole('radio', { name: 'Dark', exact: true }).check()
  expect(await readAddress()).toBe(`${address}&theme=dark`)
  await page.goto(other.frame(address))
  const frame = framed(page)
  await expect(frame.getByRole('heading', { level: 1 })).toHaveText('Consensus compared')
  await expect(
    frame.getByRole('list', { name: 'Symbols compared' }).getByRole('listitem'),
  ).toHaveText([/^AAPL\d\.\d\d \(n=\d+\)$/, /^MSFT\d\.\d\d \(n=\d+\)$/, /^NVDA\d\.\d\d \(n=\d+\)$/])
  await expect(frame.getByText('Left out, no ratings: NOSUCH.')).toBeVisible()
  await expect(frame.getByRole('application', { name: 'Consensus compared' })).toBeVisible()
  await expect(frame.locator('form, input, button')).toHaveCount(0)
  await expect(frame.getByRole('link')).toHaveAttribute(
    'href',
    '/symbols/AAPL?range=all&vs=MSFT,NOSUCH,NVDA',
  )
})

for (const [what, query, height] of [
  ['symbol', '', 718],
  ['comparison on one axis', '?vs=MSFT,NVDA,TSLA,AMZN,GOOGL', 492],
] as const) {
  test(`an embedded ${what} fits 360 px and the height of its line`, async ({ page }) => {
    await page.setViewportSize({ width: 900, height })
    await page.goto(`/embed/symbols/AAPL${query}`)
    await expect(page.getByRole('application').or(page.getByRole('table')).first()).toBeVisible()
    const readBeyond = () =>
      page.evaluate(() => [
        document.documentElement.scrollWidth - window.innerWidth,
        document.documentElement.scrollHeight - window.innerHeight,
      ])
    for (const width of [900, 360]) {
      await page.setViewportSize({ width, height })
      await expect.poll(readBeyond, `${width} px`).toEqual([0, 0])
    }
  })
}
