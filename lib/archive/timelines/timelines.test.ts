import { expect, test } from 'vitest'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { createTimelines } from './timelines.ts'

const DAY = 86_400

async function start({ newBytes = 10_000, oftenBytes = 10_000 } = {}) {
  const archive = await openMemory()
  const symbols = ['ONE', 'TWO', 'TWO', ...Array.from({ length: 40 }, () => 'MANY')]
  await importRows(
    archive,
    symbols.map((symbol, index) =>
      makeRating({ id: index + 1, user_id: index, symbol, created_at: START + index }),
    ),
  )
  const world = { version: 1, loads: [] as string[] }
  const timelines = createTimelines({
    newBytes,
    oftenBytes,
    version: () => String(world.version),
    load: async (keys, signal) => {
      world.loads.push(...keys)
      const loaded = await archive.reader.symbolTimelines.loadAll(keys, signal)
      const entries = keys.map((key, place) => [key, loaded[place]] as const)
      return new Map(entries.flatMap(([key, one]) => (one ? [[key, one] as const] : [])))
    },
  })
  return { archive, timelines, world }
}

test('readers of one symbol share a load, and later readers need none until ratings change', async () => {
  const { archive, timelines, world } = await start()
  const [first, second] = await Promise.all([timelines.load('TWO'), timelines.load('TWO')])
  expect(second).toBe(first)
  expect(await timelines.load('TWO')).toBe(first)
  expect(world.loads).toEqual(['TWO'])
  world.version = 2
  await timelines.load('TWO')
  expect(world.loads).toEqual(['TWO', 'TWO'])
  await archive.close()
})

test('several symbols are loaded at once, but for those that are there', async () => {
  const { archive, timelines, world } = await start()
  await timelines.load('TWO')
  const found = await timelines.loadAll(['MANY', 'NONE', 'TWO', 'ONE'])
  expect(found.map((one) => one?.length ?? null)).toEqual([40, null, 2, 1])
  expect(world.loads).toEqual(['TWO', 'MANY', 'NONE', 'ONE'])
  expect([...(found[0]?.id ?? [])]).toEqual(Array.from({ length: 40 }, (_, index) => index + 4))
  await archive.close()
})

test('a symbol that nobody rated has no timeline', async () => {
  const { archive, timelines } = await start()
  expect(await timelines.load('NONE')).toBeNull()
  expect(timelines.bytes()).toBe(0)
  await archive.close()
})

test('a timeline that was loaded while ratings changed is not kept', async () => {
  const { archive, timelines, world } = await start()
  const loading = timelines.load('ONE')
  world.version = 2
  expect(await loading).toMatchObject({ length: 1 })
  await timelines.load('ONE')
  expect(world.loads).toEqual(['ONE', 'ONE'])
  await archive.close()
})

test('symbols that are read once each do not displace one that is read often', async () => {
  const { archive, timelines, world } = await start({ newBytes: 300, oftenBytes: 300 })
  await timelines.load('ONE')
  await timelines.load('ONE')
  for (const key of ['TWO', 'MANY', 'TWO', 'MANY']) await timelines.load(key)
  world.loads = []
  await timelines.load('ONE')
  expect(world.loads).toEqual([])
  await archive.close()
})

test('a symbol that is larger than all that is kept is kept alone, and displaces nothing', async () => {
  const { archive, timelines, world } = await start({ newBytes: 300, oftenBytes: 300 })
  await timelines.load('ONE')
  const many = await timelines.load('MANY')
  world.loads = []
  expect(await timelines.load('MANY')).toBe(many)
  await timelines.load('ONE')
  expect(world.loads).toEqual([])
  await archive.close()
})

test('a reader who leaves does not end the load for those who stay', async () => {
  const { archive, timelines } = await start()
  const leaving = new AbortController()
  const left = timelines.load('MANY', leaving.signal)
  const stays = timelines.load('MANY')
  leaving.abort()
  await expect(left).rejects.toMatchObject({ fault: 'busy' })
  expect(await stays).toMatchObject({ length: 40 })
  await archive.close()
})

test('an import shows in the next timeline, with the ratings in order, wherever the archive stores them', async () => {
  const archive = await openMemory()
  const rate = async (id: number, created: number, symbol = 'AAPL') =>
    await importRows(archive, [makeRating({ id, user_id: 1, symbol, created_at: created })])
  await rate(3, START + 2 * DAY)
  await archive.reader.symbolTimelines.load('AAPL')
  await rate(2, START + DAY, 'aapl')
  await rate(1, START + DAY, 'Aapl')
  const timeline = await archive.reader.symbolTimelines.load('AAPL')
  expect([...(timeline?.id ?? [])]).toEqual([1, 2, 3])
  expect([...(timeline?.previous ?? [])]).toEqual([-1, 0, 1])
  expect([...(timeline?.next ?? [])]).toEqual([1, 2, -1])
  expect(timeline?.spellings.map(({ symbol }) => symbol).sort()).toEqual(['AAPL', 'Aapl', 'aapl'])
  await archive.close()
})
