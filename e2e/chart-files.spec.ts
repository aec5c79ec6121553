import { readFile } from 'node:fs/promises'
import type { Locator, Page } from '@playwright/test'
import Papa from 'papaparse'
import { startApp } from './support/app.ts'
import { comparisonFigure, seriesFigure } from './support/chart-figure.ts'
import { openSaveMenu, saveMenu } from './support/save-chart.ts'
import { startSmallService } from './support/small-service.ts'
import { expect, test } from './support/test.ts'

const isDrawn = (page: Page, symbol?: string) =>
  expect(
    seriesFigure(page, symbol).getByRole('heading', { name: /^Consensus/, level: 3 }),
  ).toBeVisible()

async function save(page: Page, format: 'PNG' | 'SVG' | 'CSV') {
  const coming = page.waitForEvent('download')
  await saveMenu(page)
    .getByRole('button', { name: new RegExp(`^Save as ${format}`) })
    .click()
  const download = await coming
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

const readSvg = (page: Page, markup: string) =>
  page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
    const elements = [...parsed.querySelectorAll('*')]
    const attributes = elements.flatMap((element) => [...element.attributes])
    return {
      isBroken: parsed.querySelector('parsererror') !== null,
      root: parsed.documentElement.localName,
      names: [...new Set(elements.map((element) => element.localName))],
      texts: elements.filter((one) => one.localName === 'text').map((one) => one.textContent ?? ''),
      attributeNames: [...new Set(attributes.map((one) => one.name))],
      values: attributes.filter((one) => one.name !== 'xmlns').map((one) => one.value),
      ground: parsed.querySelector('rect')?.getAttribute('fill') ?? '',
    }
  }, markup)

const ADDRESS = '/symbols/AAPL?bucket=week&from=2024-01-01&to=2024-08-03'
const NAME = 'bellwether_AAPL_2024-01-01_2024-08-02_week_demo'

