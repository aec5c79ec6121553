import { readFileSync } from 'node:fs'
import type { Page } from '@playwright/test'
import { expect, expectNoAxeViolations, expectNoOverflow, test } from './support/test.ts'

const ENDLESS = 'SELECT count(*) FROM range(100000000000) a, range(1000) b'

const toAddress = (query: string) => `/sql?${new URLSearchParams({ q: query })}`

const editor = (page: Page) => page.getByRole('textbox', { name: 'SQL query' })
const result = (page: Page) => page.getByRole('region', { name: 'Result', exact: true })
const head = (page: Page, name: string | RegExp = /rows?$/) =>
  result(page).getByRole('heading', { name })
const table = (page: Page) => page.getByRole('table', { name: 'Result' })
const runButton = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const failure = (page: Page) => page.getByRole('alert').filter({ hasText: 'Failure' })

async function write(page: Page, query: string) {
  // The text field is replaced when the editor has loaded.
  await expect(editor(page)).toHaveAttribute('contenteditable', 'true')
  await editor(page).fill(query)
}

test('an example fills the editor and shows its result and chart; a reload keeps all of it', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/sql')
  await page.getByRole('button', { name: 'Agreement by hour' }).click()
  await expect(head(page, '24 rows')).toBeVisible()
  await expect(page.getByRole('figure', { name: 'agree_percent by hour' })).toBeVisible()
  await expect(editor(page)).toContainText('GROUP BY hour')
  await page.reload()
  await expect(head(page, '24 rows')).toBeVisible()
  await expect(page.getByRole('figure', { name: 'agree_percent by hour' })).toBeVisible()
  await page.getByRole('radio', { name: 'Line' }).check()
  await page.getByLabel('Up').selectOption('ratings')
  await expect(page.getByRole('figure', { name: 'ratings by hour' })).toBeVisible()
  await expect(page).toHaveURL(/chart=line&x=hour&y=ratings/)
})

test('Control Enter runs what is written, sorting covers all rows, and the way back leads to the last query', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/sql')
  await write(page, 'SELECT i AS number FROM range(5000) t(i)')
  await page.keyboard.press('Control+Enter')
  await expect(head(page, 'First 1,000 of 5,000 rows')).toBeVisible()
  await table(page).getByRole('link', { name: 'number' }).click()
  await expect(table(page).getByRole('row').nth(1)).toHaveText('4999')
  await page.getByRole('button', { name: 'Next page' }).click()
  await expect(table(page).getByRole('row').nth(1)).toHaveText('4899')
  await write(page, 'SELECT 42 AS answer')
  await runButton(page).click()
  await expect(head(page, '1 row')).toBeVisible()
  await page.goBack()
  await expect(editor(page)).toContainText('range(5000)')
  await expect(head(page, /of 5,000 rows/)).toBeVisible()
})

test('symbols and users in a result lead to their pages, text that is no symbol does not', async ({
  page,
}) => {
  await page.goto(
    toAddress(`SELECT 'AAPL' AS symbol, 12 AS user_id UNION ALL SELECT repeat('x', 5000), NULL
      ORDER BY user_id NULLS LAST`),
  )
  const links = table(page).getByRole('row').nth(1).getByRole('link')
  await expect(links.nth(0)).toHaveAttribute('href', '/symbols/AAPL')
  await expect(links.nth(1)).toHaveAttribute('href', '/users/12')
  await expect(table(page).getByRole('row').nth(2).getByRole('link')).toHaveCount(0)
  await expectNoOverflow(page)
  await links.nth(0).click()
  await expect(page).toHaveURL(/\/symbols\/AAPL$/)
})

test('text that is typed before the editor has loaded stays, with its caret', async ({ page }) => {
  let load = () => {}
  const loading = new Promise<void>((resolve) => {
    load = resolve
  })
  await page.route('**/_next/static/chunks/*.js', async (route) => {
    await loading
    await route.continue()
  })
  const going = page.goto('/sql')
  await editor(page).pressSequentially('SELECT 42 AS ')
  load()
  await going
  await expect(editor(page)).toHaveAttribute('contenteditable', 'true')
  await expect(editor(page)).toBeFocused()
  await page.keyboard.type('answer')
  await expect(editor(page)).toHaveText('SELECT 42 AS answer')
  await page.keyboard.press('Control+Enter')
  await expect(head(page, '1 row')).toBeVisible()
})

