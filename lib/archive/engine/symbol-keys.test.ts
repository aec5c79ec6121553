import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { verifyArchive } from '#lib/archive/lifecycle/integrity-check.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import type { IncomingRating } from '#lib/contract/rating.ts'
import { aCommunity, importRows, makeRating, START } from '#testing/archive/arbitrary.ts'
import { draws } from '#testing/draws.ts'
import { readContents } from '#testing/nodes/shared-archives.ts'
import { openEngine } from './duckdb-engine.ts'
import { MIGRATIONS, migrate } from './migrations.ts'
import { DERIVED, NEIGHBORS, OWN } from './tables.ts'

const LIMITS = { memoryLimit: '64MB', threads: 1 }

async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'bellwether-keys-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** An archive of version 1, whose keys were in upper case only. */
async function writeEarlier(path: string, rows: readonly IncomingRating[]): Promise<void> {
  const engine = await openEngine({ path, ...LIMITS })
  const { db } = engine.writer
  await migrate(db, MIGRATIONS.slice(0, 1))
  for (const { rating } of new Map(rows.map((row) => [row.rating.id, row])).values()) {
    await db
      .insertInto('rating')
      .values({
        ...rating,
        symbol_key: rating.symbol.toUpperCase(),
        extra: null,
        prediction_value: rating.prediction,
        effective_until: 0,
        previous_rating: null,
        previous_prediction: null,
        previous_created_at: null,
        quality: 0,
        vanished_at: null,
      })
      .execute()
  }
  await sql`
    create or replace temporary table derived as
    select of_id, ${DERIVED} from (select *, id as of_id, ${NEIGHBORS} from (
      select id, user_id, symbol_key, created_at, rating, action, prediction, expired_at, vanished_at
      from rating
    ) as own ${OWN}) as between_neighbors`.execute(db)
  for (const name of [
    ...['effective_until', 'previous_rating', 'previous_prediction', 'previous_created_at'],
    'quality',
  ]) {
    await sql`
      update rating set ${sql.ref(name)} = derived.${sql.ref(name)} from derived
      where of_id = id`.execute(db)
  }
  await sql`
    insert into symbol select symbol_key, min(symbol) from rating group by symbol_key`.execute(db)
  await sql`update journal set generation = 1`.execute(db)
  await engine.close()
}

async function verify(path: string): Promise<string[]> {
  const engine = await openEngine({ path, ...LIMITS, isReadOnly: true })
  const { problems } = await verifyArchive(engine.writer.db)
  await engine.close()
  return problems
}

const withoutExtra = (row: IncomingRating): IncomingRating => ({ ...row, extra: null })

test('holds what a new import would hold when an archive of version 1 is opened', async () => {
  await fc.assert(
    fc.asyncProperty(
      aCommunity.map((rows) => rows.map(withoutExtra)),
      async (rows) => {
        const folder = await makeFolder()
        const [earlier, fresh] = [join(folder, 'earlier.db'), join(folder, 'fresh.db')]
        await writeEarlier(earlier, rows)
        const opened = await openArchive({ path: earlier, now: () => START, threads: 1 })
        expect(opened.opened.migratedFrom).toBe(1)
        await opened.close()
        const imported = await openArchive({ path: fresh, now: () => START, threads: 1 })
        await importRows(imported, rows)
        await imported.close()
        const [after, wanted] = [await readContents(earlier), await readContents(fresh)]
        expect(after.rating).toEqual(wanted.rating)
        expect(after.symbol).toEqual(wanted.symbol)
        expect(await verify(earlier)).toEqual([])
        const again = await openArchive({ path: earlier, now: () => START, threads: 1 })
        expect(again.opened.migratedFrom).toBeNull()
        await again.close()
      },
    ),
    { numRuns: draws(8) },
  )
})

test('takes one symbol for all its spellings when they differ by case, composition or ß', async () => {
  const path = join(await makeFolder(), 'archive.db')
  const spellings = ['Straße', 'STRASSE', 'strasse', 'Chambéry', 'CHAMBE\u0301RY', 'chamb\u00e9ry']
  const archive = await openArchive({ path, now: () => START, threads: 1 })
  const rows = spellings.map((symbol, id) => makeRating({ id, symbol }))
  await importRows(archive, rows.slice(0, 4))
  await importRows(archive, rows.slice(4))
  await archive.close()
  expect((await readContents(path)).symbol).toEqual([
    { symbol_key: 'CHAMBÉRY', symbol: 'CHAMBE\u0301RY', search_key: 'CHAMBERY' },
    { symbol_key: 'STRASSE', symbol: 'STRASSE', search_key: 'STRASSE' },
  ])
  expect(await verify(path)).toEqual([])
})
