import { seriesFigure } from './support/chart-figure.ts'
import { countPages } from './support/pdf.ts'
import { expect, test } from './support/test.ts'

/** Printable area in CSS px. */
const PAPERS = { A4: { width: 703, height: 1039 }, Letter: { width: 725, height: 973 } } as const

test('a symbol is printed on one page, its chart whole, in the light', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto('/symbols/AAPL')
  await expect(seriesFigure(page).getByRole('application').first()).toBeVisible()
  for (const format of ['A4', 'Letter'] as const) {
    const pdf = await page.pdf({ format, preferCSSPageSize: false })
    expect(countPages(pdf), format).toBe(1)
  }
  await page.setViewportSize(PAPERS.A4)
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  await expect(
    page.getByText(/^Printed \d{4}-\d\d-\d\d \d\d:\d\d UTC from http.*\/symbols\/AAPL$/),
  ).toBeVisible()
  await expect(page.getByRole('button', { name: 'More for this chart' })).toBeHidden()
  await expect(page.getByRole('navigation', { name: 'Main' })).toBeHidden()
  const marks = page.locator('[data-mark="consensus"], [data-mark="bars"], [data-mark="median"]')
  for (const mark of await marks.all()) {
    const box = await mark.boundingBox()
    expect(box && box.x + box.width).toBeLessThanOrEqual(PAPERS.A4.width + 1)
  }
  await expect(
    page.getByRole('table', { name: /^Latest ratings of AAPL/ }).getByRole('row'),
  ).not.toHaveCount(1)
  const ground = await page.evaluate(
    () => getComputedStyle(document.documentElement).backgroundColor,
  )
  expect(ground).toBe('rgb(255, 255, 255)')
})

test('the table is printed with all its rows and columns', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 720 })
  await page.goto('/?per_page=250')
  const table = page.getByRole('table', { name: 'Ratings' })
  const rows = table.locator('tr[data-rating]')
  await expect.poll(() => rows.count(), 'only the rows in sight are drawn').toBeLessThan(250)
  await page.emulateMedia({ media: 'print' })
  await expect(rows).toHaveCount(250)
  await page.setViewportSize(PAPERS.A4)
  const last = await rows.last().boundingBox()
  const foot = await page.getByText(/^Printed /).boundingBox()
  expect(foot && last && foot.y >= last.y + last.height, 'nothing is cut off').toBe(true)
  const { page: info } = await (await page.request.get('/api/ratings')).json()
  const range = page.getByText(`Rows 1–250 of ${info.total.toLocaleString('en-US')}`)
  await expect(range, 'the heading counts every rating').toBeVisible()
  const cell = await rows.last().getByRole('cell').last().boundingBox()
  expect(cell && cell.x + cell.width).toBeLessThanOrEqual(PAPERS.A4.width + 1)
  await expect(page.getByRole('complementary', { name: 'Filters' })).toBeHidden()
  await page.emulateMedia({ media: 'screen' })
  await expect(range).toBeHidden()
  await expect.poll(() => rows.count()).toBeLessThan(250)
})

test('a link has a title, a text and a picture of its own, by an absolute address', async ({
  request,
  baseURL,
}) => {
  const html = await (await request.get('/symbols/aapl')).text()
  const content = (name: string) =>
    new RegExp(`<meta (?:name|property)="${name}" content="([^"]*)"`).exec(html)?.[1] ?? ''
  expect(content('og:title')).toBe('AAPL · Amber Acorn Software · Bellwether')
  expect(content('og:description')).toMatch(
    /^[A-Z][a-z ]+, \d\.\d\d of 5 over \d+ active ratings\. .*Demo data, invented\.$/i,
  )
  expect(content('og:image')).toBe(`${baseURL}/api/previews/symbols/AAPL.png`)
  expect(content('twitter:card')).toBe('summary_large_image')
  const picture = await request.get(content('og:image'))
  expect(picture.headers()['content-type']).toBe('image/png')
  const png = await picture.body()
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([1200, 630])
  expect(content('robots')).toBe('noindex')
  expect((await request.get('/')).headers()['x-robots-tag']).toBe('noindex')
  expect(await (await request.get('/robots.txt')).text()).toContain('User-agent: *\nDisallow: /\n')
  expect((await request.get('/sitemap.xml')).status()).toBe(404)
})

test.describe('a mistyped symbol', () => {
  test.use({ allowConsole: ['404'] })

  test('leads to the one that was meant', async ({ page }) => {
    const response = await page.goto('/symbols/APPL')
    expect(response?.status()).toBe(404)
    const near = page.getByRole('navigation', { name: 'Did you mean' })
    await near.getByRole('link', { name: /^AAPL/ }).click()
    await expect(page).toHaveURL(/\/symbols\/AAPL$/)
  })
})
