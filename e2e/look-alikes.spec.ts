import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { readPathPart, toPathPart } from '#lib/contract/path-part.ts'
import { type RunningApp, startApp } from './support/app.ts'
import { heading, rows, table } from './support/ratings-page.ts'
import { openSearch, searchField } from './support/search.ts'
import { expect, expectNoOverflow, test } from './support/test.ts'

const SHOWN: Readonly<Record<string, string>> = {
  AAPL: 'AAPL',
  '\u202eLPAA\u202c': '\\u202eLPAA\\u202c',
  '\\U202ELPAA': '\\u005cU202ELPAA',
  '\u2067AAPL\u2069': '\\u2067AAPL\\u2069',
  '\u061cAAPL': '\\u061cAAPL',
  'AAPL\u200b': 'AAPL\\u200b',
  'AAPL\u2060': 'AAPL\\u2060',
  'AA\ufeffPL': 'AA\\ufeffPL',
  'AA\u00adPL': 'AA\\u00adPL',
  'AAPL\u180e': 'AAPL\\u180e',
  'AAPL\u3164': 'AAPL\\u3164',
  'AAPL\u2800': 'AAPL\\u2800',
  'AAPL\ufe0f': 'AAPL\\ufe0f',
  'AAPL\u{e0041}': 'AAPL\\u{e0041}',
  'AA\u0001PL': 'AA\\u0001PL',
  'AA\tPL': 'AA\\u0009PL',
  'AA\nPL': 'AA\\u000aPL',
  ' AAPL': '\\u0020AAPL',
  'AAPL ': 'AAPL\\u0020',
  'AA PL': 'AA PL',
  'AA  PL': 'AA \\u0020PL',
  'AA\u00a0PL': 'AA\\u00a0PL',
  '\u0301AAPL': '\\u0301AAPL',
  '\u2066': '\\u2066',
  שלום: 'שלום',
  'AAPL، مرحبا': 'AAPL، مرحبا',
  '.': '.',
  '..': '..',
  '~.': '~.',
}
const SYMBOLS = Object.keys(SHOWN)
const HEBREW = 'שלום'
const TURNED = '\u202eLPAA\u202c'

const INVISIBLE =
  /(?!\s)[\p{Cc}\p{Cf}\p{Surrogate}\p{Default_Ignorable_Code_Point}\u2800]|\ufeff|\u2028|\u2029/u

const HEADER =
  'id,user_id,symbol,rating,rating_label,action,action_label,prediction,tally_agree,tally_disagree,tally_comment,created_at,created_at_date,expired_at,expired_at_date'
const USERS = [101, 102, 103]

function toCsv(): string {
  const now = Math.floor(Date.now() / 1000)
  const lines = USERS.flatMap((user, turn) =>
    SYMBOLS.map((symbol, place) => {
      const id = 1 + turn * SYMBOLS.length + place
      const [created, expired] = [now - 40 * 86_400 + id * 60, now + 40 * 86_400]
      const date = (at: number) => new Date(at * 1000).toISOString().slice(0, 19).replace('T', ' ')
      const labels = [4, 'Moderate\u200b Buy\u202e', 1, '\u2066Initiated ']
      const times = [created, date(created), expired, date(expired)]
      return [id, user, symbol, ...labels, '4.50', 1, 0, 0, ...times].map(toCell).join(',')
    }),
  )
  return `${[HEADER, ...lines].join('\r\n')}\r\n`
}

const toCell = (value: string | number) =>
  typeof value === 'string' ? `"${value.replaceAll('"', '""')}"` : value

let app: RunningApp
let folder: string
const at = (path: string) => `${app.url}${path}`
const pageOf = (symbol: string) => `/symbols/${toPathPart(symbol)}`

test.beforeAll(async () => {
  test.setTimeout(120_000)
  folder = mkdtempSync(join(tmpdir(), 'bellwether-alike-'))
  const csv = join(folder, 'posts.csv')
  writeFileSync(csv, toCsv())
  app = await startApp({ env: { SERVICE_POSTS_CSV: csv } })
  const total = async () => (await (await fetch(at('/api/ratings'))).json()).page?.total
  await expect.poll(total, { timeout: 45_000 }).toBe(USERS.length * SYMBOLS.length)
})
test.afterAll(async () => {
  await app?.stop()
  rmSync(folder, { recursive: true, force: true })
})

