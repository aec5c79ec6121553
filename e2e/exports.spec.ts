import { readFileSync } from 'node:fs'
import { DuckDBInstance } from '@duckdb/node-api'
import type { Download, Page } from '@playwright/test'
import Papa from 'papaparse'
import { type CuttingProxy, startCuttingProxy } from './support/cutting-proxy.ts'
import { expect, expectNoOverflow, test } from './support/test.ts'

const QUERY = '?symbol=AAPL&rating=4,5'

const csvLink = (page: Page) => page.getByRole('link', { name: 'Export CSV' })
const moreButton = (page: Page) => page.getByRole('button', { name: 'More for this view' })
const panelOf = (page: Page) => page.getByRole('dialog', { name: /^Export / })

async function openPanel(page: Page, address = `/${QUERY}`, table = 'Ratings') {
  await page.goto(address)
  await expect(page.getByRole('table', { name: table }).first()).toBeVisible()
  await expect(async () => {
    if ((await moreButton(page).getAttribute('aria-expanded')) !== 'true') {
      await moreButton(page).click()
    }
    await expect(panelOf(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
  return panelOf(page)
}

async function countRows(page: Page, query = QUERY) {
  const { page: info } = await (await page.request.get(`/api/ratings${query}`)).json()
  return info.total as number
}

async function download(page: Page, format: string): Promise<Download> {
  const panel = panelOf(page)
  await panel.getByRole('radio', { name: format, exact: true }).check()
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: `Download ${format}` }).click(),
  ])
  return file
}

const textOf = async (file: Download) => readFileSync(await file.path(), 'utf8')

test('without any script the button is a link to the rows', async ({ page, browser }) => {
  const total = await countRows(page)
  const context = await browser.newContext({ javaScriptEnabled: false, acceptDownloads: true })
  const plain = await context.newPage()
  await plain.goto(`${new URL(test.info().project.use.baseURL ?? '').origin}/${QUERY}`)
  const link = csvLink(plain)
  const [file] = await Promise.all([plain.waitForEvent('download'), link.click()])
  expect((await textOf(file)).trimEnd().split('\r\n')).toHaveLength(total + 1)
  await context.close()
})

test('one click downloads every matching row as CSV, on every page that has an export', {
  tag: '@core',
}, async ({ page }) => {
  for (const path of [`/${QUERY}`, '/symbols?q=a', '/users', '/lookups']) {
    await page.goto(path)
    const [file] = await Promise.all([page.waitForEvent('download'), csvLink(page).click()])
    expect(file.suggestedFilename(), path).toMatch(/\.csv$/)
    const href = (await csvLink(page).getAttribute('href')) ?? ''
    expect(await textOf(file), path).toBe(await (await page.request.get(href)).text())
    await expect(panelOf(page)).toBeHidden()
  }
})

test('CSV, JSON, NDJSON and Parquet each hold every matching row, in the same order', {
  tag: '@core',
}, async ({ page }) => {
  await openPanel(page)
  const total = await countRows(page)
  const csv = await download(page, 'CSV')
  expect(csv.suggestedFilename()).toMatch(/^ratings_AAPL_rating-4-5_\d{4}-\d{2}-\d{2}_demo\.csv$/)
  const rows = Papa.parse<Record<string, string>>((await textOf(csv)).trimEnd(), { header: true })
  const ids = rows.data.map(({ id }) => Number(id))
  expect(ids).toHaveLength(total)
  await expect(panelOf(page)).toContainText(`all ${total.toLocaleString('en-US')} rows`)

  const json = JSON.parse(await textOf(await download(page, 'JSON')))
  expect(json.meta.rows).toBe(total)
  expect(json.data.map((row: { id: number }) => row.id)).toEqual(ids)

  const lines = (await textOf(await download(page, 'NDJSON'))).trimEnd().split('\n')
  expect(lines.map((line) => JSON.parse(line).id)).toEqual(ids)

  const parquet = await download(page, 'Parquet')
  expect(parquet.suggestedFilename()).toMatch(/_demo\.parquet$/)
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  const read = await connection.runAndReadAll(`from read_parquet('${await parquet.path()}')`)
  expect(read.getRowObjectsJson().map((row) => Number(row.id))).toEqual(ids)
  expect(String(read.columnType(read.columnNames().indexOf('prediction')))).toBe('DECIMAL(18,6)')
  connection.closeSync()
  instance.closeSync()
})

