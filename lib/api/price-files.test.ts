import { afterAll, beforeAll, expect, it } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import { NO_REJECTS, toRejectedLines } from '#lib/csv/rejects.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import type { Prices } from './endpoint.ts'

const done: string[] = []

const prices: Prices = {
  report: () => ({
    is_configured: true,
    prices: 1,
    symbols: 1,
    first_day: null,
    last_day: null,
    benchmark: null,
    read_at: null,
    problem: null,
    files: [],
    doubled: 0,
    spikes: [],
    jumps: [],
    ...toRejectedLines(NO_REJECTS),
    unrated: { symbols: 0, examples: [] },
    invented: false,
  }),
  rejects: () => NO_REJECTS,
  async drop({ name, bytes, body, client }) {
    let text = ''
    for await (const piece of body) text += Buffer.from(piece).toString()
    done.push(`put ${name} ${bytes} ${text} ${client}`)
  },
  async remove(name) {
    if (name !== 'a b.csv') throw new AppError('not_found', 'No price file has that name.')
    done.push(`remove ${name}`)
  },
}

let test: TestApi
beforeAll(async () => {
  test = await openTestApi({ prices })
})
afterAll(async () => await test.close())

const OURS = { 'sec-fetch-site': 'same-origin', 'content-type': 'text/csv' }

it('a page of ours puts a file here and takes it away', async () => {
  const init = { method: 'PUT', body: 'x,y', headers: { ...OURS, 'content-length': '3' } }
  const put = await test.ask('/api/prices/a%20b.csv', init, { client: '203.0.113.8' })
  expect(put.status).toBe(200)
  expect(await put.json()).toMatchObject({ success: true, data: { prices: 1 } })
  const removed = await test.ask('/api/prices/a%20b.csv', { method: 'DELETE', headers: OURS })
  expect(removed.status).toBe(200)
  expect(done).toEqual(['put a b.csv 3 x,y 203.0.113.8', 'remove a b.csv'])
  const missing = await test.ask('/api/prices/b.csv', { method: 'DELETE', headers: OURS })
  expect(missing.status).toBe(404)
})

it.each([
  ['a page of another site', { 'sec-fetch-site': 'cross-site' }],
  ['whoever does not say where he comes from', {}],
])('%s changes no price file', async (_, headers) => {
  const before = done.length
  const put = await test.ask('/api/prices/a.csv', { method: 'PUT', body: 'x', headers })
  expect(put.status).toBe(403)
  const removed = await test.ask('/api/prices/a%20b.csv', { method: 'DELETE', headers })
  expect(removed.status).toBe(403)
  expect(done).toHaveLength(before)
})

it('nothing else is done at its address', async () => {
  const response = await test.ask('/api/prices/a.csv')
  expect(response.status).toBe(405)
  expect(response.headers.get('allow')).toBe('PUT, DELETE')
})
