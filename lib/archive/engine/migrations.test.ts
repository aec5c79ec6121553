import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectFacets } from '#lib/archive/ratings/facets.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { EVERY_RATING } from '#lib/contract/ratings-query.ts'
import { aRating, importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { type Engine, openEngine } from './duckdb-engine.ts'
import { addQuality, migrate, SCHEMA_VERSION } from './migrations.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'migrations-'))
  await makeVersion1('version-1.db')
})
afterAll(async () => {
  await rm(folder, { recursive: true })
})

const open = async (name: string) =>
  await openArchive({ path: join(folder, name), now: () => START })

async function withEngine<T>(name: string, work: (engine: Engine) => Promise<T>): Promise<T> {
  const path = join(folder, name)
  const engine = await openEngine({ path, memoryLimit: '64MB', threads: 2 })
  try {
    return await work(engine)
  } finally {
    await engine.close()
  }
}

/** More than the engine reads at a time. */
const ROWS = 2500

const drawRows = (seed: number, count: number): IncomingRating[] =>
  fc.sample(aRating, { seed, numRuns: count }).map((row, index) => ({
    ...row,
    rating: { ...row.rating, id: index, user_id: index % 41 },
  }))

const FIRST = drawRows(1, ROWS)
const AGAIN = drawRows(2, 900)

/** What versions behind the second added. */
const LATER = [
  ['rating', 'vanished_at'],
  ['quarantine', 'rating_id'],
  ['journal', 'covered_to_id'],
  ['journal', 'covered_at'],
  ['journal', 'quarantine_dropped'],
] as const

/** A file as version 1 left it, with places in it that rows were deleted from. */
async function makeVersion1(name: string): Promise<void> {
  const archive = await open(name)
  await importRows(archive, FIRST)
  await importRows(archive, AGAIN)
  await archive.close()
  await withEngine(name, async ({ writer: { db } }) => {
    for (const [table, column] of LATER) {
      await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db)
    }
    await sql`alter table rating drop column quality`.execute(db)
    await sql`alter table rating drop column previous_created_at`.execute(db)
    await sql`update journal set schema_version = 1`.execute(db)
  })
}

const copyVersion1 = async (name: string) =>
  await copyFile(join(folder, 'version-1.db'), join(folder, name))

const readAll = async (name: string) =>
  await withEngine(name, async ({ writer: { db } }) => {
    const { rows } = await sql`select * from rating`.execute(db)
    const columns = await sql`
      select * exclude (quality, previous_created_at, vanished_at) from rating`
      .execute(db)
      .catch(() => null)
    const version = await db.selectFrom('journal').select('schema_version').executeTakeFirst()
    return { rows, columns: columns?.rows, version: version?.schema_version }
  })

test('a file of version 1 is brought over in place: same rows, same order, each lens as an import finds it', async () => {
  await copyVersion1('one.db')
  const before = await readAll('one.db')
  expect([before.version, before.rows.length]).toEqual([1, ROWS])
  const archive = await open('one.db')
  const facets = await selectFacets(archive.reader, EVERY_RATING, { at: START })
  await archive.close()
  const after = await readAll('one.db')
  expect(after.version).toBe(SCHEMA_VERSION)
  expect(after.columns).toEqual(before.rows)

  const fresh = await open('fresh.db')
  await importRows(fresh, [...FIRST, ...AGAIN])
  expect(facets).toEqual(await selectFacets(fresh.reader, EVERY_RATING, { at: START }))
  // Nothing has vanished yet.
  expect(facets.quality.filter(({ count }) => count === 0).map(({ value }) => value)).toEqual([
    'vanished',
  ])
  await fresh.close()
  const byId = (rows: readonly unknown[]) => new Map(rows.map((row) => [(row as Id).id, row]))
  expect(byId(after.rows)).toEqual(byId((await readAll('fresh.db')).rows))
})

type Id = { id: number }

test('killed in its midst it begins again, and imports go on behind it', async () => {
  await copyVersion1('killed.db')
  await withEngine('killed.db', async ({ writer: { db } }) => {
    await db.transaction().execute(async (transaction) => {
      await addQuality(transaction, 400)
      await copyFile(join(folder, 'killed.db'), join(folder, 'copy.db'))
      await copyFile(join(folder, 'killed.db.wal'), join(folder, 'copy.db.wal')).catch(() => {})
    })
  })
  expect((await readAll('copy.db')).version).toBe(1)
  await (await open('copy.db')).close()
  const copied = await readAll('copy.db')
  expect(copied.version).toBe(SCHEMA_VERSION)
  // Slices of any size give one table.
  expect(copied.rows).toEqual(
    (await readAll('killed.db')).rows.map((row) => ({ ...Object(row), vanished_at: null })),
  )
  const archive = await open('copy.db')
  expect(await importRows(archive, drawRows(3, 50))).toMatchObject({ inserted: 0 })
  expect(archive.state().ratings).toBe(ROWS)
  await archive.close()
})

test('where it fails the file stays as it was', async () => {
  await copyVersion1('blocked.db')
  const before = await readAll('blocked.db')
  await withEngine('blocked.db', async ({ writer: { db } }) => {
    await sql`create table rating_next (of_somebody text)`.execute(db)
  })
  await expect(open('blocked.db')).rejects.toThrow('rating_next')
  expect(await readAll('blocked.db')).toEqual(before)
})

test('an empty file is of the newest version', async () => {
  await (await open('empty.db')).close()
  expect(await readAll('empty.db')).toMatchObject({ version: SCHEMA_VERSION, rows: [] })
})

test('a file of version 2 keeps every rating as it was, and learns the ids of its quarantine', async () => {
  const path = join(folder, 'version-2.db')
  const archive = await openArchive({ path, now: () => START })
  await archive.import({ kind: 'pages', name: 'newest' }, async (run) => {
    const odd = Array.from({ length: 2300 }, (_, id) => ({ reason: 'x', raw: `{"id":${id}}` }))
    await run.append(
      [1, 2, 5000].map((id) => makeRating({ id })),
      [...odd, { reason: 'row: no object', raw: '7' }],
    )
    return { completeTo: START }
  })
  await archive.close()

  const engine = await openEngine({ path, memoryLimit: '64MB', threads: 2 })
  const { db } = engine.writer
  const read = async () =>
    (await sql`select * exclude (vanished_at) from rating order by id`.execute(db)).rows
  const before = await read()
  for (const [table, column] of LATER) {
    await sql`alter table ${sql.table(table)} drop column ${sql.ref(column)}`.execute(db)
  }
  await db.updateTable('journal').set({ schema_version: 2 }).execute()
  await migrate(db, 3)
  expect(await read()).toEqual(before)
  await engine.close()

  const after = await openArchive({ path, now: () => START })
  expect(after.state()).toMatchObject({ ratings: 3, vanished: 0, quarantined: 2301 })
  // Of the missing 3 to 4999, those below 2300 stand in quarantine; no dump explains the rest.
  expect(after.state().gaps).toEqual({
    ids: 4997,
    unexplained: 2700,
    listed: [
      { from: 2300, to: 4999, reason: 'unknown' },
      { from: 3, to: 2299, reason: 'quarantine' },
    ],
  })
  await after.close()
})