const readTexts = async (page: Page, html?: string): Promise<string[]> =>
  await page.evaluate((text) => {
    const shown = text ? new DOMParser().parseFromString(text, 'text/html') : document
    const texts = [shown.title]
    const walker = shown.createTreeWalker(shown, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const { parentElement: parent, textContent } = walker.currentNode
      if (!parent?.closest('script, style, template')) texts.push(textContent ?? '')
    }
    for (const name of ['title', 'aria-label', 'alt', 'content', 'placeholder', 'data-label']) {
      for (const element of shown.querySelectorAll(`[${name}]`)) {
        texts.push(element.getAttribute(name) ?? '')
      }
    }
    for (const input of shown.querySelectorAll('input')) texts.push(input.value)
    return texts
  }, html)

const expectVisible = (texts: string[]) =>
  expect(texts.filter((text) => INVISIBLE.test(text)).map((text) => JSON.stringify(text))).toEqual(
    [],
  )

const expectNothingInvisible = async (page: Page) => expectVisible(await readTexts(page))

test('the table, the league and the filters tell symbols apart that look alike', async ({
  page,
}) => {
  await page.goto(at('/?per_page=100'))
  await expect(rows(page)).toHaveCount(USERS.length * SYMBOLS.length)
  const links = await table(page).locator('td.symbol a').allInnerTexts()
  expect([...new Set(links)].sort()).toEqual(Object.values(SHOWN).sort())
  await expect(rows(page).first()).toContainText('Moderate\\u200b Buy\\u202e')
  await expect(rows(page).first()).toContainText('\\u2066Initiated\\u0020')
  await expectNothingInvisible(page)

  await page.goto(at('/symbols'))
  const league = page.getByRole('table', { name: 'Symbols' })
  const names = await league.locator('tbody td:first-child').allInnerTexts()
  expect(names.sort()).toEqual(Object.values(SHOWN).sort())
  await expectNothingInvisible(page)
})

test('the link of each leads to its own page, which says which it is', async ({ page }) => {
  await page.goto(at('/symbols'))
  const league = page.getByRole('table', { name: 'Symbols' })
  const hrefs = await league
    .locator('tbody td:first-child a')
    .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''))
  const named = hrefs.map((href) => readPathPart(href.split('/').at(-1) ?? ''))
  expect(named.sort()).toEqual([...SYMBOLS].sort())

  for (const [symbol, shown] of Object.entries(SHOWN)) {
    const answer = await page.request.get(at(pageOf(symbol)))
    expect(answer.status(), shown).toBe(200)
    const html = await answer.text()
    expectVisible(await readTexts(page, html))
    const [title, ...named] = await page.evaluate(readNames, html)
    expect(title?.startsWith(`${shown} · `), title).toBe(true)
    expect(named).toEqual([shown, `Rating and prediction over time, ${shown}`])
  }

  await page.goto(at(pageOf(TURNED)))
  await expectNothingInvisible(page)
  await page.getByRole('link', { name: /^Ratings of / }).click()
  const shown = SHOWN[TURNED] ?? ''
  await expect(table(page).locator('td.symbol a')).toHaveText(USERS.map(() => shown))
  await expect(page).toHaveTitle(`${shown} · Ratings · Bellwether`)
  await expectNothingInvisible(page)
})

test('a symbol that is a dot or two opens from the table and answers at every address', async ({
  page,
}) => {
  for (const [symbol, part] of [
    ['.', '~.'],
    ['..', '~..'],
    ['~.', '~~.'],
  ] as const) {
    await page.goto(at('/symbols'))
    const league = page.getByRole('table', { name: 'Symbols' })
    await league.getByRole('link', { name: symbol, exact: true }).click()
    await expect(page).toHaveURL(at(`/symbols/${part}`))
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(symbol)
    for (const path of ['', '/series']) {
      const answer = await page.request.get(at(`/api/symbols/${part}${path}`))
      expect(answer.status(), path).toBe(200)
      if (path === '') expect((await answer.json()).data.symbol).toBe(symbol)
    }
    for (const path of [`/embed/symbols/${part}`, `/api/previews/symbols/${part}.png`]) {
      expect((await page.request.get(at(path))).status(), path).toBe(200)
    }
  }
})

function readNames(html: string): string[] {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const chart = parsed.querySelector('figure[aria-label*="over time"]')
  const heading = parsed.querySelector('h1')
  return [parsed.title, heading?.textContent ?? '', chart?.getAttribute('aria-label') ?? '']
}

