import { expect, test } from 'vitest'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { createDumpService, type DumpService, openTestEditions } from './editions.test-support.ts'
import { DAY, loadIds, openTestArchive, range, toRating } from './scripted-service.test-support.ts'
import type { EditionStore, SyncArchive } from './sync.ts'
import { createFilling } from './sync-fill.ts'
import { createSyncStatus } from './sync-status.ts'

const WEEK = 7 * DAY
const { signal } = new AbortController()

const community = (ids: readonly number[]) => ids.map((id) => toRating(id))

async function open(service: DumpService) {
  const opened = await openTestEditions(service)
  const { clock, editions } = opened
  const now = () => clock.at
  const { archive } = await openTestArchive(now)
  const filling = createTestFilling(archive, editions, now)
  const nextWeek = async (ids: readonly number[]) => {
    clock.at += WEEK
    service.ratings = community(ids)
    await filling.fetchDump('posts', signal)
    return await filling.reconcile(signal)
  }
  return { ...opened, archive, filling, nextWeek, ids: () => loadIds(archive, clock.at) }
}

function createTestFilling(archive: SyncArchive, editions: EditionStore, now: () => number) {
  const newReading = () => {
    throw new Error('no page is to be read')
  }
  const status = createSyncStatus(now)
  return createFilling({ archive, editions, now, status, log: () => undefined, newReading })
}

const hundred = range(1, 100)

test('a rating that an edition lacks is marked, not erased, and comes again', async () => {
  const { archive, filling, nextWeek, ids } = await open(createDumpService())
  await filling.bootstrap(signal)
  expect(archive.state()).toMatchObject({ ratings: 100, vanished: 0 })
  const without = hundred.filter((id) => id !== 7)
  expect(await nextWeek(without)).toMatchObject({ rows: { vanished: 1, updated: 0 } })
  expect(archive.state()).toMatchObject({ ratings: 100, vanished: 1 })
  expect(await ids()).toEqual(hundred)
  await nextWeek([...hundred, 101])
  expect(archive.state()).toMatchObject({ ratings: 101, vanished: 0 })
})

test('an edition by which more than a fiftieth would vanish changes nothing, and is told', async () => {
  const { archive, editions, filling, nextWeek } = await open(createDumpService())
  await filling.bootstrap(signal)
  const before = archive.state()
  const filled = await nextWeek([...range(4, 100), ...range(101, 103)])
  expect(filled).toMatchObject({ rows: null, reason: expect.stringMatching(/lacks 3 of 100/) })
  expect(archive.state()).toEqual(before)
  expect(editions.current('posts')?.edition).toBe('2026-11-15')
  expect(editions.card('posts').aside).toBe(filled?.reason)
  expect(await filling.reconcile(signal)).toBeNull()
})

test('a second edition that says the same is believed', async () => {
  const { archive, editions, filling, nextWeek, ids } = await open(createDumpService())
  await filling.bootstrap(signal)
  await nextWeek([...range(4, 100), ...range(101, 103)])
  const filled = await nextWeek([...range(4, 100), ...range(101, 104)])
  expect(filled).toMatchObject({ rows: { vanished: 3, inserted: 4 } })
  expect(archive.state()).toMatchObject({ ratings: 104, vanished: 3 })
  expect(await ids()).toEqual(range(1, 104))
  expect(editions.card('posts').aside).toBeNull()
})

test('an edition that an operator accepts is believed at once', async () => {
  const { archive, editions, filling, nextWeek } = await open(createDumpService())
  await filling.bootstrap(signal)
  await nextWeek([...range(4, 100), ...range(101, 103)])
  await editions.accept('posts')
  expect(await filling.reconcile(signal)).toMatchObject({ rows: { vanished: 3 } })
  expect(archive.state().vanished).toBe(3)
})

test('the edition before one that was lost has nothing to say to an archive that is ahead of it', async () => {
  const service = createDumpService()
  const { archive, editions, filling, nextWeek } = await open(service)
  await filling.bootstrap(signal)
  await nextWeek([...range(1, 100), 101])
  await editions.holdBack('posts', 'Lost.')
  const before = archive.state()
  expect(await filling.reconcile(signal)).toBeNull()
  expect(archive.state()).toEqual(before)
})

test('of an empty archive nothing vanishes, and what the dump leaves out is explained by it', async () => {
  const service = createDumpService()
  service.ratings = community(hundred.filter((id) => id !== 50))
  const { archive, filling, clock } = await open(service)
  await filling.bootstrap(signal)
  const { total } = await archive.selectRatings(EVERY_RATING, { at: clock.at })
  expect(total).toBe(99)
  expect(archive.state().gaps).toMatchObject({ ids: 1, unexplained: 0 })
})
