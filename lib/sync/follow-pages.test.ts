import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { followFromEnd } from './follow-from-end.ts'
import { followPages } from './follow-pages.ts'
import {
  type Change,
  createListing,
  hold,
  holding,
  playChanges,
  postedAt,
  selectMissing,
  toReading,
} from './listing.test-support.ts'
import { openTestArchive, range, WEDNESDAY } from './scripted-service.test-support.ts'
import type { SyncArchive } from './sync.ts'

/**
 * A history: ids with some left out, of which the oldest are held without a gap and some newer ones beside them; and what
 * is posted and deleted before each answer.
 */
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

/**
 * Plays a history with ids above `base`: a follow that may be broken off, then follows until one proves that it has
 * joined. Gives what was there all the time and is not held.
 */
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
    if (isFailing && played.answers === failAt) throw new Error('broken off')
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
  // Where all that was held is gone from the list, nothing can be joined: but then all of it was read.
  return await selectMissing(archive, listing.ids)
}

describe('rows that shift between pages while following', () => {
  test('are never missed in 10,000 histories, whatever is posted and deleted when, and whatever was left before', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        expect(await play(await holding([]), 0, history)).toEqual([])
      }),
      { numRuns: 10_000 },
    )
  }, 240_000)

  test('are never missed by the real archive', async () => {
    const { archive } = await openTestArchive(() => WEDNESDAY)
    // One archive for all histories, each with ids of its own: opening one for each would take the time.
    let base = 0
    await fc.assert(
      fc.asyncProperty(aHistory, async (history) => {
        base += 10_000
        expect(await play(archive, base, history)).toEqual([])
      }),
      { numRuns: 30 },
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
      { numRuns: 500 },
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
      { numRuns: 1000 },
    )
  })
})