test('no other page shows anything invisible either', async ({ page }) => {
  const others = [TURNED, 'AAPL\u200b', ' AAPL'].map((symbol) => `"${symbol}"`).join(',')
  const vs = encodeURIComponent(others)
  for (const path of [
    '/?rating=4&action=1&open=1',
    `/?symbol=${vs},-${encodeURIComponent('"AAPL "')}`,
    `/?symbol=${encodeURIComponent('A\u202eB')}`,
    `/?created=${encodeURIComponent('\u202e')}`,
    '/ratings/2',
    '/users/101',
    '/users/101?chart=table',
    '/status',
    '/downloads',
    `/symbols?q=${encodeURIComponent('\u202eX')}`,
    `/symbols?selected=${vs}`,
    `/symbols/AAPL?vs=${vs}`,
    `/symbols/AAPL?vs=${encodeURIComponent('A\u202eB')}`,
    `/embed${pageOf(TURNED)}`,
    `/embed/symbols/AAPL?vs=${vs}`,
  ]) {
    await page.goto(at(path))
    await page.waitForLoadState('networkidle')
    await expectNothingInvisible(page)
  }
})

test.describe('what nobody rated', () => {
  test.use({ allowConsole: ['404'] })

  test('is named visibly too, and a space that came along when it was pasted does no harm', async ({
    page,
  }) => {
    for (const path of ['/symbols/', '/embed/symbols/']) {
      await page.goto(at(`${path}${encodeURIComponent('ZZ\u202e')}`))
      await expect(page.getByText('ZZ\\u202e has no ratings').last()).toBeVisible()
      await expectNothingInvisible(page)
    }
    await page.goto(at(`/symbols/${encodeURIComponent('\tAAPL ')}`))
    await expect(heading(page)).toHaveText('AAPL')
  })
})

test('the search finds a symbol by what is shown of it, and by what it is', async ({ page }) => {
  const field = searchField(page)
  const options = page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option')
  for (const text of ['\\u202eLPAA\\u202c', TURNED]) {
    await page.goto(at('/symbols'))
    await openSearch(page)
    await field.fill(text)
    await expect(options.filter({ hasText: /^Symbol\\u202eLPAA\\u202c/ })).toHaveCount(1)
    for (const option of await options.allInnerTexts()) expect(option).not.toMatch(INVISIBLE)
    await page.keyboard.press('Enter')
    await expect(heading(page)).toHaveText('\\u202eLPAA\\u202c')
  }
  await page.goto(at(`/?symbol=${encodeURIComponent(TURNED)}`))
  await openSearch(page)
  await options.filter({ hasText: 'Edit this filter' }).click()
  await expect(field).toHaveValue('symbol:\\u202eLPAA\\u202c ')
})

test('a file is called by what is visible of a symbol, and holds what it is', async ({ page }) => {
  for (const [symbol, name] of [
    [TURNED, 'ratings_u202e-LPAA-u202c_'],
    ['AAPL\u200b', 'ratings_AAPL-u200b_'],
  ] as const) {
    const query = new URLSearchParams({ symbol })
    const answer = await page.request.get(at(`/api/ratings.csv?${query}`))
    expect(answer.headers()['content-disposition']).toContain(name)
    expect(answer.headers()['content-disposition']).not.toMatch(INVISIBLE)
    expect((await answer.text()).split(symbol)).toHaveLength(USERS.length + 1)
  }
})

test('the symbol itself can be copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(at(pageOf(TURNED)))
  await page.getByRole('button', { name: 'Copy symbol' }).click()
  await expect(page.getByRole('button', { name: 'Copy symbol' })).toHaveText('Copied')
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(TURNED)
  await page.goto(at(pageOf('AAPL')))
  await expect(heading(page)).toHaveText('AAPL')
  await expect(page.getByRole('button', { name: 'Copy symbol' })).toHaveCount(0)
})

test('Hebrew reads from right to left, and turns nothing around it', async ({ page }) => {
  await page.goto(at(pageOf(HEBREW)))
  const link = page.getByRole('link', { name: `Ratings of ${HEBREW}`, exact: true })
  const places = await link.evaluate((element) => {
    const word = element.querySelector('bdi')?.firstChild
    if (!word) return null
    const range = document.createRange()
    const leftOf = (from: number) => {
      range.setStart(word, from)
      range.setEnd(word, from + 1)
      return range.getBoundingClientRect().left
    }
    return { first: leftOf(0), last: leftOf(3), button: element.getBoundingClientRect().left }
  })
  expect(places?.first).toBeGreaterThan(places?.last ?? 0)
  await expectNoOverflow(page)
})