test('an error is shown at its place, and Tab leaves the editor', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto(toAddress('SELECT symbol,\n  nope\nFROM ratings'))
  await expect(failure(page)).toContainText('Referenced column "nope" not found')
  await expect(page.locator('.cm-sql-error')).toHaveText('nope')
  await failure(page).getByRole('button', { name: 'Go to line 2' }).click()
  await expect(editor(page)).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(runButton(page)).toBeFocused()
  for (const [query, said] of [
    ['INSERT INTO ratings VALUES (1)', 'INSERT does not run here'],
    ["ATTACH 'other.duckdb'", 'ATTACH does not run here'],
    ["SELECT * FROM 'http://127.0.0.1/x.csv'", 'no network, no files and no extensions'],
    ['SELECT 1; SELECT 2', 'Run one query at a time'],
    ['SELECT * FROM rating', 'Did you mean "ratings"?'],
  ] as const) {
    await write(page, query)
    await page.keyboard.press('Control+Enter')
    await expect(failure(page), query).toContainText(said)
  }
})

test('a query that never ends is canceled, and the next one runs', { tag: '@core' }, async ({
  page,
}) => {
  await page.goto(toAddress('SELECT 1 AS one'))
  await expect(head(page, '1 row')).toBeVisible()
  await write(page, ENDLESS)
  await runButton(page).click()
  await expect(page.getByRole('progressbar', { name: 'Running the query' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect(runButton(page)).toBeVisible()
  await expect(result(page), 'no rows of the query before').toBeEmpty()
  await write(page, 'SELECT 1 AS one')
  await runButton(page).click()
  await expect(head(page, '1 row')).toBeVisible()
})

test('ten million rows are shown in part and exported as a whole', async ({ page }) => {
  await page.goto(toAddress("SELECT i AS n, '=1+1' AS text FROM range(10000000) t(i)"))
  await expect(head(page, 'First 1,000 of 10,000,000 rows')).toBeVisible()
  await write(page, "SELECT i AS n, '=1+1' AS text, NULL AS none FROM range(3000) t(i)")
  await runButton(page).click()
  await expect(head(page, 'First 1,000 of 3,000 rows')).toBeVisible()
  await page.getByText('Export 3,000 rows').click()
  const read = async (format: string) => {
    const button = result(page).getByRole('button', { name: format, exact: true })
    const [file] = await Promise.all([page.waitForEvent('download'), button.click()])
    expect(file.suggestedFilename()).toBe(`query.${format.toLowerCase()}`)
    return readFileSync(await file.path(), 'utf8')
  }
  const csv = (await read('CSV')).trimEnd().split('\r\n')
  expect(csv).toHaveLength(3001)
  expect(csv.slice(0, 2)).toEqual(['\ufeffn,text,none', "0,'=1+1,"])
  expect(JSON.parse(await read('JSON'))).toMatchObject({ rows: 3000 })
  expect((await read('NDJSON')).trimEnd().split('\n')).toHaveLength(3000)
})

test('a filtered list opens in SQL with the same number of rows', { tag: '@core' }, async ({
  page,
}) => {
  for (const [path, api] of [
    ['/?symbol=AAPL&rating=4,5&state=active', '/api/ratings?symbol=AAPL&rating=4,5&state=active'],
    ['/lookups?symbol=AAPL', '/api/lookups?symbol=AAPL'],
  ] as const) {
    const { page: info } = await (await page.request.get(api)).json()
    await page.goto(path)
    await page.getByRole('button', { name: 'More for this view' }).click()
    await page.getByRole('link', { name: 'Open in SQL' }).click()
    await expect(page).toHaveURL(/\/sql\?q=SELECT/)
    await expect(editor(page)).toContainText("'AAPL'")
    const total = info.total.toLocaleString('en-US')
    await expect(head(page, new RegExp(`(?:^|of )${total} rows?$`))).toBeVisible()
  }
})

test('recent queries are kept, and run again', async ({ page }) => {
  await page.goto('/sql')
  await write(page, 'SELECT 7 AS seven')
  await runButton(page).click()
  await expect(head(page, '1 row')).toBeVisible()
  await page.goto('/sql')
  await page.getByText('Recent queries').click()
  await page.getByRole('button', { name: 'SELECT 7 AS seven' }).click()
  await expect(head(page, '1 row')).toBeVisible()
  await page.getByRole('button', { name: 'Forget them' }).click()
  await expect(page.getByText('Queries that you run are listed here.')).toBeVisible()
})

test('texts of the data are shown with escapes and never as markup', async ({ page }) => {
  await page.goto(toAddress("SELECT chr(8238) || 'abc' AS \"a\tb\", '<b>x</b>' AS html"))
  await expect(head(page, '1 row')).toBeVisible()
  await expect(table(page)).toContainText('\\u202eabc')
  await expect(table(page)).toContainText('<b>x</b>')
  await expect(table(page).getByRole('link', { name: 'a\\u0009b' })).toBeVisible()
})

test('a query that is too long for an address runs, and the page says so', async ({ page }) => {
  await page.goto('/sql')
  await write(page, `SELECT length('${'%'.repeat(3000)}') AS n`)
  await runButton(page).click()
  await expect(head(page, '1 row')).toBeVisible()
  await expect(page.getByText('too long for an address').first()).toBeVisible()
  await page.goto(`/sql?${new URLSearchParams({ q: 'x'.repeat(7500) })}`)
  await expect(page.getByText('Part of the address was ignored')).toBeVisible()
})

test('the page has no accessibility violations, idle, with a result and with an error', {
  tag: '@core',
}, async ({ page }) => {
  await page.goto('/sql')
  await expect(editor(page)).toHaveAttribute('contenteditable', 'true')
  await expectNoAxeViolations(page)
  await page.getByRole('button', { name: 'Agreement by hour' }).click()
  await expect(head(page, '24 rows')).toBeVisible()
  await page.getByText('Tables and columns').click()
  await page.getByText('Export 24 rows').click()
  await expectNoAxeViolations(page)
  await write(page, 'SELECT nope')
  await runButton(page).click()
  await expect(failure(page)).toBeVisible()
  await expectNoAxeViolations(page)
})

test.describe('on a phone', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 844 } })

  test('nothing large is loaded before the reader agrees, and rows are cards that fit', {
    tag: '@core',
  }, async ({ page }) => {
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.goto(toAddress('SELECT symbol, count(*) AS ratings FROM ratings GROUP BY symbol'))
    const agree = page.getByRole('button', { name: /^Load [\d.]+ MB$/ })
    await expect(agree).toBeInViewport()
    expect(loaded.filter((url) => /duckdb(?:$|\?)|\.wasm/.test(url))).toEqual([])
    await expectNoAxeViolations(page, 1)
    await agree.tap()
    await expect(head(page)).toBeVisible()
    await expectNoOverflow(page)
    await page.reload()
    await expect(head(page)).toBeVisible()
  })
})

