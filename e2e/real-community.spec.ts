import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import Papa from 'papaparse'
import { type RunningApp, startApp } from './support/app.ts'
import { seriesFigure } from './support/chart-figure.ts'
import { expect, test } from './support/test.ts'

/** Optional real data. */
const CSV = resolve('../shared/data/broker-ratings.csv')

type Row = {
  id: number
  user: string
  symbol: string
  rating: number
  action: number
  created: number
  expires: number
}

const ratio = (part: number, total: number) => (part / total).toFixed(4)

test.describe('on a real community', () => {
  test.skip(!existsSync(CSV), 'the real ratings are not beside this checkout')
  test.describe.configure({ mode: 'serial' })
  let app: RunningApp
  let rows: Row[]

  test.beforeAll(async () => {
    test.setTimeout(120_000)
    rows = readRows()
    app = await startApp({ env: { SERVICE_POSTS_CSV: CSV } })
    await expect
      .poll(async () => (await ask('/api/ratings')).page.total, { timeout: 45_000 })
      .toBe(rows.length)
  })
  test.afterAll(async () => {
    await app?.stop()
  })

  const ask = async (path: string) => await (await fetch(app.url + path)).json()

  test('filters give exactly the rows of the file', async () => {
    const cases: [string, (row: Row) => boolean][] = [
      ['symbol=aapl', (row) => row.symbol === 'AAPL'],
      ['symbol=AAPL,MSFT&rating=5', (row) => /^(AAPL|MSFT)$/.test(row.symbol) && row.rating === 5],
      ['user=92&action=2,3', (row) => row.user === '92' && [2, 3].includes(row.action)],
      [
        'from=2020-01-01&to=2021-01-01',
        (row) => row.created >= 1_577_836_800 && row.created < 1_609_459_200,
      ],
      ['asof=2015-06-01', (row) => row.created < 1_433_203_200],
    ]
    for (const [query, passes] of cases) {
      const expected = rows.filter(passes)
      const { page, data } = await ask(`/api/ratings?${query}&per_page=500`)
      expect(page.total, query).toBe(expected.length)
      const newest = [...expected]
        .sort((a, b) => b.created - a.created || b.id - a.id)
        .slice(0, 500)
      expect(
        data.map((row: { id: number }) => row.id),
        query,
      ).toEqual(newest.map(({ id }) => id))
      const lines = (await (await fetch(`${app.url}/api/ratings.csv?${query}`)).text()).trimEnd()
      expect(lines.split('\r\n').length - 1, query).toBe(expected.length)
    }
  })

  test('facets count what the file holds', async () => {
    const { data } = await ask('/api/facets?symbol=NVDA')
    const ofSymbol = rows.filter(({ symbol }) => symbol === 'NVDA')
    for (const { value, count } of data.rating) {
      expect(count).toBe(ofSymbol.filter(({ rating }) => rating === value).length)
    }
    const created = data.created.reduce((sum: number, bin: { count: number }) => sum + bin.count, 0)
    expect(created).toBe(ofSymbol.length)
  })

  for (const date of ['2016-05-20', '2020-03-16', '2024-08-02', '2026-06-22']) {
    test(`the aggregate of every symbol on ${date} is that of the file`, async () => {
      const at = Date.parse(`${date}T23:59:59Z`) / 1000
      for (const symbol of new Set(rows.map((row) => row.symbol))) {
        const { data } = await ask(`/api/symbols/${symbol}?date=${date}`)
        expect(data).toMatchObject(toAggregate(symbol, date, at))
      }
    })
  }

  const toAggregate = (symbol: string, day: string, at: number) => {
    const active = rows.filter(
      (row) => row.symbol === symbol && row.created <= at && at < untilOf(row),
    )
    const count = (passes: (row: Row) => boolean) => active.filter(passes).length
    const sum = active.reduce((total, { rating }) => total + rating, 0)
    const total = active.length
    return {
      day,
      symbol,
      total: String(total),
      avg_rating: total === 0 ? null : (Math.round((sum * 10_000) / total) / 10_000).toFixed(4),
      r5: String(count(({ rating }) => rating === 5)),
      a1: String(count(({ action }) => action === 1)),
      a3_ratio:
        total === 0
          ? '0.0000'
          : ratio(
              count(({ action }) => action === 3),
              total,
            ),
    }
  }

  const followers = new Map<number, number>()
  const untilOf = (row: Row) =>
    Math.min(row.expires, followers.get(row.id) ?? Number.POSITIVE_INFINITY)

  function readRows(): Row[] {
    const { data } = Papa.parse<Record<string, string>>(readFileSync(CSV, 'utf8'), {
      header: true,
      skipEmptyLines: true,
    })
    const parsed = data.map((row) => ({
      id: Number(row.id),
      user: row.user_id ?? '',
      symbol: row.symbol ?? '',
      rating: Number(row.rating),
      action: Number(row.action),
      created: Number(row.created_at),
      expires: Number(row.expired_at),
    }))
    const last = new Map<string, Row>()
    for (const row of [...parsed].sort((a, b) => a.created - b.created || a.id - b.id)) {
      const before = last.get(`${row.user} ${row.symbol}`)
      if (before) followers.set(before.id, row.created)
      last.set(`${row.user} ${row.symbol}`, row)
    }
    return parsed
  }

  test("a symbol's page shows its count and its chart", async ({ page }) => {
    await page.goto(`${app.url}/symbols/TSLA`)
    const total = rows.filter(({ symbol }) => symbol === 'TSLA').length
    await expect(page.getByRole('main')).toContainText(`${total.toLocaleString('en-US')} ratings`)
    const figure = seriesFigure(page, 'TSLA')
    await expect(figure.getByRole('application').first()).toBeVisible()
  })
})
