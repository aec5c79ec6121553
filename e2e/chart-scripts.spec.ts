import type { Locator, Page, Route } from '@playwright/test'
import { comparisonFigure, seriesFigure } from './support/chart-figure.ts'
import { watchShifts } from './support/layout-shift.ts'
import { countPages } from './support/pdf.ts'
import { openSaveMenu, saveMenu } from './support/save-chart.ts'
import { expect, test } from './support/test.ts'

const SYMBOL = '/symbols/AAPL?bucket=month'

/** Passes requests for scripts that contain Recharts to `answer`. */
async function interceptDrawings(page: Page, answer: (route: Route) => Promise<void>) {
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    const response = await route.fetch()
    const isDrawing = (await response.text()).includes('recharts-')
    await (isDrawing ? answer(route) : route.fulfill({ response }))
  })
}

/** Returns a function that lets the drawings load. */
async function holdDrawings(page: Page): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await interceptDrawings(page, async (route) => {
    await held
    await route.continue()
  })
  return release
}

const readPaths = (part: Locator) =>
  part.locator('svg path').evaluateAll((paths) => paths.map((path) => path.getAttribute('d')))

const readPlaces = (figure: Locator) =>
  figure.locator('[data-pane], [data-pane] h3, [data-pane] path').evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top, width, height } = element.getBoundingClientRect()
      return [left, top, width, height].map(Math.round)
    }),
  )

const isDrawnAnew = (figure: Locator) =>
  expect(figure.locator('[class*="non-scaling-stroke"]')).toHaveCount(0)

test('a chart is read by keys and pointer and saved before its script has loaded, and nothing moves when it has', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1280, height: 1000 })
  const release = await holdDrawings(page)
  const readShifts = await watchShifts(page)
  await page.goto(SYMBOL)
  const figure = seriesFigure(page)
  const chart = figure.getByRole('application')
  await expect(chart).toBeVisible()
  const [paths, places] = [await readPaths(figure), await readPlaces(figure)]
  expect(paths.length).toBeGreaterThan(10)

  await figure.getByRole('button', { name: 'More for this chart' }).focus()
  await page.keyboard.press('Tab')
  await expect(chart).toBeFocused()
  await page.keyboard.press('End')
  await expect(chart.getByRole('status').first()).toContainText(/consensus \d\.\d\d \(n=\d+\)/)
  await page.keyboard.press('Escape')
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart has no place.')
  await page.mouse.move(box.x + box.width / 2, box.y + 150)
  await expect(chart.locator('.pane-reading').first()).toContainText(/Consensus \d\.\d\d/)
  await page.mouse.move(0, 0)
  expect(await readShifts()).toEqual([])
  await openSaveMenu(figure)
  const saving = page.waitForEvent('download')
  await saveMenu(page)
    .getByRole('button', { name: /^Save as SVG/ })
    .click()
  expect((await saving).suggestedFilename()).toMatch(/\.svg$/)
  await page.keyboard.press('Escape')
  expect(await readPaths(figure), 'still the server’s').toEqual(paths)

  const shifts = await readShifts()
  release()
  await isDrawnAnew(figure)
  const after = await readPlaces(figure)
  expect(after).toHaveLength(places.length)
  for (const [index, place] of places.entries()) {
    for (const [side, pixels] of place.entries()) {
      expect(Math.abs(pixels - (after[index]?.[side] ?? Number.NaN))).toBeLessThanOrEqual(2)
    }
  }
  expect(await readShifts()).toEqual(shifts)
})

test('a page is printed with its chart before the script of the charts has loaded', async ({
  page,
}) => {
  const release = await holdDrawings(page)
  await page.goto(SYMBOL)
  const figure = seriesFigure(page)
  await expect(figure.getByRole('application')).toBeVisible()
  const paths = await readPaths(figure)
  const early = countPages(await page.pdf({ format: 'A4' }))
  expect(await readPaths(figure), 'still the server’s').toEqual(paths)
  await page.emulateMedia({ media: 'print' })
  for (const mark of ['consensus', 'median']) {
    await expect(figure.locator(`path[data-mark="${mark}"]`)).toBeVisible()
  }
  await page.emulateMedia({ media: null })
  release()
  await isDrawnAnew(figure)
  expect(countPages(await page.pdf({ format: 'A4' }))).toBe(early)
})

test.describe('without the script of the charts', () => {
  test.use({ allowConsole: ['net::ERR_FAILED'] })

  test('pages show them as the server drew them', async ({ page, browser }) => {
    const [first] = (await (await page.request.get('/api/users?per_page=1')).json()).data
    const user = `/users/${first.user_id}`
    await interceptDrawings(page, async (route) => await route.abort())
    const plain = await (await browser.newContext({ javaScriptEnabled: false })).newPage()
    for (const path of [SYMBOL, '/symbols/AAPL?vs=MSFT', user, '/symbols', '/users', '/about']) {
      await page.goto(path)
      await page.waitForLoadState('networkidle')
      await plain.goto(new URL(path, page.url()).href)
      const paths = await readPaths(plain.getByRole('main'))
      expect(await readPaths(page.getByRole('main')), path).toEqual(paths)
      expect(paths.length, path).toBeGreaterThan(2)
      await expect(page.getByRole('main').getByRole('alert'), path).toHaveCount(0)
    }
    await plain.context().close()
  })

  test('a different picture is reported as missing, the rest of the page follows, and a retry draws it', async ({
    page,
  }) => {
    await interceptDrawings(page, async (route) => await route.abort())
    await page.goto(SYMBOL)
    const figure = seriesFigure(page)
    await figure.getByRole('radio', { name: 'All', exact: true }).check()
    await expect(page).toHaveURL(/range=all/)
    await expect(figure.getByRole('alert')).toContainText('The chart could not be loaded')
    await expect(figure.getByRole('application')).toBeVisible()
    await page.unrouteAll({ behavior: 'wait' })
    await figure.getByRole('button', { name: 'Try again' }).click()
    await expect(figure.getByRole('alert')).toHaveCount(0)
    await expect(figure.locator('path[data-mark="consensus"]')).toBeVisible()
  })
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('the first tap on a comparison reads it before its script has loaded', async ({ page }) => {
    const release = await holdDrawings(page)
    await page.goto('/symbols/AAPL?vs=MSFT')
    const chart = comparisonFigure(page, 'AAPL', 'MSFT').getByRole('application')
    await chart.scrollIntoViewIfNeeded()
    await chart.tap({ position: { x: 180, y: 120 } })
    await expect(chart.locator('.pane-reading').first()).toContainText(/AAPL \d\.\d\d/)
    release()
    await isDrawnAnew(comparisonFigure(page, 'AAPL', 'MSFT'))
  })
})
