import { afterAll, beforeAll, expect, it } from 'vitest'
import { quarantineFacetsAnswer, quarantinePage } from '#lib/contract/answers/status.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'

let test: TestApi
beforeAll(async () => {
  test = await openTestApi()
  await test.archive.import({ kind: 'dump', name: '2026-11-15' }, async (run) => {
    const rejected = Array.from({ length: 7 }, (_, id) => ({
      reason: 'id: odd',
      raw: `{"id":${id}}`,
    }))
    await run.append([], [...rejected, { reason: 'row: cells', raw: '=cmd|"x"\n' }])
    return { completeTo: null }
  })
})
afterAll(() => test.close())

const load = async (query: string) =>
  quarantinePage.parse(await (await test.ask(`/api/quarantine${query}`)).json())

it('rows are paged, filtered by reason, and counted by it', async () => {
  const { data, page, meta } = await load('?per_page=3&page=2')
  expect(page).toEqual({ number: 2, size: 3, total: 8, pages: 3 })
  expect(data).toHaveLength(3)
  expect(meta).toMatchObject({ all: 8, received: 8 })
  const picked = await load('?reason=row:+cells')
  expect(picked.data).toEqual([
    { at: test.clock.now, source: '2026-11-15', reason: 'row: cells', raw: '=cmd|"x"\n' },
  ])
  expect(picked).toMatchObject({ page: { total: 1 }, meta: { all: 8 } })
  const facets = await test.ask('/api/quarantine/facets?reason=row:+cells')
  expect(quarantineFacetsAnswer.parse(await facets.json()).data).toMatchObject({
    reason: [
      { value: 'id: odd', count: 7 },
      { value: 'row: cells', count: 1 },
    ],
    distinct: { reasons: 2 },
    bounds: { created: { from: test.clock.now, to: test.clock.now + 1 } },
  })
})

it('a page past the end is empty, and no fault', async () => {
  expect(await load('?page=400')).toMatchObject({ data: [], page: { total: 8 } })
})

it.each([
  ['?source=x', 'source', /is not a parameter here/],
  ['?per_page=501', 'per_page', /./],
  ['?page=0', 'page', /./],
  ['?from=2026-01-01&to=2025-01-01', 'to', /./],
])('%s is refused, and what is wrong is named', async (query, parameter, message) => {
  const response = await test.ask(`/api/quarantine${query}`)
  expect(response.status).toBe(400)
  const { error } = await response.json()
  expect(error.issues).toEqual([{ parameter, message: expect.stringMatching(message) }])
})

it('a query is one file, one row a line, as many as its headers say', async () => {
  const response = await test.ask('/api/quarantine.ndjson')
  expect(response.headers.get('bellwether-rows')).toBe('8')
  expect(response.headers.get('content-disposition')).toBe(
    'attachment; filename="quarantine_2026-11-18.ndjson"',
  )
  const text = await response.text()
  const lines = text.trimEnd().split('\n')
  expect(lines).toHaveLength(8)
  expect(lines.map((line) => JSON.parse(line).raw)).toContain('=cmd|"x"\n')
  const head = await test.ask('/api/quarantine.ndjson', { method: 'HEAD' })
  expect(head.headers.get('bellwether-rows')).toBe('8')
  expect(test.timers.count()).toBe(0)
})

it('a download that is left unread frees its place', async () => {
  for (let round = 0; round < 2; round += 1) {
    const running = await Promise.all(
      Array.from({ length: 16 }, () => test.ask('/api/quarantine.ndjson')),
    )
    expect(running.map(({ status }) => status)).toEqual(running.map(() => 200))
    await Promise.all(running.map((response) => response.body?.cancel()))
  }
})
