import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import type { ServicePage, Validators } from '#lib/upstream/upstream.ts'
import { followFromEnd } from './follow-from-end.ts'
import { followPages } from './follow-pages.ts'
import {
  createListing,
  hold,
  holding,
  postedAt,
  selectMissing,
  toPage,
  toReading,
} from './listing.test-support.ts'
import {
  loadIds,
  openTestArchive,
  range,
  toRating,
  WEDNESDAY,
} from './scripted-service.test-support.ts'

const ETAG: Validators = { etag: '"1"', lastModified: null }

describe('a follow with nothing new', () => {
  test.each([true, false])('costs one request, sparing or not (%s)', async (sparing) => {
    const listing = createListing({ ids: range(1, 20) })
    const archive = await holding(range(1, 20))
    const options = { gaplessTo: postedAt(20), sparing, rereads: sparing ? 0 : 5 }
    const { readAt } = await followPages(toReading(archive, listing.readPage, options))
    expect([readAt, listing.requests]).toEqual([WEDNESDAY, [1]])
  })

  test('is not even sent page 1 where it names its version, and moves on what is complete', async () => {
    const archive = await holding(range(1, 20))
    const asked: Validators[] = []
    const { readAt, validators } = await followPages({
      ...toReading(archive, () => Promise.reject(new Error('not asked'))),
      unchanged: ETAG,
      readIfChanged: async (held) => {
        asked.push(held)
        return null
      },
    })
    expect(asked).toEqual([ETAG])
    expect([readAt, validators, archive.state().completeTo]).toEqual([WEDNESDAY, ETAG, WEDNESDAY])
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
  test('takes page 1 as it came when it was not the one that is known, and asks for it once', async () => {
    const archive = await holding(range(1, 20))
    const listing = createListing({ ids: range(1, 22) })
    const options = toReading(archive, listing.readPage, { gaplessTo: postedAt(20), rereads: 0 })
    const readIfChanged = async () => await listing.readPage(1)
    await followPages({ ...options, unchanged: ETAG, readIfChanged })
    expect(listing.requests).toEqual([1, 2])
    expect(await selectMissing(archive, range(1, 22))).toEqual([])
  })

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

  test('a row that a deletion pulled onto a page already read is found by looking there again', async () => {
    const archive = await holding(range(1, 20))
    const listing = createListing({ ids: range(1, 60) })
    listing.before = () => {
      if (listing.requests.length === 3) listing.ids = listing.ids.filter((id) => id !== 58)
    }
    const { readAt } = await followPages(
      toReading(archive, listing.readPage, { gaplessTo: postedAt(20), rereads: 0 }),
    )
    expect(readAt).toBe(WEDNESDAY)
    expect(await selectMissing(archive, listing.ids)).toEqual([])
    expect(listing.requests.length).toBeLessThanOrEqual(12)
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

  test('of a row that came on two pages the one that was read last counts', async () => {
    const { archive } = await openTestArchive(() => WEDNESDAY)
    await hold(archive, range(1, 10))
    const listing = createListing({ ids: range(1, 12) })
    const read = async (number: number): Promise<ServicePage> => {
      const page = await listing.readPage(number)
      if (number === 1) return page
      const [shifted] = toPage(1, [toRating(8, { tally_agree: 7 })]).rows
      return shifted ? { ...page, rows: [shifted, ...page.rows] } : page
    }
    await followPages(toReading(archive, read, { gaplessTo: postedAt(10), rereads: 0 }))
    const { rating } = (await archive.selectRating(8, null, { at: WEDNESDAY })) ?? {}
    expect(rating?.tally_agree).toBe(7)
    expect(await loadIds(archive, WEDNESDAY)).toEqual(range(1, 12))
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

  test('where it is broken off: what was read is held, and the gap is read the next time', async () => {
    const { archive } = await openTestArchive(() => WEDNESDAY)
    await hold(archive, range(1, 20))
    const listing = createListing({ ids: range(1, 60) })
    listing.before = () => {
      if (listing.requests.length === 2) throw new AppError('upstream_unavailable', 'Down.')
    }
    const options = toReading(archive, listing.readPage, { gaplessTo: postedAt(20) })
    await expect(followPages(options)).rejects.toThrow('Down.')
    expect(await loadIds(archive, WEDNESDAY)).toEqual([...range(1, 20), ...range(51, 60)])
    expect(archive.state().completeTo).toBeNull()
    listing.before = () => undefined
    await followPages(options)
    expect(await loadIds(archive, WEDNESDAY)).toEqual(range(1, 60))
  })
})
