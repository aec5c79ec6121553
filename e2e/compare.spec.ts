import { comparisonFigure, comparisonName, seriesFigure } from './support/chart-figure.ts'
import { expect, test } from './support/test.ts'

test('symbols are set beside a page’s own, switched off and taken away, and the address holds it', async ({
  page,
}) => {
  await page.goto('/symbols/AAPL')
  for (const symbol of ['MSFT', 'NVDA']) {
    await page.getByRole('button', { name: 'Compare', exact: true }).click()
    await page.getByRole('combobox', { name: 'Compare with' }).fill(symbol)
    await page.getByRole('option', { name: new RegExp(`^${symbol}`) }).click()
  }
  await expect(page).toHaveURL(/vs=MSFT,NVDA$/)
  const figure = comparisonFigure(page, 'AAPL', 'MSFT', 'NVDA')
  await expect(figure.getByRole('application', { name: 'Consensus compared' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('AAPL, MSFT and NVDA')
  await expect(page).toHaveTitle('AAPL, MSFT and NVDA · Bellwether')
  await expect(seriesFigure(page), 'the page is about all of them').toHaveCount(0)
  const lines = figure.locator('[data-mark="compared"]')
  await expect(lines).toHaveCount(3)
  const toggle = figure.getByRole('button', { name: /^MSFT/ })
  await expect(toggle).toHaveAttribute('aria-pressed', 'true')
  await expect(toggle).toHaveText(/^MSFT\d\.\d\d \(n=\d+\)$/)
  await toggle.click()
  await expect(toggle).toHaveAttribute('aria-pressed', 'false')
  await expect(page).toHaveURL(/hide=MSFT/)
  await expect(lines).toHaveCount(2)
  await page.reload()
  await expect(lines).toHaveCount(2)
  await figure.getByRole('button', { name: 'Remove MSFT' }).click()
  await expect(page).toHaveURL(/\/symbols\/AAPL\?vs=NVDA$/)
  await expect(comparisonFigure(page, 'AAPL', 'NVDA')).toBeVisible()
})

test('the comparison says in words, in its table and to the keys what the API says', {
  tag: '@core',
}, async ({ page }) => {
  const series = (await (await page.request.get('/api/symbols/AAPL/series?bucket=month')).json())
    .data
  const from = new Date(series.points.at(-12).t * 1000).toISOString().slice(0, 10)
  const asked = `bucket=month&from=${from}`
  const { data } = await (await page.request.get(`/api/compare?symbol=AAPL,MSFT&${asked}`)).json()
  await page.goto(`/symbols/AAPL?vs=MSFT&${asked}`)
  const figure = comparisonFigure(page, 'AAPL', 'MSFT')
  const chart = figure.getByRole('application', { name: 'Consensus compared' })
  await chart.focus()
  await page.keyboard.press('End')
  const month = new Date(data.symbols[0].points.at(-1).t * 1000).toISOString().slice(0, 7)
  const said = data.symbols.map((one: { points: { active: number; consensus: string }[] }) => {
    const { active = 0 } = one.points.at(-1) ?? {}
    return `(n=${active.toLocaleString('en-US')})`
  })
  await expect(chart.getByRole('status').first()).toContainText(
    new RegExp(`${month}, now. Consensus: aapl \\d\\.\\d\\d`),
  )
  await expect(chart.getByRole('status').first()).toContainText(said[1])
  await expect(figure).toContainText(/Consensus by month\. AAPL: from .+ in \d{4}-\d\d to .+ now\./)
  await figure.getByRole('button', { name: 'Show as table' }).click()
  const table = page.getByRole('table', { name: comparisonName('AAPL', 'MSFT') })
  await expect(table.getByRole('row')).toHaveCount(data.symbols[0].points.length + 1)
  const figures = page.getByRole('table', { name: 'Figures side by side' })
  for (const [index, symbol] of ['AAPL', 'MSFT'].entries()) {
    const { data: now } = await (await page.request.get(`/api/symbols/${symbol}/opinion`)).json()
    const cellOf = (name: string) =>
      figures
        .getByRole('row', { name: new RegExp(`^${name}`) })
        .getByRole('cell')
        .nth(index)
    await expect(cellOf('Active, n')).toHaveText(now.active.toLocaleString('en-US'))
    await expect(cellOf('Consensus, 1–5')).toHaveText(Number(now.consensus).toFixed(2))
    await expect(cellOf('Expire in 30 days')).toHaveText(
      now.cliff[1].lapsing.toLocaleString('en-US'),
    )
    await expect(cellOf('Prediction, median')).toContainText('%')
  }
  const newest = table.getByRole('row').nth(1)
  await expect(newest.getByRole('rowheader')).toHaveText(`${month}, now`)
  await expect(newest.getByRole('cell').first()).toContainText(said[0])
  await expect(newest.getByRole('cell').last()).toContainText(said[1])
})

test('starts where all have ratings', async ({ page }) => {
  await page.goto('/symbols/AAPL?range=all&vs=MSFT,NVDA')
  const figure = comparisonFigure(page, 'AAPL', 'MSFT', 'NVDA')
  await figure.getByRole('button', { name: 'Start where all have ratings' }).click()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-\d{2}/)
  await expect(figure.getByRole('button', { name: 'Start where all have ratings' })).toBeHidden()
})

test('what cannot be compared is said, and the rest is shown', async ({ page }) => {
  await page.goto('/symbols/AAPL?vs=MSFT,NOSUCH,MSFT,AAPL')
  const figure = comparisonFigure(page, 'AAPL', 'MSFT')
  await expect(figure).toContainText('NOSUCH has no ratings and is left out')
  await expect(figure.getByRole('link', { name: 'Search symbols for NOSUCH' })).toHaveAttribute(
    'href',
    '/symbols?q=NOSUCH',
  )
  await expect(figure.locator('[data-mark="compared"]')).toHaveCount(2)
  await figure.getByRole('button', { name: 'Remove NOSUCH' }).click()
  await expect(figure.getByText('NOSUCH')).toHaveCount(0)
  for (const symbol of ['AAPL', 'MSFT']) {
    await figure.getByRole('button', { name: new RegExp(`^${symbol}`) }).click()
  }
  await expect(figure).toContainText('All symbols are switched off')
  await figure.getByRole('button', { name: 'Show all symbols' }).click()
  await expect(figure.locator('[data-mark="compared"]')).toHaveCount(2)
})

test('dragging over the comparison zooms it to that range', async ({ page }) => {
  await page.goto('/symbols/AAPL?vs=MSFT&bucket=month')
  const figure = comparisonFigure(page, 'AAPL', 'MSFT')
  const chart = figure.getByRole('application', { name: 'Consensus compared' })
  await chart.scrollIntoViewIfNeeded()
  const box = await chart.boundingBox()
  if (!box) throw new Error('The chart has no place.')
  const y = box.y + 80
  await page.mouse.move(box.x + box.width * 0.5, y)
  await page.mouse.down()
  await page.mouse.move(box.x + box.width * 0.6, y, { steps: 5 })
  await page.mouse.move(box.x + box.width * 0.7, y, { steps: 5 })
  await page.mouse.up()
  await expect(page).toHaveURL(/from=\d{4}-\d{2}-01&to=\d{4}-\d{2}-01/)
  await expect(figure.getByRole('button', { name: /^MSFT/ })).toBeVisible()
  await figure.getByRole('button', { name: 'Reset range' }).click()
  await expect(figure.getByRole('button', { name: 'Reset range' })).toBeHidden()
  await figure.getByRole('radio', { name: 'All', exact: true }).check()
  await expect(page).toHaveURL(/\/symbols\/AAPL\?bucket=month&range=all&vs=MSFT$/)
})
