import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type SyncArchive, toSyncArchive } from '#lib/sync/sync-archive.ts'
import type { ServicePage } from '#lib/upstream/upstream.ts'
import { draws } from '#testing/draws.ts'
import {
  type Change,
  createListing,
  hold,
  holding,
  playChanges,
  postedAt,
  selectMissing,
  toPage,
  toReading,
} from '#testing/sync/page-listing.ts'
import { openTestArchive, range, toRating, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { followFromEnd, followPages } from './newest-pages.ts'

const aHistory = fc
  .record({
    total: fc.integer({ min: 0, max: 60 }),
    skips: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 6 }),
    heldShare: fc.double({ min: 0, max: 1, noNaN: true }),
    island: fc.record({
      from: fc.integer({ min: 0, max: 60 }),
      size: fc.integer({ min: 0, max: 12 }),
    }),
    pageSize: fc.integer({ min: 1, max: 7 }),
    changes: fc.array(
      fc.record({
        posted: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 9 })),
        deleted: fc.array(fc.nat(60), { maxLength: 3 }),
      }),
      { maxLength: 25 },
    ),
    failAt: fc.option(fc.integer({ min: 2, max: 8 }), { nil: null }),
    sparing: fc.boolean(),
  })
  .map(({ heldShare, island, total, skips, ...rest }) => {
    let last = 0
    const ids = range(1, total).map((count) => {
      last += 1 + (skips[count % skips.length] ?? 0)
      return last
    })
    const held = ids.slice(0, Math.floor(total * heldShare))
    const beside = ids.slice(held.length).slice(island.from, island.from + island.size)
    return { ...rest, skips, ids, held, island: beside }
  })

type History = {
  ids: number[]
  held: number[]
  island: number[]
  skips: number[]
  pageSize: number
  changes: Change[]
  failAt: number | null
  sparing: boolean
}

const toGapless = ({ held }: History, base: number) =>
  held.length === 0 ? 0 : postedAt(base + (held.at(-1) ?? 0))

async function play(archive: SyncArchive, base: number, history: History): Promise<number[]> {
  const own = (ids: readonly number[]) => ids.map((id) => base + id)
  const { pageSize, changes, failAt, skips, sparing } = history
  const listing = createListing({ pageSize, ids: own(history.ids) })
  await hold(archive, own([...history.held, ...history.island]))
  const played = playChanges(listing, changes, skips)
  const change = listing.before
  let isFailing = failAt !== null
  listing.before = () => {
    change()
    if (isFailing && played.answers === failAt) throw new Error('interrupted')
  }
  const gaplessTo = toGapless(history, base)
  const follow = async () =>
    await followPages(
      toReading(archive, listing.readPage, { gaplessTo, sparing, rereads: sparing ? 0 : 5 }),
    )
  if (isFailing) await follow().catch(() => undefined)
  isFailing = false
  for (let tries = 0; tries < 10; tries += 1) {
    const there = [...listing.ids]
    const { readAt } = await follow()
    if (readAt === null) continue
    const still = new Set(listing.ids)
    return await selectMissing(
      archive,
      there.filter((id) => still.has(id)),
    )
  }
  return await selectMissing(archive, listing.ids)
}

describe('rows that shift between pages while following', () => {
  test('are never missed, whatever is posted and deleted when, and whatever was left before', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        expect(await play(await holding([]), 0, history)).toEqual([])
      }),
      { numRuns: draws(10_000) },
    )
  }, 240_000)

  test('are never missed by the real archive', async () => {
    const opened = await openTestArchive(() => WEDNESDAY)
    const archive = toSyncArchive(opened.archive)
    let base = 0
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        base += 10_000
        expect(await play(archive, base, history)).toEqual([])
      }),
      { numRuns: draws(30) },
    )
  })

  test('cost at most twice the pages that are new, and a bounded number beside', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async ({ changes: _, failAt: __, ...history }) => {
        const archive = await holding([...history.held, ...history.island])
        const { ids, pageSize, sparing } = history
        const listing = createListing({ pageSize, ids: [...ids] })
        const gaplessTo = toGapless({ ...history, changes: [], failAt: null }, 0)
        await followPages(toReading(archive, listing.readPage, { gaplessTo, sparing }))
        const fresh = Math.ceil((ids.length - history.held.length) / pageSize)
        expect(listing.requests.length).toBeLessThanOrEqual(2 * fresh + 8)
      }),
      { numRuns: draws(500) },
    )
  })

  test('are never missed where the oldest rating stands first either', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async ({ changes, skips, ...history }) => {
        const archive = await holding(history.held)
        const { ids, pageSize } = history
        const listing = createListing({ pageSize, ids: [...ids], order: 'oldest' })
        playChanges(listing, changes, skips)
        const gaplessTo = history.held.length === 0 ? 0 : postedAt(history.held.at(-1) ?? 0)
        const options = { ...toReading(archive, listing.readPage, { gaplessTo }), pageSize }
        const there = [...listing.ids]
        const { readAt } = await followFromEnd({ ...options, lastEnd: null, thorough: false })
        const still = new Set(listing.ids)
        if (readAt === null) return
        expect(
          await selectMissing(
            archive,
            there.filter((id) => still.has(id)),
          ),
        ).toEqual([])
      }),
      { numRuns: draws(1000) },
    )
  })
})

