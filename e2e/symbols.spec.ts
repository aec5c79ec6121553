import type { Page } from '@playwright/test'
import { seriesFigure, seriesName } from './support/chart-figure.ts'
import { openSaveMenu } from './support/save-chart.ts'
import { expect, expectNoAxeViolations, test } from './support/test.ts'

test('a reader goes from the table to a symbol and reads its chart', async ({ page }) => {
  await page.goto('/?symbol=AAPL')
  await page
    .getByRole('table', { name: 'Ratings' })
    .getByRole('link', { name: 'AAPL' })
    .first()
    .click()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)
  await expect(page.getByRole('heading', { level: 1, name: 'AAPL' })).toBeVisible()
  const figure = seriesFigure(page)
  await expect(figure).toBeVisible()
  await expect(figure.getByRole('application').first()).toBeVisible()
})

const FIGURE = seriesName('AAPL')

test('the chart and its table say the same as the API', { tag: '@core' }, async ({ page }) => {
  await page.goto('/symbols/AAPL?bucket=month&range=all')
  const { data } = await (await page.request.get('/api/symbols/AAPL/series?bucket=month')).json()
  const figure = seriesFigure(page)
  await expect(figure, 'a value at a month’s end is not dated by its first day').toContainText(
    /Consensus moved from \d\.\d\d \(n=\d+\) in \d{4}-\d\d to \d\.\d\d \(n=\d+\) now; it was lowest/,
  )
  await page.getByRole('button', { name: 'Show as table' }).click()
  await expect(page).toHaveURL(/view=table/)
  const twin = page.getByRole('table', { name: FIGURE })
  await expect(twin.getByRole('columnheader').first()).toHaveText('At the end of')
  await expect(twin.getByRole('row')).toHaveCount(data.points.length + 1)
  const last = data.points.at(-1)
  const month = new Date(last.t * 1000).toISOString().slice(0, 7)
  const row = twin.getByRole('row').filter({ hasText: month })
  await expect(row.getByRole('rowheader')).toHaveText(`${month}, now`)
  await expect(row.getByRole('cell')).toContainText([
    String(last.posted),
    Number(last.active).toLocaleString('en-US'),
    Number(last.consensus).toFixed(2).slice(0, 3),
  ])
  // One column is for prices.
  await expect(row.getByRole('cell')).toHaveCount(8 + 1 + 5)
})

test('the headline says what, over how many', async ({ page }) => {
  const { data } = await (await page.request.get('/api/symbols/AAPL/opinion')).json()
  await page.goto('/symbols/AAPL')
  const of = (term: string) =>
    page.getByRole('term').filter({ hasText: term }).locator('xpath=following-sibling::dd')
  await expect(of('Consensus')).toContainText(`of ${data.active.toLocaleString('en-US')} active`)
  await expect(of('90 days')).toContainText(/was \d\.\d\d, \d\.\d\d, \d\.\d\d/)
  await expect(of('Prediction, median')).toContainText(/middle half .+ to /)
  const about = page.getByRole('button', { name: 'About consensus' })
  await about.focus()
  await page.keyboard.press('Enter')
  const note = page.getByRole('dialog', { name: 'About consensus' })
  await expect(note).toContainText('The mean of the active ratings')
  await page.keyboard.press('Escape')
  await expect(note).toBeHidden()
  await expect(about).toBeFocused()
})

test('why it moved opens on the headline’s 90 days, and other spans stand in the address', async ({
  page,
}) => {
  await page.goto('/symbols/AAPL')
  const panel = page.getByRole('region', { name: 'Why it moved' })
  await expect(panel.getByRole('radio', { name: '90 days' })).toBeChecked()
  const whole = panel.getByRole('row', { name: /All of it/ })
  const { data } = await (await page.request.get('/api/symbols/AAPL/opinion')).json()
  await expect(whole).toContainText(Math.abs(Number(data.moves.change)).toFixed(2))
  await panel.getByRole('radio', { name: '7 days' }).check()
  await expect(page).toHaveURL(/\?why=7$/)
  const from = new Date((data.moves.to - 7 * 86_400) * 1000)
  await expect(panel).toContainText(`on ${from.getUTCDate()} `)
  await panel.getByRole('radio', { name: 'Chart’s range' }).check()
  await expect(page).toHaveURL(/\?why=range$/)
  const latest = page.getByRole('heading', { name: /^Latest ratings since \d+ [A-Z][a-z]+ \d{4}$/ })
  await expect(latest).toBeVisible()
})