test('the columns that are shown and unknown fields come as they were asked for, and for Excel only if wanted', async ({
  page,
}) => {
  const panel = await openPanel(page, `/${QUERY}&columns=symbol,rating,prediction`)
  await panel.getByRole('radio', { name: 'The 3 columns shown' }).check()
  await panel.getByRole('checkbox', { name: /unknown fields/ }).check()
  const header = async () => (await textOf(await download(page, 'CSV'))).split('\r\n')[0]
  expect(await header()).toBe('\ufeffsymbol,rating,rating_label,prediction,extra')
  await panel.getByRole('checkbox', { name: 'CSV for Excel' }).uncheck()
  await expect(panel).toContainText('may run some of it as formulas')
  expect(await header()).toBe('symbol,rating,rating_label,prediction,extra')
})

test('a league is exported as it is filtered and sorted', async ({ page }) => {
  const asked = 'q=a&sort=-consensus'
  const { data } = await (await page.request.get(`/api/symbols?${asked}&per_page=500`)).json()
  await page.goto(`/symbols?${asked}&per_page=2`)
  await expect(async () => {
    if ((await moreButton(page).getAttribute('aria-expanded')) !== 'true') {
      await moreButton(page).click()
    }
    await expect(panelOf(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
  const csv = await download(page, 'CSV')
  expect(csv.suggestedFilename()).toMatch(/^symbols_a_by-consensus_\d{4}-\d{2}-\d{2}_demo\.csv$/)
  const rows = Papa.parse<Record<string, string>>((await textOf(csv)).trimEnd(), { header: true })
  expect(rows.data.map(({ symbol }) => symbol)).toEqual(
    data.map((row: { symbol: string }) => row.symbol),
  )
})

test('nothing that matches is exported as nothing, and said so', async ({ page }) => {
  const panel = await openPanel(page, '/?symbol=NOSUCHSYMBOL')
  await expect(panel).toContainText('Nothing matches')
  const file = await download(page, 'CSV')
  expect((await textOf(file)).split('\r\n')).toHaveLength(2)
  await expect(panel).toContainText('all 0 rows')
})

test.describe('when the rows could not be loaded', () => {
  test.use({ allowConsole: ['Failed to load resource', 'net::ERR'] })

  test('they can be exported all the same, though nobody knows how many there are', async ({
    page,
  }) => {
    await page.goto(`/${QUERY}`)
    await page.route('**/api/ratings?**', (route) => route.abort())
    await page.getByRole('group', { name: 'Action' }).getByRole('checkbox').first().check()
    await expect(page.getByRole('button', { name: /try again|retry/i }).first()).toBeVisible({
      timeout: 30_000,
    })
    await moreButton(page).click()
    await expect(panelOf(page)).toContainText('Export every row')
    const file = await download(page, 'CSV')
    const rows = (await textOf(file)).trimEnd().split('\r\n').length - 1
    await expect(panelOf(page)).toContainText(`all ${rows.toLocaleString('en-US')} rows`)
  })
})

test('E opens the export on every page that has one, and a skip link leads to it', async ({
  page,
}) => {
  for (const path of ['/', '/symbols', '/users']) {
    await page.goto(path)
    await expect(moreButton(page)).toBeVisible()
    await page.keyboard.press('Tab')
    await expect(async () => {
      await page.keyboard.press('e')
      await expect(page.getByRole('dialog', { name: /^Export/ })).toBeVisible({ timeout: 1000 })
    }, path).toPass()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: /^Export/ })).toBeHidden()
    await page.getByRole('link', { name: 'Skip to the export' }).focus()
    await page.keyboard.press('Enter')
    await expect(csvLink(page)).toBeFocused()
  }
  await page.goto('/')
  const field = page.getByRole('combobox', { name: 'Symbol' })
  await field.pressSequentially('e')
  await expect(field).toHaveValue('e')
  await expect(page.getByRole('dialog', { name: /^Export/ })).toHaveCount(0)
})

test('the panel is reached, used and left by keyboard, and gives the focus back', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto(`/${QUERY}`)
  await expect(async () => {
    if ((await moreButton(page).getAttribute('aria-expanded')) !== 'true') {
      await moreButton(page).focus()
      await page.keyboard.press('Enter')
    }
    await expect(panelOf(page)).toBeVisible({ timeout: 2000 })
  }).toPass()
  await expect(panelOf(page).getByRole('button', { name: 'Copy link' })).toBeFocused()
  await panelOf(page).getByRole('radio', { name: 'CSV', exact: true }).focus()
  await page.keyboard.press('ArrowRight')
  const download = panelOf(page).getByRole('button', { name: 'Download JSON' })
  await download.focus()
  const [file] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  expect(await file.failure()).toBeNull()
  await expect(panelOf(page)).toContainText('Saved')
  await expect(download).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(panelOf(page)).toBeHidden()
  await expect(moreButton(page)).toBeFocused()
  await expect(moreButton(page)).toHaveAttribute('aria-expanded', 'false')
})

