import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, expect, test } from 'vitest'
import type { Archive } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { migrate } from '#lib/archive/engine/migrations.ts'
import { createImports } from '#lib/archive/import/staged-import.ts'
import { verifyArchive } from '#lib/archive/lifecycle/integrity-check.ts'
import { selectRatings } from '#lib/archive/ratings/ratings.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { createCsvReader } from '#lib/csv/csv-reader.ts'
import { createForgetfulDiscovery } from '#lib/sync/reading/discovery.ts'
import type { EditionStore, KeptEdition } from '#lib/sync/sync.ts'
import { type SyncArchive, toSyncArchive } from '#lib/sync/sync-archive.ts'
import { createSyncStatus } from '#lib/sync/sync-status.ts'
import { draws } from '#testing/draws.ts'
import { aDump, type DumpText, START } from '#testing/sync/csv-files.ts'
import {
  createDumpService,
  type DumpService,
  openTestEditions,
} from '#testing/sync/edition-store.ts'
import { DAY, loadIds, openTestArchive, range, toRating } from '#testing/sync/scripted-service.ts'
import { createFilling, importEdition } from './reconcile.ts'

const WEEK = 7 * DAY
const { signal } = new AbortController()

const community = (ids: readonly number[]) => ids.map((id) => toRating(id))

async function open(service: DumpService) {
  const opened = await openTestEditions(service)
  const { clock, editions } = opened
  const now = () => clock.at
  const { archive } = await openTestArchive(now)
  const filling = createTestFilling(toSyncArchive(archive), editions, now)
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
  const discovery = createForgetfulDiscovery()
  const log = () => undefined
  return createFilling({ archive, editions, now, status, log, newReading, discovery })
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

test('of an empty archive nothing vanishes, and what the dump leaves out is explained by it', async () => {
  const service = createDumpService()
  service.ratings = community(hundred.filter((id) => id !== 50))
  const { archive, filling, clock } = await open(service)
  await filling.bootstrap(signal)
  const { total } = await selectRatings(archive.reader, EVERY_RATING, { at: clock.at })
  expect(total).toBe(99)
  expect(archive.state().gaps).toMatchObject({ ids: 1, unexplained: 0 })
})

const dir = mkdtempSync(join(tmpdir(), 'bellwether-whole-'))
afterAll(() => rmSync(dir, { recursive: true, force: true }))

type Side = { mayBeWhole: boolean; rebuildAbove: number }

async function openSide({ mayBeWhole, rebuildAbove }: Side) {
  const engine = await openEngine({ path: ':memory:', memoryLimit: '256MB', threads: 2 })
  const { db } = engine.writer
  await migrate(db)
  const taken: boolean[] = []
  const state = { ratings: 0, generation: 0, completeTo: null, quarantined: 0, vanished: 0 }
  const rhythm = { newestCreatedAt: null, quietAfterSeconds: 0 }
  let known = { ...state, ...rhythm, gaps: { ids: 0, unexplained: 0, listed: [] } }
  const imports = createImports(engine.writer, {
    rebuildAbove,
    now: () => 7,
    state: () => ({ ...known, version: '' }),
    settle: async () => undefined,
    refresh: async () => undefined,
  })
  const importRows: Archive['import'] = (source, fill) =>
    imports.run(source, (run) => {
      const appendCsv: typeof run.appendCsv = async (file) => {
        const isTaken = mayBeWhole && (await run.appendCsv(file))
        taken.push(isTaken)
        return isTaken
      }
      return fill({ ...run, appendCsv })
    })
  const bringIn = async (dump: DumpText, number: number) => {
    const path = join(dir, `${mayBeWhole}-${number}.csv`)
    writeFileSync(path, dump.text)
    const archive = { import: importRows, state: () => known }
    const fetched_at = START + number * 300
    const edition = {
      path,
      rows: dump.claimed ?? countRows(dump.text),
      edition: `${number}`,
      fetched_at,
    }
    try {
      const outcome = await importEdition({
        archive: archive as never,
        edition: edition as KeptEdition,
        onProgress: () => undefined,
        signal: new AbortController().signal,
        judge: () => undefined,
      })
      known = { ...known, generation: outcome.generation }
      return outcome
    } catch (error) {
      return String(error)
    }
  }
  const readTables = async () => ({
    rating: (await sql`select * from rating`.execute(db)).rows,
    symbol: (await sql`select * from symbol order by all`.execute(db)).rows,
    quarantine: (await sql`select * from quarantine order by all`.execute(db)).rows,
    journal: (await sql`select * from journal`.execute(db)).rows,
    verified: await verifyArchive(db),
  })
  return { bringIn, readTables, taken, close: engine.close }
}

function countRows(text: string): number {
  const reader = createCsvReader()
  const rows = reader.push(new TextEncoder().encode(text)).length + reader.end().records.length
  return reader.error() ? 0 : rows
}

async function compare(dumps: readonly DumpText[], rebuildAbove: number) {
  const whole = await openSide({ mayBeWhole: true, rebuildAbove })
  const byRecord = await openSide({ mayBeWhole: false, rebuildAbove })
  try {
    for (const [number, dump] of dumps.entries()) {
      expect(await whole.bringIn(dump, number)).toEqual(await byRecord.bringIn(dump, number))
      const tables = await whole.readTables()
      expect(tables).toEqual(await byRecord.readTables())
      expect(tables.verified.problems).toEqual([])
    }
    return whole.taken
  } finally {
    await whole.close()
    await byRecord.close()
  }
}

const RUNS = 12
const aThreshold = fc.constantFrom(0, 1000)

test('an archive is the same whether the database read a dump or it was read record by record', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(aDump, { minLength: 1, maxLength: 3 }),
      aThreshold,
      async (dumps, above) => {
        await compare(dumps, above)
      },
    ),
    { numRuns: draws(RUNS) },
  )
}, 600_000)