test('the SVG is a document of its own: what is drawn, with title, range, rule and source', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'dark' })
  await page.goto(ADDRESS)
  await isDrawn(page)
  await openSaveMenu(seriesFigure(page))
  const { name, bytes } = await save(page, 'SVG')
  expect(name).toBe(`${NAME}.svg`)
  const markup = bytes.toString('utf8')
  const svg = await readSvg(page, markup)
  expect(svg.isBroken).toBe(false)
  expect(svg.root).toBe('svg')
  const words = svg.texts.join(' ')
  for (const part of [
    'AAPL: rating and prediction over time',
    '2024-01-01 to 2024-08-02, by week · UTC',
    'Consensus of active ratings, 1–5',
    'Strong Buy',
    'not drawn where fewer than 3 are.',
    `Source: ${new URL(page.url()).host}, archive complete to `,
  ]) {
    expect(words).toContain(part)
  }
  expect(words).toMatch(/as of \d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC/)
  expect(markup).not.toContain('var(')
  expect(svg.names).not.toEqual(
    expect.arrayContaining([expect.stringMatching(/^(script|style|foreignObject|image|a|use)$/)]),
  )
  expect(svg.attributeNames.filter((one) => /^on|href|^style$|^class$/.test(one))).toEqual([])
  expect(svg.values.filter((value) => /url\((?!#)|https?:|javascript:/.test(value))).toEqual([])
  expect(svg.ground).toBe('#15181c')
})

test('the PNG shows the same at twice its size', { tag: '@core' }, async ({ page }) => {
  await page.goto(ADDRESS)
  await isDrawn(page)
  const width = (await seriesFigure(page).locator('[data-pane]').first().boundingBox())?.width ?? 0
  await openSaveMenu(seriesFigure(page))
  const { name, bytes } = await save(page, 'PNG')
  expect(name).toBe(`${NAME}.png`)
  expect(bytes.subarray(0, 8)).toEqual(Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'))
  expect(bytes.readUInt32BE(16)).toBeGreaterThanOrEqual(2 * Math.floor(width))
  // An image of one color would be smaller.
  expect(bytes.length).toBeGreaterThan(30_000)
  await expect(saveMenu(page)).toContainText(`Saved ${name}`)
})

test('the CSV holds what the table beside the chart does, and says in every row what it is', async ({
  page,
}) => {
  await page.goto(`${ADDRESS}&view=table`)
  const table = page.getByRole('table', { name: /^Rating and prediction over time/ })
  await expect(table).toBeVisible()
  const shown = await table
    .locator('tbody tr')
    .evaluateAll((rows) =>
      rows.map((row) => [...row.children].map((cell) => cell.textContent ?? '')).toReversed(),
    )
  const heads = await table.locator('thead th').allInnerTexts()
  const cellOf = (cells: readonly string[], head: string) => cells[heads.indexOf(head)]
  await openSaveMenu(seriesFigure(page))
  const { name, bytes } = await save(page, 'CSV')
  expect(name).toBe(`${NAME}.csv`)
  const { data } = Papa.parse<Record<string, string>>(bytes.toString('utf8').trimEnd(), {
    header: true,
  })
  expect(data).toHaveLength(shown.length)
  const rounded = (text: string | undefined) =>
    text ? (Math.round(Math.round(Number(text) * 10_000) / 100) / 100).toFixed(2) : '–'
  expect(
    data.map((row) => [
      `Week of ${row.bucket_start?.slice(0, 10)}`,
      row.posted,
      row.active,
      rounded(row.consensus),
      row.r1,
      row.r5,
      row.close ? Number(Number(row.close).toFixed(2)) : null,
    ]),
  ).toEqual(
    shown.map(([when = '', ...cells]) => [
      when.replace(/, as of .*/, ''),
      ...cells.slice(0, 3),
      cellOf([when, ...cells], 'Strong Sell'),
      cellOf([when, ...cells], 'Strong Buy'),
      readClose(cellOf([when, ...cells], 'Close')),
    ]),
  )
  for (const row of data) {
    expect(row.bucket_start).toMatch(/^\d{4}-\d\d-\d\dT00:00:00Z$/)
    expect(row.range).toBe('2024-01-01 to 2024-08-02, by week')
    expect(row.rule).toContain('fewer than 3 are')
    expect(row.source).toContain(new URL(page.url()).host)
    expect(row.as_of).toMatch(/Z$/)
  }
})

test('while a table is shown there is no picture of a chart to save, and the menu says so', async ({
  page,
}) => {
  await page.goto(`${ADDRESS}&view=table`)
  await openSaveMenu(seriesFigure(page))
  await saveMenu(page)
    .getByRole('button', { name: /^Save as PNG/ })
    .click()
  await expect(saveMenu(page)).toContainText('No chart is displayed')
})

test('the menu works by keys and gives the focus back', async ({ page }) => {
  await page.goto(ADDRESS)
  await isDrawn(page)
  const button = seriesFigure(page).getByRole('button', { name: 'More for this chart' })
  await expect(async () => {
    await button.focus()
    if (!(await saveMenu(page).isVisible())) await page.keyboard.press('Enter')
    await expect(saveMenu(page).getByRole('button', { name: 'Copy link' })).toBeFocused({
      timeout: 2000,
    })
  }).toPass()
  await saveMenu(page).getByText('Embed in another page').click()
  await page.keyboard.press('Escape')
  await expect(saveMenu(page)).toBeHidden()
  await expect(button).toBeFocused()
})

test('where a browser draws no picture, it is said and nothing is saved', async ({ page }) => {
  await page.addInitScript(() => {
    HTMLCanvasElement.prototype.toBlob = (give) => give(null)
  })
  await page.goto(ADDRESS)
  await isDrawn(page)
  await openSaveMenu(seriesFigure(page))
  await saveMenu(page)
    .getByRole('button', { name: /^Save as PNG/ })
    .click()
  await expect(saveMenu(page).getByRole('alert')).toContainText('could not create the PNG')
  const { name } = await save(page, 'SVG')
  expect(name).toBe(`${NAME}.svg`)
})

test('a comparison, a user’s ratings and a calendar are saved as they are displayed', async ({
  page,
}) => {
  const files = [
    {
      path: '/symbols/AAPL?vs=MSFT,NVDA&hide=NVDA&bucket=month',
      name: /^Consensus compared/,
      file: /^bellwether_AAPL-MSFT_[\d-]+_[\d-]+_month_demo\.svg$/,
      words: ['Consensus compared: AAPL, MSFT', 'MSFT', 'Strong Buy'],
      absent: ['NVDA', '×', 'Remove'],
    },
    {
      path: '/users/1',
      name: /^Ratings over time/,
      file: /^bellwether_user-1_ratings_[\d-]+_[\d-]+_demo\.svg$/,
      words: ['User 1: ratings over time', 'Strong Sell', 'UTC'],
      absent: ['Show as table'],
    },
  ]
  for (const { path, name, file, words, absent } of files) {
    await page.goto(path)
    const one = page.getByRole('figure', { name })
    await expect(one.getByRole('application').first()).toBeVisible()
    await openSaveMenu(one)
    const saved = await save(page, 'SVG')
    expect(saved.name).toMatch(file)
    const svg = await readSvg(page, saved.bytes.toString('utf8'))
    expect(svg.isBroken).toBe(false)
    const written = svg.texts.join(' ')
    for (const word of words) expect(written).toContain(word)
    for (const word of absent) expect(written).not.toContain(word)
    const menu = one.getByRole('button', { name: 'More for this chart' }).locator('path')
    expect(saved.bytes.toString('utf8')).not.toContain(await menu.getAttribute('d'))
    const csv = (await save(page, 'CSV')).bytes.toString('utf8')
    expect(Papa.parse(csv, { header: true, skipEmptyLines: true }).data.length).toBeGreaterThan(1)
  }
})

test('a symbol that is switched off leaves no gap in the legend of the file, and keeps its place on the page', async ({
  page,
}) => {
  await page.goto('/symbols/AAPL?vs=MSFT,NVDA&hide=MSFT&bucket=month')
  const one = comparisonFigure(page)
  await expect(one.getByRole('application').first()).toBeVisible()
  await openSaveMenu(one)
  const markup = (await save(page, 'SVG')).bytes.toString('utf8')
  const [own, other] = await page.evaluate((text) => {
    const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
    const toX = (name: string) =>
      Number(
        [...parsed.querySelectorAll('text')]
          .find((element) => element.textContent === name)
          ?.getAttribute('x'),
      )
    return [toX('AAPL'), toX('NVDA')] as const
  }, markup)
  const toX = async (name: RegExp) =>
    (await one.getByRole('button', { name }).boundingBox())?.x ?? 0
  const [ownX, offX, otherX] = [await toX(/^AAPL/), await toX(/^MSFT/), await toX(/^NVDA/)]
  expect(otherX - ownX).toBeGreaterThan(offX - ownX)
  expect(Math.abs(other - own - (offX - ownX))).toBeLessThan(2)
})

const HOSTILE = "=<SVG ONLOAD='X'>&]]><SCRIPT>"

test('a hostile symbol is words in every file and in the line that embeds it', async ({
  browser,
}) => {
  test.setTimeout(120_000)
  const service = await startSmallService('chart-files-key')
  for (const rating of service.ratings) rating.symbol = HOSTILE
  const app = await startApp({
    env: { RATINGS_BASE_URL: service.url, RATINGS_API_KEY: service.key },
  })
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } })
  try {
    const page = await context.newPage()
    const path = `/symbols/${encodeURIComponent(HOSTILE)}`
    await expect
      .poll(async () => (await page.request.get(`${app.url}/api${path}/series`)).status())
      .toBe(200)
    await page.goto(`${app.url}${path}`)
    await isDrawn(page, HOSTILE)
    await openSaveMenu(seriesFigure(page, HOSTILE))
    const { name, bytes } = await save(page, 'SVG')
    expect(name).toMatch(/^bellwether_[A-Z-]+_[\w-]+\.svg$/)
    expect(name.length).toBeLessThanOrEqual(60)
    const svg = await readSvg(page, bytes.toString('utf8'))
    expect(svg.isBroken).toBe(false)
    expect(svg.texts.join(' ')).toContain(`${HOSTILE}: rating and prediction over time`)
    expect(svg.names.filter((one) => /script/i.test(one))).toEqual([])
    await save(page, 'PNG')
    const csv = (await save(page, 'CSV')).bytes.toString('utf8')
    const [row] = Papa.parse<Record<string, string>>(csv, { header: true }).data
    expect(row?.symbol).toBe(`'${HOSTILE}`)
    await saveMenu(page).getByText('Embed in another page').click()
    await expectSnippet(saveMenu(page).locator('code'), page)
  } finally {
    await context.close()
    await app.stop()
    await service.stop()
  }
})

async function expectSnippet(code: Locator, page: Page) {
  const read = await page.evaluate(
    (text) => {
      const parsed = new DOMParser().parseFromString(text, 'text/html')
      return {
        all: [...parsed.body.querySelectorAll('*')].map((element) => element.localName),
        title: parsed.querySelector('iframe')?.title,
        src: parsed.querySelector('iframe')?.getAttribute('src') ?? '',
      }
    },
    (await code.textContent()) ?? '',
  )
  expect(read.all).toEqual(['iframe'])
  expect(read.title).toContain(HOSTILE)
  expect(decodeURIComponent(new URL(read.src).pathname)).toBe(`/embed/symbols/${HOSTILE}`)
}

const readClose = (text = '–') => (text === '–' ? null : Number(text.replaceAll(',', '')))