describe('a follow with nothing new', () => {
  test.each([true, false])('costs one request, sparing or not (%s)', async (sparing) => {
    const listing = createListing({ ids: range(1, 20) })
    const archive = await holding(range(1, 20))
    const options = { gaplessTo: postedAt(20), sparing, rereads: sparing ? 0 : 5 }
    const { readAt } = await followPages(toReading(archive, listing.readPage, options))
    expect([readAt, listing.requests]).toEqual([WEDNESDAY, [1]])
  })

  test('costs one request where the oldest rating stands first', async () => {
    const listing = createListing({ ids: range(1, 22), order: 'oldest' })
    const archive = await holding(range(1, 22))
    const options = toReading(archive, listing.readPage, { gaplessTo: postedAt(22) })
    const outcome = await followFromEnd({
      ...options,
      pageSize: 5,
      lastEnd: { page: 5, newest: 0 },
      thorough: false,
    })
    expect([outcome.readAt, outcome.end.page, listing.requests]).toEqual([WEDNESDAY, 5, [5]])
  })
})

describe('a follow with something new', () => {
  test('costs one request where requests are scarce and the end of page 1 is held', async () => {
    const archive = await holding(range(1, 20))
    const listing = createListing({ ids: range(1, 23), pageSize: 10 })
    const options = { gaplessTo: postedAt(20), sparing: true, rereads: 0 }
    const { readAt, rows } = await followPages(toReading(archive, listing.readPage, options))
    expect([readAt, listing.requests]).toEqual([WEDNESDAY, [1]])
    expect(rows).toEqual({ inserted: 3, updated: 0, vanished: 0, quarantined: 0 })
    expect(await selectMissing(archive, range(1, 23))).toEqual([])
  })

  test('a burst of whole pages is read to where it joins, and page 1 once more', async () => {
    const archive = await holding(range(1, 20))
    const listing = createListing({ ids: range(1, 60) })
    await followPages(toReading(archive, listing.readPage, { gaplessTo: postedAt(20) }))
    expect(listing.requests).toEqual([...range(1, 9), 1])
    expect(await selectMissing(archive, range(1, 60))).toEqual([])
  })

  test('many ratings of the same second are all held', async () => {
    const archive = await holding([])
    const at = toRating(1).created_at
    const rows = range(1, 30)
      .reverse()
      .map((id) => toRating(id, { created_at: at }))
    const read = async (number: number) => toPage(number, rows.slice(number * 5 - 5, number * 5))
    await followPages(toReading(archive, read))
    expect(await selectMissing(archive, range(1, 30))).toEqual([])
  })
})

describe('a follow claims nothing', () => {
  const claim = async (read: (number: number) => Promise<ServicePage>) => {
    const archive = await holding(range(1, 20))
    const outcome = await followPages(toReading(archive, read, { gaplessTo: postedAt(20) }))
    expect(archive.state().completeTo).toBeNull()
    return { ...outcome, archive }
  }

  test('where a page in the middle stays empty, but reads what is behind it', async () => {
    const listing = createListing({ ids: range(1, 60) })
    const { readAt, archive } = await claim(async (number) =>
      number === 3 ? toPage(3, []) : await listing.readPage(number),
    )
    expect(readAt).toBeNull()
    expect(await selectMissing(archive, range(1, 60))).toEqual(range(46, 50))
  })

  test('where a service that listed ratings lists none', async () => {
    expect((await claim(async (number) => toPage(number, []))).readAt).toBeNull()
  })

  test('where the list ends before it reaches what is held', async () => {
    const listing = createListing({ ids: range(31, 60) })
    expect((await claim(listing.readPage)).readAt).toBeNull()
  })

  test('where every page is page 1, and asks for few', async () => {
    const listing = createListing({ ids: range(31, 60) })
    const { readAt } = await claim(async () => await listing.readPage(1))
    expect(readAt).toBeNull()
    expect(listing.requests.length).toBeLessThan(6)
  })

  test('where there is no end to new pages, and stops', async () => {
    let asked = 0
    const { readAt } = await claim(async (number) => {
      asked += 1
      const first = 10_000_000 - number * 2
      return toPage(number, [
        toRating(first + 1, { created_at: 2e9 }),
        toRating(first, { created_at: 2e9 }),
      ])
    })
    expect(readAt).toBeNull()
    expect(asked).toBeLessThanOrEqual(5_010)
  })

  test('where the list is in order of what moves', async () => {
    const rows = range(1, 40).map((id) => toRating(id, { tally_agree: (id * 17) % 41 }))
    rows.sort((a, b) => b.tally_agree - a.tally_agree)
    const outcome = await claim(async (number) =>
      toPage(number, rows.slice(number * 10 - 10, number * 10)),
    )
    expect([outcome.order, outcome.readAt]).toEqual(['none', null])
  })
})
