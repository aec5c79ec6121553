import { afterAll, beforeAll, expect, test } from 'vitest'
import { lookupFacetsAnswer, lookupsPage } from '#lib/contract/answers/lookups.ts'
import { editionsAnswer } from '#lib/contract/answers/status.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let api: TestApi
beforeAll(async () => {
  api = await openTestApi()
  await api.fill()
})
afterAll(() => api.close())

const read = async (path: string) => await (await api.ask(path)).text()

test('each form of a file has every look-up that the list counts, in its order, and says of what edition it is', async () => {
  const listed = lookupsPage.parse(JSON.parse(await read('/api/lookups?source=slack&per_page=500')))
  expect(listed.page.total).toBeGreaterThan(100)
  expect(listed.meta).toMatchObject({ edition: '2026-11-15', known_to: 1_794_718_800 })
  const rows = (await read('/api/lookups.ndjson?source=slack')).trimEnd().split('\n')
  expect(rows).toHaveLength(listed.page.total)
  expect(rows.slice(0, 500).map((row) => JSON.parse(row))).toEqual(listed.data.slice(0, 500))
  const csv = (await read('/api/lookups.csv?source=slack')).trimEnd().split(/\r?\n/)
  expect(csv[0]).toBe('id,symbol,source,room_id,created_at')
  expect(csv).toHaveLength(listed.page.total + 1)
  const document = JSON.parse(await read('/api/lookups.json?source=slack'))
  expect(document.rows).toBe(listed.page.total)
  const parquet = await api.ask('/api/lookups.parquet?source=slack')
  expect(new TextDecoder().decode((await parquet.bytes()).slice(0, 4))).toBe('PAR1')
  expect(parquet.headers.get('content-disposition')).toContain('lookups_source-slack_')
})

test('facets add up to the rows that there are', async () => {
  const { data } = lookupFacetsAnswer.parse(JSON.parse(await read('/api/lookups/facets')))
  const { meta } = lookupsPage.parse(JSON.parse(await read('/api/lookups')))
  const sum = (lines: readonly { count: number }[]) =>
    lines.reduce((all, one) => all + one.count, 0)
  expect(sum(data.source)).toBe(meta.all)
  expect(sum(data.created)).toBe(meta.all)
})

test.each([
  ['/api/lookups?from=2026-01-02&to=2026-01-01', 'to is not after from'],
  ['/api/lookups?sort=rating', 'sort is not one of'],
])('%s is refused by name', async (path, message) => {
  expect(await read(path)).toContain(message)
})

test('the card of the dump says what was read of it', async () => {
  const { data } = JSON.parse(await read('/api/dumps'))
  expect(data.lookups.imported).toMatchObject({ state: 'imported', problem: null, set_aside: 0 })
})

const WEEK = 7 * 86_400

test('lists the stored editions, newest first', async () => {
  const api = await openTestApi()
  try {
    await api.fill()
    api.clock.now += WEEK
    await api.editions.ensure('posts')
    const { data } = editionsAnswer.parse(await (await api.ask('/api/editions')).json())
    expect(data.posts.map(({ edition, state }) => [edition, state])).toEqual([
      ['2026-11-22', 'current'],
      ['2026-11-15', 'earlier'],
    ])
  } finally {
    await api.close()
  }
})
