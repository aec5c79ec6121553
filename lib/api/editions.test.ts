import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  differenceFacetsAnswer,
  differencesPage,
} from '#lib/contract/answers/edition-differences.ts'
import { toRowSchema } from '#lib/contract/answers/lists.ts'
import { toExportedRows } from '#lib/contract/exports.ts'
import { differenceList } from '#lib/contract/lists/edition-differences.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

const WEEK = 7 * 86_400

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await api.fill()
})
afterAll(() => api.close())

const read = async (path: string) => await (await api.ask(path)).text()
const list = async (asked = '') =>
  differencesPage.parse(JSON.parse(await read(`/api/editions/differences${asked}`)))
const count = async (asked = '') =>
  differenceFacetsAnswer.parse(JSON.parse(await read(`/api/editions/differences/facets${asked}`)))

test('one edition differs from none: nothing is listed, and that is said', async () => {
  const { data, meta } = await list()
  expect([data, meta.between, meta.all]).toEqual([[], null, 0])
  expect(await read('/api/editions/differences.ndjson')).toBe('')
})

test('a week later each answer is of the same ratings, and the counts of the editions are theirs', async () => {
  api.clock.now += WEEK
  await api.editions.ensure('posts')
  await api.editions.settled()
  const { data, meta, page } = await list('?per_page=500')
  expect(meta.between).toMatchObject({
    from: { edition: '2026-11-15', only: [] },
    to: { edition: '2026-11-22', only: [] },
  })
  expect(meta.kinds.new).toBeGreaterThan(0)
  expect(meta.kinds.votes).toBeGreaterThan(0)
  expect(page.total).toBe(meta.all)
  const [latest] = api.editions.list('posts')
  const { kinds } = meta
  expect(latest?.changes).toEqual({
    against: '2026-11-15',
    added: kinds.new + kinds.returned,
    changed: kinds.edited + kinds.ended_early + kinds.votes,
    gone: kinds.vanished,
  })
  const facets = await count()
  expect(Object.fromEntries(facets.data.kind.map((line) => [line.value, line.count]))).toEqual(
    kinds,
  )
  expect(data.every((row) => (row.kind === 'new') === (row.changes.length === 0))).toBe(true)
})

test('filters leave what the counts beside them say, and sorting changes no row', async () => {
  const { data: facets } = await count('?kind=votes')
  const [symbol, user, field] = [facets.symbol[0], facets.user[0], facets.field[0]]
  if (!symbol || !user || !field) throw new Error('nothing was counted')
  const asked = [
    [`?kind=votes&symbol=${symbol.value}`, symbol.count],
    [`?kind=votes&user=${user.value}`, user.count],
    [`?kind=votes&field=${field.value}`, field.count],
  ] as const
  for (const [query, expected] of asked) expect((await list(query)).page.total).toBe(expected)
  const both = await list(`?kind=votes&symbol=-${symbol.value}`)
  const all = await list('?kind=votes')
  expect(both.page.total).toBe(all.page.total - symbol.count)
  for (const sort of ['created_at', '-id', 'symbol', '-user_id', '-kind']) {
    const sorted = await list(`?kind=new,ended_early,edited&per_page=500&sort=${sort}`)
    const usual = await list('?kind=new,ended_early,edited&per_page=500')
    const ids = (page: typeof sorted) => page.data.map(({ id }) => id).sort()
    expect(ids(sorted)).toEqual(ids(usual))
  }
})

test('each form of a file has a row for each change, and names its editions', async () => {
  const { data, page } = await list('?kind=votes,new&sort=id&per_page=500')
  const rows = data.flatMap(({ id_text: _text, changes, ...rating }) => {
    const all = changes.length === 0 ? [{ field: null, before: null, after: null }] : changes
    return all.map((change) => ({ ...rating, ...change }))
  })
  const lines = (await read('/api/editions/differences.ndjson?kind=votes,new&sort=id'))
    .trimEnd()
    .split('\n')
  const parsed = lines.map((line) => toRowSchema(differenceList).parse(JSON.parse(line)))
  expect(parsed.slice(0, rows.length)).toEqual(rows.slice(0, parsed.length))
  expect(page.total).toBeLessThanOrEqual(parsed.length)
  const csv = (await read('/api/editions/differences.csv?kind=votes,new')).trimEnd().split('\r\n')
  expect(csv[0]).toBe('id,kind,symbol,user_id,rating,prediction,created_at,field,before,after')
  expect(csv).toHaveLength(lines.length + 1)
  expect((await list('?kind=votes,new')).meta.file.rows).toBe(lines.length)
  const document = toExportedRows(differenceList).parse(
    JSON.parse(await read('/api/editions/differences.json?kind=votes,new')),
  )
  expect(document.rows).toBe(lines.length)
  expect(document.meta.filters).toMatchObject({ from: '2026-11-15', to: '2026-11-22' })
  const parquet = await api.ask('/api/editions/differences.parquet')
  expect(new TextDecoder().decode((await parquet.bytes()).slice(0, 4))).toBe('PAR1')
  expect(parquet.headers.get('content-disposition')).toContain('differences_2026-11-15_2026-11-22')
})

test.each([
  ['?from=2026-11-22&to=2026-11-15', 400, 'from is not before to'],
  ['?kind=gone', 400, 'kind is not one of'],
  ['?from=2020-01-05', 404, 'No posts dump of that Sunday is stored'],
])('%s is refused in a sentence', async (asked, status, message) => {
  const response = await api.ask(`/api/editions/differences${asked}`)
  expect(response.status).toBe(status)
  expect(await response.text()).toContain(message)
})
