import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { AppError } from '#lib/contract/faults.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import { draws } from '#testing/draws.ts'
import {
  createListing,
  type Listing,
  playChanges,
  selectMissing,
  toReading,
} from '#testing/sync/page-listing.ts'
import { createBareArchive, range, WEDNESDAY } from '#testing/sync/scripted-service.ts'
import { readAllPages } from './all-pages.ts'

const readAll = async (archive: SyncArchive, listing: Listing) =>
  await readAllPages(toReading(archive, listing.readPage))

const aHistory = fc
  .record({
    total: fc.integer({ min: 7, max: 60 }),
    pageSize: fc.integer({ min: 2, max: 7 }),
    order: fc.constantFrom('newest' as const, 'oldest' as const),
    pastEnd: fc.constantFrom(
      'empty' as const,
      'not_found' as const,
      'error' as const,
      'repeats' as const,
    ),
    skips: fc.array(fc.integer({ min: 0, max: 2 }), { minLength: 1, maxLength: 6 }),
    changes: fc.array(
      fc.record({
        posted: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 3 })),
        deleted: fc.array(fc.nat(60), { maxLength: 2 }),
      }),
      { maxLength: 30 },
    ),
    attempts: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 4 }),
  })
  .map((history) => ({
    ...history,
    attempts: [...history.attempts, ...range(1, 8).map(() => 1e9)],
  }))

describe('an archive filled from pages', () => {
  test('holds every rating, however often it was interrupted, whatever was posted or deleted meanwhile', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async ({ total, attempts, changes, skips, ...script }) => {
        const archive = createBareArchive()
        const ids = range(1, total).map(
          (count) => count * 2 - ((skips[count % skips.length] ?? 0) % 2),
        )
        const listing = createListing({ ...script, ids })
        playChanges(listing, changes, skips)
        const change = listing.before
        let left = 0
        listing.before = () => {
          left -= 1
          if (left < 0) throw new Error('interrupted')
          change()
        }
        let there = ids
        for (const attempt of attempts) {
          if (archive.state().completeTo !== null) break
          there = [...listing.ids]
          left = attempt
          await readAll(archive, listing).catch(() => undefined)
        }
        expect(archive.state().completeTo).toBe(WEDNESDAY)
        const still = new Set(listing.ids)
        expect(
          await selectMissing(
            archive,
            there.filter((id) => still.has(id)),
          ),
        ).toEqual([])
      }),
      { numRuns: draws(2000) },
    )
  })

  test('is read once, with nothing read twice but page 1, where its numbers leave none out', async () => {
    const listing = createListing({ ids: range(1, 52), pageSize: 5 })
    const rows = await readAll(createBareArchive(), listing)
    expect(listing.requests).toEqual([...range(1, 14), 1])
    expect(rows).toEqual({ inserted: 52, updated: 0, vanished: 0, quarantined: 0 })
  })

  test('is committed in slices, so that what is held in memory has a bound', async () => {
    const archive = createBareArchive()
    const slices: number[] = []
    const watched: SyncArchive = {
      ...archive,
      import: (source, fill) =>
        archive.import(source, (run) => {
          const append: typeof run.append = async (rows, rejected) => {
            slices.push(rows.length)
            await run.append(rows, rejected)
          }
          return fill({ ...run, append })
        }),
    }
    await readAll(watched, createListing({ ids: range(1, 12_000), pageSize: 100 }))
    expect(Math.max(...slices)).toBeLessThanOrEqual(5_100)
    expect(await selectMissing(archive, range(1, 12_000))).toEqual([])
  })

  test('a page that cannot be read is remembered, tried first the next time, and nothing is claimed until then', async () => {
    const archive = createBareArchive()
    const listing = createListing({ ids: range(1, 50), pageSize: 5 })
    const { readPage } = listing
    let isBroken = true
    const asked: number[] = []
    let holes: readonly number[] = []
    const read = async () =>
      await readAllPages({
        ...toReading(archive, async (number) => {
          asked.push(number)
          if (number === 4 && isBroken) throw new AppError('upstream_contract', 'No JSON.')
          return await readPage(number)
        }),
        holes,
        onHoles: async (numbers) => {
          holes = numbers
        },
      })
    await expect(read()).rejects.toThrow('could not be read')
    expect(holes).toEqual([4])
    expect(await selectMissing(archive, range(1, 50))).toEqual(range(31, 35))
    expect(archive.state().completeTo).toBeNull()
    asked.length = 0
    await expect(read()).rejects.toThrow('could not be read')
    expect(asked).toEqual([1, 4])
    isBroken = false
    await read()
    expect(holes).toEqual([])
    expect(await selectMissing(archive, range(1, 50))).toEqual([])
    expect(archive.state().completeTo).toBe(WEDNESDAY)
  })
})
