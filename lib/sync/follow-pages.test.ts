import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followPages } from './follow-pages.ts'
import {
  createBareArchive,
  createScriptedService,
  loadIds,
  openTestArchive,
  range,
  type ScriptedService,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'
import type { SyncArchive } from './sync.ts'

const START = 1_767_225_600
/** Every rating is posted a minute after the one before; the archive has no gap up to this one. */
const postedAt = (id: number) => START + id * 60

async function hold(archive: SyncArchive, ids: readonly number[]): Promise<void> {
  const run = await archive.beginImport({ kind: 'dump', name: 'before' })
  await run.append(
    ids.map((id) => ({ rating: toRating(id), extra: null })),
    [],
  )
  await run.commit({ completeTo: null })
}

const follow = (archive: SyncArchive, service: ScriptedService, gaplessTo: number, rereads = 5) =>
  followPages({
    archive,
    readPage: (page) => service.fetchPage(page),
    now: () => WEDNESDAY,
    signal: new AbortController().signal,
    onProgress: () => undefined,
    gaplessTo,
    rereads,
    keepPart: true,
  })

/**
 * A history: so many ratings, of which the oldest are held without a gap and some newer ones beside them, and how many
 * arrive before each answer.
 */
const aHistory = fc
  .record({
    total: fc.integer({ min: 0, max: 40 }),
    heldShare: fc.double({ min: 0, max: 1, noNaN: true }),
    island: fc.record({
      from: fc.integer({ min: 0, max: 40 }),
      size: fc.integer({ min: 0, max: 12 }),
    }),
    pageSize: fc.integer({ min: 1, max: 7 }),
    arrivals: fc.array(fc.integer({ min: 0, max: 9 }), { maxLength: 25 }),
    failAt: fc.option(fc.integer({ min: 2, max: 8 }), { nil: null }),
  })
  .map(({ heldShare, island, ...rest }) => {
    const held = Math.floor(rest.total * heldShare)
    const islandIds = range(island.from, island.from + island.size - 1)
    return { ...rest, held, island: islandIds.filter((id) => id > held && id <= rest.total) }
  })

type History = {
  total: number
  held: number
  island: number[]
  pageSize: number
  arrivals: number[]
  failAt: number | null
}

/** Plays a history with ids above `base`; gives the ids of the service that the archive does not hold in the end. */
async function play(archive: SyncArchive, base: number, history: History): Promise<number[]> {
  const { total, held, island, pageSize, arrivals, failAt } = history
  const own = (ids: readonly number[]) => ids.map((id) => base + id)
  const service = createScriptedService({ pageSize })
  service.ratings = own(range(1, total)).map((id) => toRating(id))
  await hold(archive, own([...range(1, held), ...island]))
  let answers = 0
  let last = total
  let isFailing = failAt !== null
  service.before = () => {
    answers += 1
    if (isFailing && answers === failAt) throw new Error('broken off')
    const count = arrivals[answers - 1] ?? 0
    service.ratings.push(...own(range(last + 1, last + count)).map((id) => toRating(id)))
    last += count
  }
  const gaplessTo = postedAt(base + held)
  if (isFailing) await follow(archive, service, gaplessTo).catch(() => undefined)
  isFailing = false
  const { readAt } = await follow(archive, service, gaplessTo, arrivals.length + 1)
  expect(readAt).toBe(WEDNESDAY)
  const ids = own(range(1, last))
  const known = await archive.selectKnownIds(ids)
  return ids.filter((id) => !known.has(id))
}

describe('rows that shift between pages while following', () => {
  test('are never missed in 10,000 histories, whatever arrives when, and whatever was left before', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        expect(await play(createBareArchive(), 0, history)).toEqual([])
      }),
      { numRuns: 10_000 },
    )
  })

  test('are never missed by the real archive', async () => {
    const { archive } = await openTestArchive(() => WEDNESDAY)
    // One archive for all histories, each with ids of its own: opening one for each would take the time.
    let base = 0
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        base += 1000
        expect(await play(archive, base, history)).toEqual([])
      }),
      { numRuns: 30 },
    )
  })

  test('are held up to the instant that the follow gives, even if page 1 is read only once', async () => {
    const { archive } = await openTestArchive(() => WEDNESDAY)
    const service = createScriptedService({
      pageSize: 3,
      ratings: range(1, 20).map((id) => toRating(id)),
    })
    await hold(archive, range(1, 8))
    let posted = 20
    service.before = () => {
      posted += 2
      service.ratings.push(toRating(posted - 1), toRating(posted))
    }
    await follow(archive, service, postedAt(8), 0)
    const ids = await loadIds(archive, WEDNESDAY)
    expect(ids.filter((id) => id <= 22)).toEqual(range(1, 22))
  })
})

test('a service with nothing new costs one request', async () => {
  const { archive } = await openTestArchive(() => WEDNESDAY)
  const service = createScriptedService({ ratings: range(1, 20).map((id) => toRating(id)) })
  await hold(archive, range(1, 20))
  const { readAt } = await follow(archive, service, postedAt(20))
  expect([readAt, service.requests]).toEqual([WEDNESDAY, ['1']])
})

test('what was read before a failure is kept, and claims nothing', async () => {
  const { archive } = await openTestArchive(() => WEDNESDAY)
  const service = createScriptedService({ ratings: range(1, 60).map((id) => toRating(id)) })
  await hold(archive, range(1, 20))
  service.before = (what) => {
    if (what === '3') throw new Error('broken off')
  }
  await expect(follow(archive, service, postedAt(20))).rejects.toThrow('broken off')
  expect(await loadIds(archive, WEDNESDAY)).toEqual([...range(1, 20), ...range(41, 60)])
  expect(archive.state().completeTo).toBeNull()
  service.before = () => undefined
  await follow(archive, service, postedAt(20))
  expect(await loadIds(archive, WEDNESDAY)).toEqual(range(1, 60))
})