test.describe('faults', () => {
  test.use({ allowConsole: ['Failed to load resource', 'net::ERR', 'duckdb worker', 'Event ('] })

  test('a download that is cut short is reported, and trying again loads it', async ({ page }) => {
    await page.route('**/api/database.duckdb?*', (route) =>
      route.fulfill({ status: 200, body: 'short' }),
    )
    await page.goto(toAddress('SELECT 1'))
    await expect(failure(page)).toContainText('The download of the data was cut short')
    await page.unroute('**/api/database.duckdb?*')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect(head(page, '1 row')).toBeVisible()
  })

  test('a worker that is blocked is reported', async ({ page }) => {
    await page.route('**/duckdb-browser-eh.worker.*', (route) => route.abort())
    await page.goto(toAddress('SELECT 1'))
    await expect(failure(page)).toContainText('The database engine could not start')
    await expect(page.getByRole('button', { name: 'Try again' })).toBeVisible()
  })

  test('a browser without WebAssembly and without storage is told, or works', async ({ page }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(window, 'caches')
      Object.defineProperty(window, 'localStorage', {
        get: () => {
          throw new DOMException('denied', 'SecurityError')
        },
      })
    })
    await page.goto(toAddress('SELECT 1'))
    await expect(head(page, '1 row')).toBeVisible()
    await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'WebAssembly'))
    await page.goto(toAddress('SELECT 1'))
    await expect(failure(page)).toContainText('cannot run the database engine')
  })
})