test.describe('over a connection that breaks', () => {
  test.use({ allowConsole: ['Failed to load resource', 'net::ERR'] })
  let proxy: CuttingProxy
  test.beforeEach(async ({ baseURL }) => {
    proxy = await startCuttingProxy(baseURL ?? '')
  })
  test.afterEach(() => proxy.stop())

  test('an export that is cut short is never saved, in any format, and can be tried again', async ({
    page,
  }) => {
    const downloads: Download[] = []
    page.on('download', (file) => downloads.push(file))
    const panel = await openPanel(page, `${proxy.url}/${QUERY}`)
    for (const [index, format] of ['CSV', 'JSON', 'NDJSON', 'Parquet'].entries()) {
      await test.step(format, async () => {
        proxy.cut({ afterBytes: 9000, how: 'break' })
        await panel.getByRole('radio', { name: format, exact: true }).check()
        await panel.getByRole('button', { name: `Download ${format}` }).click()
        await expect(panel.getByRole('alert')).toContainText('The export was cut short')
        await expect(panel.getByRole('alert')).toContainText('Nothing was saved')
        expect(downloads).toHaveLength(index)
        proxy.cut(null)
        await panel.getByRole('button', { name: 'Try again' }).click()
        await expect(panel).toContainText('Saved ratings_AAPL')
        await expect.poll(() => downloads.length).toBe(index + 1)
      })
    }
  })

  test('an export is canceled half way, and nothing is saved', async ({ page }) => {
    const downloads: Download[] = []
    page.on('download', (file) => downloads.push(file))
    const panel = await openPanel(page, `${proxy.url}/${QUERY}`)
    proxy.cut({ afterBytes: 9000, how: 'hold' })
    await panel.getByRole('button', { name: 'Download CSV' }).click()
    const bar = panel.getByRole('progressbar', { name: 'Exporting' })
    await expect(bar).toHaveAttribute('aria-valuetext', /^\d+ of [\d,]+ rows · 9\.0 kB$/)
    await panel.getByRole('button', { name: 'Cancel the export' }).click()
    await expect(panel).toContainText('Canceled. Nothing was saved.')
    await expect(panel.getByRole('button', { name: 'Download CSV' })).toBeFocused()
    expect(downloads).toEqual([])
  })

  test('an export goes on while the panel is closed, and comes back when it fails', async ({
    page,
  }) => {
    const panel = await openPanel(page, `${proxy.url}/${QUERY}`)
    proxy.cut({ afterBytes: 9000, how: 'hold' })
    await page.keyboard.press('Escape')
    await csvLink(page).click()
    await expect(csvLink(page).locator('[data-share]')).toHaveCount(1)
    await expect(panel).toBeHidden()
    await proxy.stop()
    await expect(panel.getByRole('alert')).toContainText('The export was cut short')
  })
})

test.describe('an answer that lies', () => {
  const answer = (rows: string) => ({
    headers: { 'bellwether-rows': rows, 'content-type': 'text/csv' },
    body: 'id\r\n1\r\n2\r\n',
  })

  test('with fewer rows than it declares is not saved', async ({ page }) => {
    const panel = await openPanel(page)
    await page.route('**/api/ratings.csv?*', (route) => route.fulfill(answer('3')))
    await panel.getByRole('button', { name: 'Download CSV' }).click()
    await expect(panel.getByRole('alert')).toContainText('2 of 3 rows')
    await expect(panel.getByRole('alert')).toContainText('Nothing was saved')
  })

  test('or declares nothing is not saved', async ({ page }) => {
    const panel = await openPanel(page)
    await page.route('**/api/ratings.csv?*', (route) => route.fulfill(answer('')))
    await panel.getByRole('button', { name: 'Download CSV' }).click()
    await expect(panel.getByRole('alert')).toContainText('does not state its number of rows')
  })
})

