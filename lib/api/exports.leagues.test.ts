import Papa from 'papaparse'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { toMethod } from '#lib/contract/exports.ts'
import { SYMBOL_COLUMNS } from '#lib/contract/lists/symbols.ts'
import { USER_COLUMNS } from '#lib/contract/lists/users.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import { importRows, makeRating } from '#testing/archive/arbitrary.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

async function load(path: string) {
  const response = await test.ask(path)
  expect(response.status, path).toBe(200)
  return { headers: response.headers, text: await response.text() }
}

type Row = Record<string, string | number | null | unknown[]>

async function loadLeague(path: string): Promise<Row[]> {
  const first = await (await test.ask(`${path}&per_page=7`)).json()
  const pages = Array.from({ length: first.page.pages }, (_, index) => index + 1)
  const answers = await Promise.all(
    pages.map(async (page) => await (await test.ask(`${path}&per_page=7&page=${page}`)).json()),
  )
  return answers.flatMap(({ data }) => data)
}

const textOf = (value: Row[string] | undefined) => (value === null ? '' : String(value))

it.each([
  ['symbols', 'q=a&sort=-consensus&asof=2026-01-31', SYMBOL_COLUMNS],
  ['symbols', 'sort=change_30d', SYMBOL_COLUMNS],
  ['users', 'q=1&sort=-symbols', USER_COLUMNS],
] as const)(
  'the league of %s with %s is a file of all its rows, in the order that the page has',
  async (league, query, columns) => {
    const rows = await loadLeague(`/api/${league}?${query}`)
    expect(rows.length).toBeGreaterThan(0)
    const path = `${query}&page=2&per_page=3`
    const { headers, text } = await load(`/api/${league}.csv?${path}`)
    const csv = Papa.parse<Record<string, string>>(text.trimEnd(), { header: true })
    expect(csv.meta.fields).toEqual([...columns])
    const named = columns.filter((name) => !name.endsWith('_date'))
    const pick = (row: Row | Record<string, string>) => named.map((name) => textOf(row[name]))
    expect(csv.data.map(pick)).toEqual(rows.map(pick))
    expect(csv.data[0]?.last_created_at_date).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    expect(headers.get('bellwether-rows')).toBe(String(rows.length))

    const json = JSON.parse((await load(`/api/${league}.json?${path}`)).text)
    expect(json.data.map(pick)).toEqual(rows.map(pick))
    const { generation, completeTo: complete_to } = test.archive.state()
    expect(json.meta).toMatchObject({
      of: league,
      rows: rows.length,
      generation,
      complete_to,
      columns: [...columns],
      filters: Object.fromEntries(new URLSearchParams(query)),
      time_zone: 'UTC',
      method: toMethod(league),
    })
    const lines = (await load(`/api/${league}.ndjson?${path}`)).text.trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line))).toEqual(json.data)
  },
)

it('a file is named by the league, what was searched for, its order and its day', async () => {
  const nameOf = async (path: string) =>
    (await load(path)).headers.get('content-disposition')?.match(/filename="(.+)"/)?.[1]
  expect(await nameOf('/api/symbols.csv?q=a&asof=2026-01-31')).toBe(
    'symbols_a_by-active_2026-01-31.csv',
  )
  expect(await nameOf('/api/users.ndjson')).toBe('users_by-ratings_2026-11-18.ndjson')
})

it('a symbol is as it is, and no formula in a file for Excel', async () => {
  await importRows(test.archive, [
    makeRating({ id: 900_001, symbol: '=SUM(A1),"x"', created_at: test.clock.now - 60 }),
  ])
  const cellOf = (text: string) =>
    Papa.parse<Record<string, string>>(text.trimEnd(), { header: true }).data.map(
      ({ symbol }) => symbol,
    )
  const path = `/api/symbols.csv?q=${encodeURIComponent('=SUM')}`
  expect(cellOf((await load(path)).text)).toEqual(['=SUM(A1),"x"'])
  const bytes = Buffer.from(await (await test.ask(`${path}&excel=1`)).arrayBuffer())
  expect(bytes.subarray(0, 3).toString('hex')).toBe('efbbbf')
  expect(cellOf(bytes.toString().slice(1))).toEqual(['\'=SUM(A1),"x"'])
})

it.each([
  ['/api/symbols.json?excel=1', 'excel', /is not a parameter here/],
  ['/api/users.csv?columns=user_id', 'columns', /is not a parameter here/],
  ['/api/users.csv?sort=-bias', 'sort', /is not one of/],
  ['/api/users.csv?peers_of=1', 'peers_of', /is not a parameter here/],
])('%s is refused, and what is wrong is named', async (path, parameter, message) => {
  const response = await test.ask(path)
  expect(response.status).toBe(400)
  const { error } = await response.json()
  expect(error.issues).toEqual([{ parameter, message: expect.stringMatching(message) }])
})

it('files of leagues take the same places as those of ratings', async () => {
  const running = await Promise.all(Array.from({ length: 16 }, () => test.ask('/api/symbols.csv')))
  expect((await test.ask('/api/ratings.csv')).status).toBe(503)
  await Promise.all(running.map((response) => response.body?.cancel()))
  await load('/api/users.csv')
})
