import type { Page } from '@playwright/test'
import { seriesFigure } from './support/chart-figure.ts'
import { expect, test } from './support/test.ts'

const MONTHLY = '/symbols/AAPL?bucket=month'

async function openChart(page: Page, path = MONTHLY) {
  await page.goto(path)
  const figure = seriesFigure(page)
  const chart = figure.getByRole('application', { name: 'Rating and prediction over time' })
  await expect(chart).toBeVisible()
  await expect(figure.locator('[aria-busy="true"]')).toHaveCount(0)
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart has no place on the screen.')
  return { chart, box, status: chart.getByRole('status') }
}

test('keys go through the data of a chart, each is read out with its n, and Enter zooms to a range that they select', {
  tag: '@core',
}, async ({ page }) => {
  const { chart, status } = await openChart(page)
  await chart.focus()
  await page.keyboard.press('End')
  await expect(status.filter({ hasText: 'Consensus' })).toContainText(
    /consensus \d\.\d\d \(n=\d+\)/,
  )
  const newest = await status.filter({ hasText: 'Consensus' }).innerText()
  await page.keyboard.press('ArrowLeft')
  await expect(status.filter({ hasText: newest })).toHaveCount(0)
  await page.keyboard.press('ArrowRight')
  await expect(status.filter({ hasText: newest })).toHaveCount(1)
  await page.keyboard.press('Escape')
  await expect(status.filter({ hasText: 'Consensus' })).toHaveCount(0)
  await page.keyboard.press('End')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('Shift+PageUp')
  await expect(status.filter({ hasText: 'Selected' })).toContainText(
    /Selected \d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d/,
  )
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d.*to=\d{4}-\d\d-\d\d/)
})

test('dragging over a chart zooms to whole buckets, and the way back is one step; Escape gives it up', {
  tag: '@core',
}, async ({ page }) => {
  const { box } = await openChart(page)
  await test.step('given up by Escape', async () => {
    await page.mouse.move(box.x + box.width * 0.3, box.y + 120)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.5, box.y + 120, { steps: 4 })
    const note = page.getByText(/^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/).first()
    await expect(note).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(note).toBeHidden()
    await page.mouse.up()
    await expect(page).not.toHaveURL(/from=/)
  })
  await page.mouse.move(box.x + box.width * 0.3, box.y + 120)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.5, box.y + 300, { steps: 6 })
  await expect(page.getByText(/^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d$/).first()).toBeVisible()
  await expect(page).not.toHaveURL(/from=/)
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d{4}-\d\d-\d\d.*to=\d{4}-\d\d-\d\d/)
  await expect(page, 'months begin on the first').toHaveURL(/from=\d{4}-\d\d-01/)
  await page.goBack()
  await expect(page).not.toHaveURL(/from=/)
})

test('the crosshair writes its values into the panes’ titles, covers no data and moves nothing', async ({
  page,
}) => {
  const { box, chart } = await openChart(page)
  const reading = chart.locator('.pane-reading')
  await page.mouse.move(box.x + box.width * 0.5, box.y + 150)
  await expect(reading.first()).toContainText(/Consensus \d\.\d\d \(n=\d+\)/)
  await expect(reading.first()).toContainText(/Price [\d,]+\.\d\d/)
  await expect(reading).toHaveCount(3)
  for (const one of await reading.all()) {
    const title = await one.boundingBox()
    expect(title?.height).toBeLessThanOrEqual(26)
  }
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.7, box.y + 150, { steps: 4 })
  await page.mouse.up()
  await expect(page.getByRole('button', { name: 'Reset range' })).toBeVisible()
  expect((await chart.boundingBox())?.y, 'zooming does not move the chart').toBe(box.y)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('a tap shows one line that is whole', async ({ page }) => {
    const { chart } = await openChart(page)
    await chart.tap({ position: { x: 180, y: 150 } })
    const line = chart.locator('.pane-reading').first()
    await expect(line).toContainText(/Consensus \d\.\d\d \(n=\d+\)/)
    const room = await line.boundingBox()
    const right = (room?.x ?? 0) + (room?.width ?? 0)
    for (const text of ['Consensus', 'Price']) {
      const box = await line.getByText(text).boundingBox()
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(right)
      expect(box?.y).toBeLessThan((room?.y ?? 0) + 26)
    }
  })
})

test('single ratings are reached by keys and opened', async ({ page }) => {
  const newest = await page.request.get('/api/symbols/AAPL/opinion')
  const { data } = await newest.json()
  const from = new Date((data.last_created_at - 60 * 86_400) * 1000).toISOString().slice(0, 10)
  const { chart, status } = await openChart(page, `/symbols/AAPL?from=${from}`)
  await chart.focus()
  await page.keyboard.press('ArrowUp')
  await expect(status.filter({ hasText: /(Buy|Sell|Hold), / })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/ratings\/\d+/)
})

test('what a narrow chart’s titles have no room for stands in a key below it', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 })
  await openChart(page)
  const key = page.getByRole('list', { name: 'Key to the chart' })
  await expect(key).toBeHidden()
  await page.setViewportSize({ width: 360, height: 900 })
  await expect(key).toBeVisible()
  for (const label of ['Strong Buy', 'Strong Sell']) {
    await expect(key.getByRole('listitem').filter({ hasText: label })).toHaveCount(1)
  }
})

test.describe('without the script of the charts', () => {
  test.use({ allowConsole: ['net::ERR_FAILED'] })

  test('a different picture is reported as missing, the rest of the page follows, and a retry draws it', async ({
    page,
  }) => {
    await page.route('**/_next/static/chunks/*.js', async (route) => {
      const response = await route.fetch()
      const isDrawing = (await response.text()).includes('recharts-')
      await (isDrawing ? route.abort() : route.fulfill({ response }))
    })
    await page.goto(MONTHLY)
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
