import type { Browser, Page } from '@playwright/test'
import { expect, test } from './support/test.ts'

const PATHS = ['/symbols/AAPL?bucket=month', '/embed/symbols/AAPL?bucket=month'] as const
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

/** Where panes, titles, and the ends of the lines stand, to the pixel. */
const readPlaces = (page: Page) =>
  figure(page).evaluate((element) => {
    const marks = '[data-pane], h3, path[data-mark="consensus"], path[data-mark="median"]'
    return [...element.querySelectorAll(marks)].map((one) => {
      const { left, top, width, height } = one.getBoundingClientRect()
      return [left, top, width, height].map(Math.round)
    })
  })

for (const path of PATHS) {
  for (const width of WIDTHS) {
    test(`${path} shows its chart without any script, ${width} pixels wide, and nothing that does not work`, async ({
      browser,
    }) => {
      const { page, close } = await openPlain(browser, path, width)
      for (const title of [/^Consensus/, /^Prediction/, /^Active ratings by label/]) {
        await expect(figure(page).getByRole('heading', { name: title, level: 3 })).toBeVisible()
      }
      for (const mark of ['consensus', 'band', 'median', 'bars']) {
        const drawn = figure(page).locator(`path[data-mark="${mark}"]`).first()
        await expect(drawn).toHaveAttribute('d', /^[Mm][\d.]+/)
      }
      await expect(chart(page)).toHaveCount(0)
      await expect(page.getByText('JavaScript')).toHaveCount(0)
      await expectTextsApart(page)
      await close()
    })
  }
}

/** The texts of the time axis that are seen: within the figure, and none over another. */
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
    await page.addInitScript(() => {
      let shift = 0
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) shift += Reflect.get(entry, 'value')
      }).observe({ type: 'layout-shift', buffered: true })
      Reflect.set(window, 'readShift', () => shift)
    })
    await page.goto(path)
    await expect(chart(page)).toBeVisible()
    const taken = await readPlaces(page)
    expect(await page.evaluate(() => Reflect.get(window, 'readShift')())).toBe(0)
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
