import { afterAll, beforeAll, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { NO_REJECTS, toRejectedLines } from '#lib/csv/rejects.ts'
import { openTestApi, type TestApi } from '#testing/api/open-api.ts'
import type { Names } from './endpoint.ts'

const world = { version: 0, named: new Map<string, string>() }

const names: Names = {
  version: () => world.version,
  sectorOf: () => null,
  of: (symbol) => world.named.get(symbol) ?? null,
  find: (text) => [...world.named].flatMap(([key, name]) => (name === text ? [key] : [])),
  report: () => ({
    is_configured: true,
    file: 'names.csv',
    names: 0,
    read_at: null,
    problem: null,
    ...toRejectedLines(NO_REJECTS),
  }),
  rejects: () => NO_REJECTS,
}

let test: TestApi
beforeAll(async () => {
  test = await openTestApi({ ratings: 600, names })
  await test.fill()
})
afterAll(async () => await test.close())

const row = z.object({ symbol: z.string(), name: z.nullable(z.string()) })
const page = z.object({ data: z.array(row), page: z.object({ total: z.int() }) })
const one = z.object({ data: row })

const ask = async (path: string): Promise<unknown> => (await test.ask(path)).json()

it('a symbol is found by its name, and every row says what it is called, once names are there', async () => {
  const before = page.parse(await ask('/api/symbols'))
  expect(before.data.every(({ name }) => name === null)).toBe(true)
  const symbol = before.data.at(-1)?.symbol ?? ''
  expect(page.parse(await ask('/api/symbols?q=zebra')).page.total).toBe(0)
  world.named = new Map([[symbol, 'zebra']])
  world.version += 1
  const found = page.parse(await ask('/api/symbols?q=zebra'))
  expect(found).toMatchObject({ data: [{ symbol, name: 'zebra' }], page: { total: 1 } })
  const all = page.parse(await ask('/api/symbols'))
  expect(all.data.filter(({ name }) => name !== null)).toEqual([{ symbol, name: 'zebra' }])
  expect(one.parse(await ask(`/api/symbols/${symbol}`)).data).toEqual({ symbol, name: 'zebra' })
  const exported = await test.ask('/api/symbols.ndjson?q=zebra')
  expect((await exported.text()).trim().split('\n')).toHaveLength(1)
})

it('what is spelled so comes before what is called so', async () => {
  const { data } = page.parse(await ask('/api/symbols'))
  const [first, last] = [data[0]?.symbol ?? '', data.at(-1)?.symbol ?? '']
  world.named = new Map([[first, last]])
  world.version += 1
  const found = page.parse(await ask(`/api/symbols?q=${encodeURIComponent(last)}`))
  expect(found.data[0]?.symbol).toBe(last)
  expect(found.data.map(({ symbol }) => symbol)).toContain(first)
})