test('a range and a bucket stand in the address, and the table below follows', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/symbols/AAPL')
  await expect(page.getByRole('radio', { name: '3Y' })).toBeChecked()
  await page.getByRole('radio', { name: '1Y' }).check()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}/)
  const from = new URL(page.url()).searchParams.get('from')
  const asked = `/api/ratings?symbol=AAPL&from=${from}`
  const total = (await (await page.request.get(asked)).json()).page.total
  const all = page.getByRole('link', {
    name: `All ${total.toLocaleString('en-US')} ratings in this range`,
  })
  await expect(all).toHaveAttribute('href', `/?symbol=AAPL&from=${from}`)
  const said = `${total.toLocaleString('en-US')} ratings were posted in this range.`
  await expect(seriesFigure(page), 'text and button count the same').toContainText(said)
  await page.reload()
  await expect(page.getByRole('radio', { name: '1Y' })).toBeChecked()
  await page.goBack()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)
})

test('a range of one’s own can be widened and given up', async ({ page }) => {
  await page.goto('/symbols/AAPL?from=2024-03-01&to=2024-03-31')
  await expect(page.getByText('1 Mar 2024 to 30 Mar 2024').first()).toBeVisible()
  await page.getByRole('button', { name: 'Zoom out' }).click()
  await expect(page).toHaveURL(/from=2024-02-15&to=2024-04-15$/)
  await page.getByRole('button', { name: 'Reset range' }).click()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)
})

test('dragging over the chart writes the dates of what was dragged over', async ({ page }) => {
  await page.goto('/symbols/AAPL?bucket=month')
  const chart = seriesFigure(page).getByRole('application').first()
  await expect(chart).toBeVisible()
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart has no place.')
  const y = box.y + Math.min(120, box.height / 2)
  await page.mouse.move(box.x + box.width * 0.5, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 4 })
  await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}&to=\d{4}-\d{2}-\d{2}$/)
  await expect(page.getByRole('button', { name: 'Reset range' })).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/\?bucket=month$/)
})

