import Papa from 'papaparse'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { everyRowQuery, ROW_COLUMNS, toFilePath } from '#lib/contract/export-choice.ts'
import { EXPORT_FORMATS } from '#lib/contract/export-formats.ts'
import { toPlainPath } from '#lib/contract/export-path.ts'
import { exportQuery, toMethod, withCsv } from '#lib/contract/exports.ts'
import { parseParameters, toParams } from '#lib/contract/query-schema.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { only } from '#lib/contract/value-list.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

const AT_ONCE = 16

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.fill()
})
afterAll(() => test.close())

const ask = (signal?: AbortSignal) => test.ask('/api/ratings.csv', { signal })
const askMany = () => Promise.all(Array.from({ length: AT_ONCE }, () => ask()))

const load = async (path: string) => {
  const response = await test.ask(path)
  expect(response.status).toBe(200)
  return { headers: response.headers, text: await response.text() }
}
const loadRows = async (query: string) => {
  const { page, data } = await (await test.ask(`/api/ratings?per_page=500&${query}`)).json()
  return { total: page.total as number, data }
}

describe('an export', () => {
  it.each(EXPORT_FORMATS)(
    'in %s declares how many rows it holds, and of which moment',
    async (f) => {
      const { total } = await loadRows('rating=5')
      for (const method of ['GET', 'HEAD']) {
        const response = await test.ask(`/api/ratings.${f}?rating=5&page=3&per_page=1`, { method })
        expect(response.headers.get('bellwether-rows')).toBe(String(total))
        const { generation, completeTo, gaps } = test.archive.state()
        expect(response.headers.get('bellwether-gaps')).toBe(String(gaps.unexplained))
        expect(response.headers.get('bellwether-generation')).toBe(String(generation))
        expect(response.headers.get('bellwether-complete-to')).toBe(String(completeTo))
        expect(response.headers.get('bellwether-as-of')).toBe(String(test.clock.now))
        expect(response.headers.get('content-disposition')).toBe(
          `attachment; filename="ratings_rating-5_2026-11-18.${f}"`,
        )
        await response.body?.cancel()
      }
      expect(test.timers.count()).toBe(0)
    },
  )

  it('holds every matching row in its order, the same in each format', async () => {
    const { data } = await loadRows('rating=4,5&sort=-prediction')
    const query = 'rating=4,5&sort=-prediction&page=2&per_page=7'
    const csv = Papa.parse<Record<string, string>>(
      (await load(`/api/ratings.csv?${query}`)).text.trimEnd(),
      { header: true },
    )
    expect(csv.meta.fields).toEqual([...ROW_COLUMNS])
    expect(csv.data.map(({ id, symbol }) => [Number(id), symbol])).toEqual(
      data.map((row: { id: number; symbol: string }) => [row.id, row.symbol]),
    )
    const json = JSON.parse((await load(`/api/ratings.json?${query}`)).text)
    expect(json).toMatchObject({ success: true, code: 200, rows: data.length })
    const { generation, completeTo: complete_to, gaps } = test.archive.state()
    expect(json.meta).toEqual({
      rows: data.length,
      as_of: test.clock.now,
      generation,
      complete_to,
      gaps: gaps.unexplained,
      of: 'ratings',
      query: 'rating=4%2C5&sort=-prediction',
      columns: [...ROW_COLUMNS],
      filters: { rating: '4,5', sort: '-prediction' },
      time_zone: 'UTC',
      service: expect.any(String),
      invented: false,
      method: toMethod('ratings'),
    })
    expect(json.data).toEqual(data)
    const { text } = await load(`/api/ratings.ndjson?${query}`)
    expect(text.endsWith('}\n')).toBe(true)
    expect(
      text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(data)
    const parquet = await test.ask(`/api/ratings.parquet?${query}`)
    const bytes = Buffer.from(await parquet.arrayBuffer())
    expect(parquet.headers.get('bellwether-bytes')).toBe(String(bytes.byteLength))
    expect(parquet.headers.get('content-length')).toBe(String(bytes.byteLength))
    expect([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()]).toEqual([
      'PAR1',
      'PAR1',
    ])
  })

  it('of no rows is whole as well', async () => {
    const none = 'symbol=NOBODY'
    expect((await load(`/api/ratings.csv?${none}`)).text).toBe(`${ROW_COLUMNS.join(',')}\r\n`)
    expect((await load(`/api/ratings.ndjson?${none}`)).text).toBe('')
    const { headers, text } = await load(`/api/ratings.json?${none}`)
    expect(JSON.parse(text)).toMatchObject({ data: [], rows: 0 })
    expect(headers.get('bellwether-rows')).toBe('0')
    expect((await load(`/api/ratings.parquet?${none}`)).text).toMatch(/^PAR1/)
  })

  it('holds the columns that are asked for, in their order', async () => {
    const { text } = await load('/api/ratings.csv?id=1&columns=symbol,id')
    expect(text).toMatch(/^symbol,id\r\n[^,]+,1\r\n$/)
    const line = (await load('/api/ratings.ndjson?id=1&columns=state,id,extra')).text
    expect(Object.keys(JSON.parse(line))).toEqual(['state', 'id', 'extra'])
  })

  it('for Excel begins with a byte order mark', async () => {
    const bytes = async (query: string) =>
      Buffer.from(await (await test.ask(`/api/ratings.csv?id=1&${query}`)).arrayBuffer())
    expect((await bytes('excel=1')).subarray(0, 5).toString('hex')).toBe('efbbbf6964')
    expect((await bytes('excel=0')).subarray(0, 2).toString()).toBe('id')
  })

  it.each([
    ['/api/ratings.csv?columns=id,colour', 'columns', /names colour, which is not one of id,/],
    ['/api/ratings.csv?columns=id,Symbol', 'columns', /is not a list of names/],
    ['/api/ratings.csv?excel=yes', 'excel', /is not one of 0, 1/],
    ['/api/ratings.json?excel=1', 'excel', /is not a parameter here/],
    ['/api/ratings.csv?formulas=exact', 'formulas', /is not a parameter here/],
    ['/api/ratings.csv?bom=1', 'bom', /is not a parameter here/],
    ['/api/ratings.ndjson?tz=UTC', 'tz', /is not a parameter here/],
    ['/api/ratings.ndjson?from=2024-02-01&to=2024-01-01', 'to', /is not after from/],
  ])('%s is refused, and what is wrong is named', async (path, parameter, message) => {
    const response = await test.ask(path)
    const { error } = await response.json()
    expect(response.status).toBe(400)
    expect(error.issues).toEqual([{ parameter, message: expect.stringMatching(message) }])
    expect(response.headers.has('content-disposition')).toBe(false)
  })
})

describe('at once', () => {
  it('exports beyond what memory allows are told to come back', async () => {
    const running = await askMany()
    expect(running.every(({ status }) => status === 200)).toBe(true)
    const refused = await ask()
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '10'])
    expect(await refused.json()).toMatchObject({ success: false, error: { type: 'busy' } })
    await Promise.all(running.map((response) => response.body?.cancel()))
  })

  it('an export that was refused takes no place', async () => {
    await Promise.all(Array.from({ length: 20 }, () => test.ask('/api/ratings.csv?columns=colour')))
    const running = await askMany()
    expect(running.every(({ status }) => status === 200)).toBe(true)
    await Promise.all(running.map((response) => response.body?.cancel()))
  })

  it.each([
    ['was read to its end', async (response: Response) => void (await response.text())],
    ['was left unread', async (response: Response) => await response.body?.cancel()],
  ])('an export that %s makes room for another', async (_how, finish) => {
    const running = await askMany()
    await Promise.all(running.map(finish))
    const again = await askMany()
    expect(again.map(({ status }) => status)).toEqual(running.map(() => 200))
    await Promise.all(again.map((response) => response.body?.cancel()))
  })

  it('an export whose reader went away before it began makes room for another', async () => {
    const gone = new AbortController()
    await Promise.all(Array.from({ length: AT_ONCE }, () => ask(gone.signal)))
    gone.abort()
    const next = await ask()
    expect(next.status).toBe(200)
    await next.body?.cancel()
  })

  it.each([
    ['stops reading', 60_000],
    ['takes for ever', 3_600_000],
  ])('a reader who %s is given up: his export fails, and another has its place', async (_w, ms) => {
    const running = await askMany()
    const [first] = running
    const reader = first?.body?.getReader()
    await reader?.read()
    test.timers.pass(ms)
    await expect(reader?.read()).rejects.toMatchObject({ fault: 'busy' })
    const again = await askMany()
    expect(again.every(({ status }) => status === 200)).toBe(true)
    await Promise.all(again.map((response) => response.body?.cancel()))
    expect(test.timers.count()).toBe(0)
  })
})

