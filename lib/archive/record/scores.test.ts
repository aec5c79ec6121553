import { expect, onTestFinished, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { importRows, makeRating, openMemory, START } from '#testing/archive/arbitrary.ts'
import { selectCommunity } from './record.ts'

const DAY = 86_400
const FIRST_DAY = START / DAY
const AT = START + 100 * DAY

const closesOf = (symbol: string, last: string) => [
  { symbol, day: FIRST_DAY + 1, close: '10' },
  { symbol, day: FIRST_DAY + 31, close: last },
]

const bring = async (archive: Archive, last: string) =>
  await archive.prices.replace(
    async (append) => await append([...closesOf('AAPL', last), ...closesOf('B', '10')]),
  )

const aRating = (id: number) =>
  makeRating({ id, user_id: id, symbol: 'AAPL', rating: 5, created_at: START })

async function openPriced(): Promise<Archive> {
  const archive = await openMemory()
  onTestFinished(async () => await archive.close())
  await importRows(archive, [aRating(1)])
  await bring(archive, '11')
  return archive
}

test('what was worked out is kept, and dropped when prices or ratings change', async () => {
  const archive = await openPriced()
  const { scores } = archive.reader
  const before = await scores.load()
  const summary = await scores.summarize({ horizon: 30, at: AT })
  expect(await scores.load()).toBe(before)
  expect(await scores.summarize({ horizon: 30, at: AT + 1 })).toBe(summary)

  await importRows(archive, [aRating(1), aRating(2)])
  const rated = await scores.load()
  expect(rated.market).toBe(before.market)
  expect(rated.calls.count).toBe(2)
  expect((await scores.summarize({ horizon: 30, at: AT })).own.clusters).toBe(2)

  await bring(archive, '9')
  expect(await scores.market()).not.toBe(before.market)
  const { hit_rate } = await selectCommunity(archive.reader, 30, { at: AT })
  expect([summary.own.hits, hit_rate]).toEqual([1, '0.000000'])
})

test('ranks are the same at all instants that know the same closes, and worked out once for them', async () => {
  const archive = await openPriced()
  const { scores } = archive.reader
  await importRows(archive, [
    aRating(1),
    aRating(2),
    makeRating({ id: 3, user_id: 3, symbol: 'AAPL', rating: 1, created_at: AT + 60 }),
  ])
  const morning = await scores.rank({ horizon: 30, at: AT })
  expect(await scores.rank({ horizon: 30, at: AT + DAY - 2 })).toBe(morning)
  const evening = await scores.summarize({ horizon: 30, at: AT + DAY - 2 })
  expect(morning.ranked).toEqual(evening.ranked)
  expect(morning.users.get(1)).toEqual(evening.users.get(1))
  expect(await scores.rank({ horizon: 30, at: AT + DAY - 1 })).not.toBe(morning)
})

test('ranks stay when only newer ratings arrive, and change with an older one', async () => {
  const archive = await openPriced()
  const { scores } = archive.reader
  const before = await scores.rank({ horizon: 30, at: AT })
  const newer = makeRating({ id: 2, user_id: 2, symbol: 'AAPL', rating: 1, created_at: AT })
  await importRows(archive, [aRating(1), newer])
  expect(await scores.rank({ horizon: 30, at: AT })).toBe(before)
  await importRows(archive, [aRating(1), newer, aRating(3)])
  const after = await scores.rank({ horizon: 30, at: AT })
  expect([...before.users.keys()]).toEqual([1])
  expect(after.users.get(3)?.clusters).toBe(1)
})

test('queries that wait share one load, and one that leaves does not end it', async () => {
  const { scores } = (await openPriced()).reader
  const leaving = new AbortController()
  const left = scores.load(leaving.signal)
  const waiting = scores.load()
  leaving.abort()
  await expect(left).rejects.toThrow()
  expect(await scores.load()).toBe(await waiting)
})

test('closes too large for a double are compared exactly with the benchmark', async () => {
  const archive = await openArchive({
    path: ':memory:',
    now: () => START,
    threads: 1,
    benchmark: 'B',
  })
  onTestFinished(async () => await archive.close())
  await importRows(archive, [aRating(1)])
  await archive.prices.replace(async (append) => {
    await append([
      { symbol: 'AAPL', day: FIRST_DAY + 1, close: '9999999999.99999998' },
      { symbol: 'AAPL', day: FIRST_DAY + 31, close: '9999999999.99999999' },
      { symbol: 'B', day: FIRST_DAY + 1, close: '1' },
      { symbol: 'B', day: FIRST_DAY + 31, close: '1' },
    ])
  })
  const { hit_rate } = await selectCommunity(archive.reader, 30, { at: AT })
  expect(hit_rate).toBe('1.000000')
})