test('what the side panel counts is a link to those ratings', async ({ page }) => {
  await page.goto('/symbols/AAPL')
  const { data } = await (await page.request.get('/api/symbols/AAPL/opinion')).json()
  const panel = page.getByRole('complementary', { name: 'Opinion' })
  const expiring = panel
    .getByRole('table', { name: 'If nothing is renewed' })
    .getByRole('link', { name: /expire/ })
  const href = (await expiring.last().getAttribute('href')) ?? ''
  const rows = await (await page.request.get(`/api/ratings${href.slice(1)}`)).json()
  // `lapsing` counts whole days.
  expect(rows.page.total).toBeGreaterThanOrEqual(data.cliff.at(-1).lapsing)
  expect(rows.page.total).toBeLessThanOrEqual(data.active)
  const changes = panel.getByRole('region', { name: 'Latest changes' }).getByRole('listitem')
  await expect(changes.first()).toContainText(/^#\d+\s*\d{4}-\d\d-\d\d/)
  await changes.first().getByRole('link').last().click()
  await expect(page).toHaveURL(/\/ratings\/\d+$/)
})

test.describe('a part of the page that fails', () => {
  test.use({ allowConsole: ['503'] })
  const busy = { success: false, code: 503, error: { type: 'unavailable', message: 'Busy.' } }

  test('takes nothing else with it, says so, and comes back on request', async ({ page }) => {
    await page.goto('/symbols/AAPL?asof=2024-08-02')
    await expect(page.getByText('2024-08-02').first()).toBeVisible()
    let isFailing = true
    await page.route('**/api/symbols/AAPL/opinion*', (route) =>
      isFailing ? route.fulfill({ status: 503, json: busy }) : route.continue(),
    )
    await page
      .getByRole('main')
      .getByRole('button', { name: /^As of/ })
      .click()
    await page.getByLabel(/^Day/).fill('2024-08-01')
    await page.getByLabel(/^Day/).press('Enter')
    await expect(page).toHaveURL(/asof=2024-08-01/)
    await expect(page.getByText('The opinion on AAPL could not be loaded')).toBeVisible()
    const figure = seriesFigure(page)
    await expect(figure.getByRole('application').first()).toBeVisible()
    await expect(page.getByRole('table', { name: 'Latest ratings of AAPL' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Compare' })).toBeVisible()
    isFailing = false
    await page.getByRole('button', { name: 'Try again' }).first().click()
    await expect(page.getByText('The opinion on AAPL could not be loaded')).toBeHidden()
  })

  test('the series fails alone: headline, lists and controls stand', async ({ page }) => {
    await page.goto('/symbols/AAPL')
    await page.route('**/api/symbols/AAPL/series*', (route) =>
      route.fulfill({ status: 503, json: busy }),
    )
    const figure = seriesFigure(page)
    await figure.getByLabel('Bucket').selectOption('week')
    await expect(figure.getByText('The series could not be loaded')).toBeVisible()
    await expect(page.getByRole('term').filter({ hasText: 'Consensus' })).toBeVisible()
    await expect(page.getByRole('complementary', { name: 'Opinion' })).toBeVisible()
    await figure.getByLabel('Bucket').selectOption('auto')
    await expect(figure.getByRole('application').first()).toBeVisible()
  })
})

test('another symbol is found and compared, at most five of them', async ({ page }) => {
  await page.goto('/symbols/AAPL')
  await page.getByRole('button', { name: 'Compare' }).click()
  const field = page.getByRole('combobox', { name: 'Compare with' })
  await expect(field).toBeFocused()
  await field.fill('msft')
  await expect(page.getByRole('option', { name: /MSFT/ })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/vs=MSFT$/)
  await expect(page.getByRole('button', { name: 'Compare' })).toBeFocused()
  await page.goto('/symbols/AAPL?vs=MSFT,MSFT,AAPL')
  const notice = page.getByRole('status').filter({ hasText: 'Part of the address was ignored' })
  await expect(notice).toContainText('names the symbol of this page')
  await expect(notice).toContainText('names a symbol twice')
  await notice.getByRole('link', { name: 'Remove the ignored part' }).click()
  await expect(page).toHaveURL(/\?vs=MSFT$/)
})

test.describe('a symbol looked at from another day', () => {
  test('before its first rating the page says when that came, and leads there', async ({
    page,
  }) => {
    const response = await page.goto('/symbols/AAPL?asof=2001-01-01')
    expect(response?.status()).toBe(200)
    await expect(page.getByText('AAPL had no ratings by 2001-01-01')).toBeVisible()
    await page.getByRole('link', { name: /^As of \d{4}-/ }).click()
    await expect(page).toHaveURL(/asof=\d{4}-\d{2}-\d{2}/)
    await expect(seriesFigure(page)).toBeVisible()
    await expect(page.getByText('1 rating by 1 user')).toBeVisible()
  })

  test('all of it is as it stood then', async ({ page }) => {
    const { data } = await (
      await page.request.get('/api/symbols/AAPL/opinion?asof=2024-06-30')
    ).json()
    await page.goto('/symbols/AAPL?asof=2024-06-30')
    await expect(page.getByText(`of ${data.active} active`)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Ratings of AAPL', exact: true })).toHaveAttribute(
      'href',
      '/?symbol=AAPL&asof=2024-06-30',
    )
    const panel = page.getByRole('complementary', { name: 'Opinion' })
    await expect(panel.getByText(`2024-06-30, ${data.active} active`)).toBeVisible()
  })

  test('in the far future every rating has ended, and the past still stands', async ({ page }) => {
    await page.goto('/symbols/AAPL?asof=2090-01-01')
    await expect(page.getByText('If none is renewed, no rating is left')).toBeVisible()
    await expect(page.getByRole('link', { name: /^Show ended \([\d,]+\)$/ })).toHaveAttribute(
      'href',
      '/?symbol=AAPL&state=expired&asof=2090-01-01',
    )
    await expect(seriesFigure(page)).toBeVisible()
  })

  test('a range that nothing lies in says so, and leads back', async ({ page }) => {
    await page.goto('/symbols/AAPL?from=1990-01-01&to=1991-01-01')
    await expect(page.getByText('No rating was posted or active in this range')).toBeVisible()
    await expect(page.getByText('No rating was posted in this range.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all time' }).click()
    await expect(page).toHaveURL(/\/symbols\/AAPL\?range=all$/)
  })
})

test('case does not count in a symbol', async ({ page }) => {
  await page.goto('/symbols/aapl')
  await expect(page.getByRole('heading', { level: 1, name: 'AAPL' })).toBeVisible()
})

test('the league table sorts and finds', { tag: '@core' }, async ({ page }) => {
  await page.goto('/symbols')
  const table = page.getByRole('table', { name: 'Symbols' })
  await expect(table.getByRole('link', { name: 'AAPL' })).toBeVisible()
  await table
    .getByRole('columnheader', { name: /Consensus/ })
    .getByRole('button')
    .or(table.getByRole('columnheader', { name: /Consensus/ }).getByRole('link'))
    .first()
    .click()
  await expect(page).toHaveURL(/sort=-?consensus/)
  await page
    .getByRole('searchbox')
    .or(page.getByRole('textbox', { name: /symbol/i }))
    .first()
    .fill('NVD')
  await expect(page).toHaveURL(/q=NVD/)
  await expect(table.getByRole('link', { name: 'NVDA' })).toBeVisible()
})

test('users have a table and a page', async ({ page }) => {
  await page.goto('/users')
  const first = page
    .getByRole('table', { name: 'Users' })
    .getByRole('cell')
    .getByRole('link')
    .first()
  const id = (await first.innerText()).replace(/\D/g, '')
  await first.click()
  await expect(page).toHaveURL(new RegExp(`/users/${id}$`))
  await expect(page.getByRole('heading', { level: 1 })).toContainText(id)
})

async function searchSymbols(page: Page, text: string) {
  const search = page.getByRole('main').getByRole('search')
  await search.getByRole('textbox', { name: 'Search symbols' }).fill(text)
  await search.getByRole('button', { name: 'Search' }).click()
  await expect(page).toHaveURL(`/symbols?q=${text}`)
}

test.describe('what nobody rated, and who never rated', () => {
  test.use({ allowConsole: ['404'] })

  test('an unknown symbol is a page that says so, with 404', { tag: '@core' }, async ({ page }) => {
    const response = await page.goto('/symbols/NOSUCH')
    expect(response?.status()).toBe(404)
    await expect(page.getByText(/NOSUCH/).first()).toBeVisible()
    await searchSymbols(page, 'MSF')
  })

  test('an address that leads nowhere offers symbols that are spelled so, and a search', async ({
    page,
  }) => {
    const response = await page.goto('/aapl')
    expect(response?.status()).toBe(404)
    const near = page.getByRole('navigation', { name: 'Did you mean' })
    await expect(near.getByRole('link', { name: /^AAPL/ })).toHaveAttribute('href', '/symbols/AAPL')
    await searchSymbols(page, 'MSF')
  })

  test('what can be no symbol’s name is unknown too, and no failure', async ({ page }) => {
    for (const name of ['%20', '%00', 'X'.repeat(300)]) {
      for (const path of [`/symbols/${name}`, `/embed/symbols/${name}`]) {
        expect((await page.goto(path))?.status(), path).toBe(404)
        await expect(page.getByText('could not be loaded')).toHaveCount(0)
      }
    }
    await page.goto('/symbols/%20')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('No symbol is named')
  })

  test('an unknown address is a page that says so, with 404', async ({ page }) => {
    const response = await page.goto('/nowhere')
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('link', { name: /ratings/i }).first()).toBeVisible()
  })
})

test('the map of symbols is read by mouse and keyboard, colored by change, and saved', async ({
  page,
}) => {
  await page.goto('/symbols')
  await page.getByRole('navigation', { name: 'Symbols' }).getByRole('link', { name: 'Map' }).click()
  await expect(page).toHaveURL('/symbols?view=map')
  const figure = page.getByRole('figure', { name: 'Map of symbols by consensus' })
  const { data } = await (await page.request.get('/api/map')).json()
  const cells = figure.getByRole('link')
  await expect(cells).toHaveCount(data.length)
  await expect(figure.getByText('Technology')).toBeVisible()
  const aapl = figure.getByRole('link', { name: /^AAPL, Amber Acorn Software: consensus/ })
  await aapl.hover()
  await expect(
    figure.getByText(/^AAPL, Amber Acorn Software: consensus .* active ratings$/),
  ).toBeVisible()
  await expectNoAxeViolations(page)

  await figure.getByRole('radio', { name: 'Its change' }).check()
  await page.getByRole('radio', { name: '90', exact: true }).check()
  await expect(page).toHaveURL('/symbols?view=map&color=change&days=90')
  const changed = page.getByRole('figure', { name: 'Map of symbols by change in 90 days' })
  const menu = await openSaveMenu(changed)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    menu.getByRole('button', { name: /^Save as CSV/ }).click(),
  ])
  expect(download.suggestedFilename()).toMatch(/^bellwether_map_change_90d_.*demo.*\.csv$/)
  await page.keyboard.press('Escape')

  await changed.locator('[data-cell][tabindex="0"]').focus()
  await expect(changed.locator('[data-cell]:focus')).toHaveAccessibleName(/^AAPL/)
  await page.keyboard.press('ArrowRight')
  const next = changed.locator('[data-cell]:focus')
  await expect(next).not.toHaveAccessibleName(/^AAPL/)
  const [symbol = ''] = ((await next.getAttribute('aria-label')) ?? '').split(',')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/symbols/${symbol}`)

  await page.goto('/symbols?view=map&show=table')
  const table = page.getByRole('table', { name: 'Map of symbols by consensus' })
  await expect(table.getByRole('row')).toHaveCount(data.length + 1)
  await expect(table.getByRole('row').nth(1)).toContainText('Technology')
  await expectNoAxeViolations(page)
})
