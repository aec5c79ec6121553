import type { Browser, Page } from '@playwright/test'
import { watchShifts } from './support/layout-shift.ts'
import { expect, test } from './support/test.ts'

const PATHS = ['/symbols/AAPL?bucket=month', '/embed/symbols/AAPL?from=2023-01-01'] as const
const WIDTHS = [360, 1440] as const

const figure = (page: Page) =>
  page.getByRole('figure', { name: /^Rating and prediction over time/ })
const chart = (page: Page) => figure(page).getByRole('application')

async function openPlain(browser: Browser, path: string, width: number) {
  const context = await browser.newContext({
    javaScriptEnabled: false,
    viewport: { width, height: 900 },
  })
  const page = await context.newPage()
  await page.goto(`${new URL(test.info().project.use.baseURL ?? '').origin}${path}`)
  return { page, close: async () => await context.close() }
}

const readPlaces = (page: Page) =>
  figure(page).evaluate((element) => {
    const marks = '[data-pane], h3, path[data-mark="consensus"], path[data-mark="median"]'
    return [...element.querySelectorAll(marks)].map((one) => {
      const { left, top, width, height } = one.getBoundingClientRect()
      return [left, top, width, height].map(Math.round)
    })
  })

for (const path of PATHS) {
  test(`${path} shows its chart without any script, narrow and wide, and nothing that does not work`, async ({
    browser,
  }) => {
    const { page, close } = await openPlain(browser, path, WIDTHS[0])
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 })
      for (const title of [/^Consensus/, /^Prediction/, /^Share by label/]) {
        await expect(figure(page).getByRole('heading', { name: title, level: 3 })).toBeVisible()
      }
      for (const mark of ['consensus', 'band', 'median', 'bars']) {
        const drawn = figure(page).locator(`path[data-mark="${mark}"]`).first()
        await expect(drawn).toHaveAttribute('d', /^[Mm][\d.]+/)
      }
      await expect(chart(page)).toHaveCount(0)
      await expect(page.getByText('JavaScript')).toHaveCount(0)
      await expectTextsApart(page)
    }
    await close()
  })
}

async function expectTextsApart(page: Page) {
  const sides = await figure(page).evaluate((element) =>
    [
      ...element.querySelectorAll(
        '[data-pane="trend"] g[text-anchor="middle"][font-size="11"] text',
      ),
    ]
      .map((text) => text.getBoundingClientRect())
      .filter(({ width }) => width > 0)
      .map(({ left, right }) => ({ left, right }))
      .sort((a, b) => a.left - b.left),
  )
  expect(sides.length).toBeGreaterThanOrEqual(2)
  for (const [index, { right }] of sides.entries()) {
    expect(right).toBeLessThanOrEqual(sides[index + 1]?.left ?? page.viewportSize()?.width ?? 0)
  }
}

for (const width of WIDTHS) {
  test(`nothing of a chart moves where it is taken over, ${width} pixels wide`, async ({
    page,
    browser,
  }) => {
    const path = PATHS[0]
    await page.setViewportSize({ width, height: 900 })
    await page.context().clearCookies()
    const readShifts = await watchShifts(page)
    await page.goto(path)
    await expect(chart(page)).toBeVisible()
    await expect(figure(page).locator('[class*="non-scaling-stroke"]')).toHaveCount(0)
    const taken = await readPlaces(page)
    expect(await readShifts()).toEqual([])
    const plain = await openPlain(browser, path, width)
    const first = await readPlaces(plain.page)
    await plain.close()
    expect(first).toHaveLength(taken.length)
    for (const [index, place] of first.entries()) {
      for (const [side, pixels] of place.entries()) {
        expect(Math.abs(pixels - (taken[index]?.[side] ?? Number.NaN))).toBeLessThanOrEqual(1)
      }
    }
  })
}

/** Bytes per second. */
const SLOW_LINE = 40 * 1024

test.describe('over a slow line, on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, allowConsole: ['net::ERR_FAILED'] })

  test('nothing of the status gives way to what comes later', async ({ page }) => {
    await page.route(/\.woff2$/, (route) => route.abort())
    const session = await page.context().newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: 50,
      downloadThroughput: SLOW_LINE,
      uploadThroughput: SLOW_LINE,
    })
    const readShifts = await watchShifts(page)
    await page.goto('/status')
    await expect(page.getByRole('contentinfo')).toBeAttached()
    const all = (await readShifts()).reduce((sum, { value }) => sum + value, 0)
    expect(all).toBeLessThan(0.01)
  })

  test.describe('of which the first part has come', () => {
    test.use({ javaScriptEnabled: false })

    test('a row of figures waits for the last of them, which decides how wide the others are', async ({
      page,
    }) => {
      const path = '/symbols/AAPL'
      const whole = await (await page.request.get(path)).text()
      const last = whole.indexOf('data-last="', whole.indexOf('<main'))
      const first = whole.slice(0, whole.lastIndexOf('<div', last))
      const terms = page.getByRole('main').getByRole('term')
      await page.route(`**${path}`, (route) =>
        route.fulfill({ body: first, contentType: 'text/html' }),
      )
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await expect(terms).toHaveCount(0)
      await page.unroute(`**${path}`)
      await page.goto(path)
      await expect(terms.last()).toBeVisible()
    })
  })
})

test.describe('on a phone', () => {
  test.use({ viewport: { width: 390, height: 844 }, javaScriptEnabled: false })

  for (const path of ['/', '/symbols', '/symbols/AAPL', '/users', '/changes', '/downloads']) {
    test(`every sign of ${path} is in the page's own fonts`, async ({ page, browserName }) => {
      test.skip(browserName !== 'chromium', 'only Chromium says which fonts it used')
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      const session = await page.context().newCDPSession(page)
      await session.send('DOM.enable')
      await session.send('CSS.enable')
      const { nodes } = await session.send('DOM.getFlattenedDocument', { depth: -1 })
      const elsewhere = new Set<string>()
      for (const { nodeId, nodeType, pseudoType, nodeName } of nodes) {
        if (nodeType !== 1 && pseudoType === undefined) continue
        const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
        for (const { isCustomFont, familyName } of fonts)
          if (!isCustomFont) elsewhere.add(`${nodeName}: ${familyName}`)
      }
      expect([...elsewhere]).toEqual([])
    })
  }
})

test('no part of a page is hidden until a script shows it', async ({ request }) => {
  for (const path of ['/', '/symbols', '/symbols/AAPL', '/users', '/downloads', '/status']) {
    const html = await (await request.get(path)).text()
    expect(html.match(/<div hidden(="")? id="S:/g), path).toBeNull()
  }
})