test.describe('straight to the disk', () => {
  /** The origin private file system replaces the file picker. */
  const pickInside = () => {
    window.showSaveFilePicker = async (options) => {
      const folder = await navigator.storage.getDirectory()
      return await folder.getFileHandle(options?.suggestedName ?? '', { create: true })
    }
  }
  const readInside = async () => {
    const found: [string, string][] = []
    const folder = await navigator.storage.getDirectory()
    for await (const [name, handle] of folder.entries()) {
      if (handle instanceof FileSystemFileHandle) {
        found.push([name, await (await handle.getFile()).text()])
      }
    }
    return found
  }

  test('every row goes into the file that was chosen', async ({ page }) => {
    await page.addInitScript(pickInside)
    const panel = await openPanel(page)
    await panel.getByRole('button', { name: 'Save to…' }).click()
    await expect(panel).toContainText('Saved ratings_AAPL')
    const [file] = await page.evaluate(readInside)
    expect(file?.[0]).toMatch(/^ratings_AAPL_rating-4-5_.*_demo\.csv$/)
    expect(file?.[1].trimEnd().split('\r\n')).toHaveLength((await countRows(page)) + 1)
  })

  test('what is cut short leaves no file behind', async ({ page }) => {
    await page.addInitScript(pickInside)
    const panel = await openPanel(page)
    await page.route('**/api/ratings.csv?*', (route) =>
      route.fulfill({ headers: { 'bellwether-rows': '9' }, body: 'id\r\n1\r\n' }),
    )
    await panel.getByRole('button', { name: 'Save to…' }).click()
    await expect(panel.getByRole('alert')).toContainText('cut short')
    expect(await page.evaluate(readInside)).toEqual([])
  })

  test('a browser that says why it saves nothing is understood, and a reader who chooses no file is left in peace', async ({
    page,
  }) => {
    await page.addInitScript(() => {
      window.showSaveFilePicker = () =>
        Promise.reject(new DOMException('', document.body.dataset.problem))
    })
    const panel = await openPanel(page)
    const refuse = (problem: string) =>
      page.evaluate((name) => {
        document.body.dataset.problem = name
      }, problem)
    const save = () => panel.getByRole('button', { name: 'Save to…' }).click()
    await refuse('AbortError')
    await save()
    await expect(panel.getByRole('button', { name: 'Download CSV' })).toBeEnabled()
    await expect(panel.getByRole('alert')).toHaveCount(0)
    for (const [problem, words] of [
      ['NotAllowedError', 'not allowed to write the file'],
      ['QuotaExceededError', 'This device has no space left'],
    ] as const) {
      await refuse(problem)
      await save()
      await expect(panel.getByRole('alert')).toContainText(words)
      await expect(panel.getByRole('button', { name: 'Try again' })).toBeVisible()
    }
  })
})

test.describe('the same rows open elsewhere', () => {
  test('in lines of each tool that are chosen by keyboard and copied whole', async ({
    page,
    context,
  }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const panel = await openPanel(page)
    const { origin } = new URL(page.url())
    const copied = () => page.evaluate(() => navigator.clipboard.readText())
    const radio = (name: string) => panel.getByRole('radio', { name, exact: true })
    await panel.getByText('Open in DuckDB').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await expect(radio('DuckDB')).toBeFocused()
    for (const [tool, start] of [
      ['DuckDB', 'SELECT * REPLACE (make_timestamp("created_at" * 1000000)'],
      ['pandas', 'import pandas\nrows = pandas.read_parquet('],
    ] as const) {
      await expect(radio(tool)).toBeChecked()
      await page.keyboard.press('Tab')
      await expect(
        panel.getByRole('button', { name: `Copy ${tool} lines for these rows` }),
      ).toBeFocused()
      await page.keyboard.press('Enter')
      await expect(panel.getByText('Copied', { exact: true })).toBeVisible()
      const text = await copied()
      expect(text.startsWith(start), text).toBe(true)
      expect(text).toContain(`${origin}/api/ratings.parquet?symbol=`)
      expect(text).not.toContain('YOUR_TOKEN')
      await page.keyboard.press('Shift+Tab')
      await page.keyboard.press('ArrowRight')
    }
    await expect(radio('curl')).toBeChecked()
    await panel.getByRole('button', { name: 'Copy curl lines for these rows' }).click()
    await expect(panel.getByText('Copied', { exact: true })).toBeVisible()
    expect(await copied()).toBe(
      `curl -fOJ "${origin}/api/ratings.csv?symbol=AAPL&rating=4,5&excel=1"`,
    )
  })

  test('from symbols, users and look-ups, on a phone too', async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    for (const [path, table, file] of [
      ['/symbols', 'Symbols', 'symbols.csv'],
      ['/users', 'Users', 'users.csv'],
      ['/lookups', 'Look-ups', 'lookups.parquet'],
    ] as const) {
      const panel = await openPanel(page, path, table)
      await panel.getByText('Open in DuckDB').click()
      await expect(panel.locator('code')).toContainText(`/api/${file}`)
      for (const tool of await panel.getByRole('radio').all()) {
        const { x = -1, width = 0 } = (await tool.locator('..').boundingBox()) ?? {}
        expect(x).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(390)
      }
      await expectNoOverflow(page)
    }
  })

  test('and can be read though the clipboard is denied', async ({ page }) => {
    await page.addInitScript(() => {
      Object.defineProperty(navigator, 'clipboard', { value: undefined })
      document.execCommand = () => false
    })
    const panel = await openPanel(page)
    await panel.getByText('Open in DuckDB').click()
    await panel.getByRole('button', { name: 'Copy DuckDB lines for these rows' }).click()
    await expect(panel.getByText('Not copied', { exact: true })).toBeVisible()
    await expect(panel.locator('code')).toContainText("FROM read_parquet('http")
  })
})