const PAGE = { ...EVERY_RATING, symbol: only('A,"B'), rating: only(5), page: 3, per_page: 100 }

it('an address has every matching row, and nothing that a format does not have', () => {
  const every = toParams(everyRowQuery, { ...PAGE, symbol: only('AAPL') })
  const choice = { format: 'csv', columns: [], isForExcel: true } as const
  const address = '/api/ratings.csv?symbol=AAPL&rating=5'
  expect(toFilePath('ratings', every, choice)).toBe(`${address}&excel=1`)
  expect(toPlainPath('ratings', every)).toBe(`${address}&excel=1`)
  expect(toFilePath('ratings', every, { ...choice, isForExcel: false })).toBe(address)
  const json = address.replace('csv', 'json')
  expect(toFilePath('ratings', every, { ...choice, format: 'json' })).toBe(json)
})

it.each(EXPORT_FORMATS)('what is written for %s is read back as what was chosen', (format) => {
  const columns = ['symbol', 'id', 'extra'] as const
  const choice = { format, columns, isForExcel: true } as const
  const path = toFilePath('ratings', toParams(everyRowQuery, PAGE), choice)
  const params = new URL(path, 'http://x').searchParams
  const parsed =
    format === 'csv'
      ? parseParameters(withCsv(exportQuery), params)
      : parseParameters(exportQuery, params)
  expect(parsed).toEqual({
    ok: true,
    value: {
      ...PAGE,
      page: 1,
      per_page: EVERY_RATING.per_page,
      columns: [...columns],
      ...(format === 'csv' ? { excel: '1' } : {}),
    },
  })
})

it('a description of a file beside it is unknown', async () => {
  expect((await test.ask('/api/ratings.manifest')).status).toBe(404)
})

it('before the first import every file is refused with a time to retry, and none claims to be complete', async () => {
  const empty = await openTestApi()
  const addresses = ['ratings.csv', 'ratings.json', 'ratings.parquet', 'users.csv', 'symbols.json']
  for (const address of addresses) {
    const refused = await empty.ask(`/api/${address}`)
    expect([address, refused.status, refused.headers.get('retry-after')]).toEqual([
      ...[address, 503, '30'],
    ])
    expect((await refused.json()).error).toMatchObject({
      type: 'not_ready',
      message: expect.stringMatching(/being filled for the first time/),
    })
  }
  await empty.fill()
  expect((await empty.ask('/api/ratings.csv')).status).toBe(200)
  await empty.close()
})
