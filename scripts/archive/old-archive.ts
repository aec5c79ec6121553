import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { type Engine, openEngine } from '#lib/archive/duckdb-engine.ts'
import { isDamage } from '#lib/archive/engine-problems.ts'
import { selectVersion } from '#lib/archive/migrations.ts'
import type { Tables } from '#lib/archive/tables.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { type Rating, rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { LIMITS } from './by-hand.ts'

/** An archive that another is made of, read only. */
export type OldArchive = {
  path: string
  /** Seconds since 1970; null where it does not say, or where not all of its rows could be read. */
  completeTo: number | null
  rows(): AsyncGenerator<IncomingRating[], void, undefined>
  close(): Promise<void>
}

/** The engine keeps rows in groups of so many: where one cannot be read, the next one may be. */
const GROUP_ROWS = 122_880

/** null where there is none, or nothing of it can be opened. Throws AppError where it is newer or somebody else's. */
export async function openOld(
  path: string,
  print: (line: string) => void,
): Promise<OldArchive | null> {
  if ((await stat(path).catch(() => null)) === null) return null
  let engine: Engine | null = null
  try {
    engine = await openEngine({ ...LIMITS, path, isReadOnly: true })
    if ((await selectVersion(engine.writer.db)) === 0) throw new Error('it is empty')
    const { db } = engine.writer
    const journal = await db.selectFrom('journal').select('complete_to').executeTakeFirst()
    const isWhole = await canReadAll(db)
    if (!isWhole) print('The old archive is damaged: what can be read of it is taken over.')
    const close = engine.close
    return {
      path,
      completeTo: isWhole ? (journal?.complete_to ?? null) : null,
      rows: () => readRows(db),
      close,
    }
  } catch (error) {
    await engine?.close()
    const isForeign = error instanceof AppError && !isDamage(error.cause)
    if (isForeign) throw error
    print('Nothing can be read of the old archive.')
    return null
  }
}

async function canReadAll(db: Kysely<Tables>): Promise<boolean> {
  try {
    await sql`select bit_xor(hash(each)) = 0 as hash from rating as each`.execute(db)
    return true
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

async function* readRows(db: Kysely<Tables>): AsyncGenerator<IncomingRating[]> {
  const last = await readLast(db)
  const step = GROUP_ROWS / 12
  for (let from = 0; from <= last; from += step) {
    try {
      const rows = await db
        .selectFrom('rating')
        .select([...RATING_FIELDS, 'extra'])
        .where(sql<boolean>`rowid >= ${sql.lit(from)} and rowid < ${sql.lit(from + step)}`)
        .execute()
      yield rows.map(({ extra, ...fields }) => toIncoming(fields, extra))
    } catch (error) {
      if (!isDamage(error)) throw error
    }
  }
}

async function readLast(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(rowid) as last from rating`.execute(db)
  return rows[0]?.last ?? -1
}

const extraFields = z.record(z.string(), z.unknown())

const toIncoming = (fields: Rating, extra: string | null): IncomingRating => ({
  rating: rating.parse(fields),
  extra: extra === null ? null : extraFields.parse(JSON.parse(extra)),
})

/**
 * Takes over what stands beside the ratings: since when those are no longer listed that vanished long ago, the quarantine, and
 * how far the archive had come. What of it cannot be read is left.
 */
export async function carryOver(next: string, old: OldArchive): Promise<void> {
  const engine = await openEngine({ ...LIMITS, path: next })
  const { db } = engine.writer
  try {
    await sql`attach ${sql.lit(old.path)} as old (read_only)`.execute(db)
    for (const step of [keepInstants, keepQuarantine, keepGeneration]) {
      await step(db).catch((error: unknown) => {
        if (!isDamage(error)) throw error
      })
    }
    await sql`detach old`.execute(db)
    await sql`checkpoint`.execute(db)
  } finally {
    await engine.close()
  }
}

async function hasColumn(db: Kysely<Tables>, table: string, column: string): Promise<boolean> {
  const { rows } = await sql`
    select 1 from duckdb_columns() where database_name = 'old'
      and table_name = ${table} and column_name = ${column}`.execute(db)
  return rows.length > 0
}

async function keepInstants(db: Kysely<Tables>): Promise<void> {
  if (!(await hasColumn(db, 'rating', 'vanished_at'))) return
  await sql`
    update rating set
      vanished_at = earlier.vanished_at,
      effective_until = least(rating.effective_until, earlier.vanished_at)
    from old.rating as earlier
    where earlier.id = rating.id and earlier.vanished_at < rating.vanished_at`.execute(db)
}

async function keepQuarantine(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into quarantine by name
    select * from old.quarantine as earlier where not exists (
      select 1 from quarantine where quarantine.source_kind = earlier.source_kind
        and quarantine.reason = earlier.reason and quarantine.raw = earlier.raw
    )`.execute(db)
}

/** Higher than before, so that nothing that was kept of the old one is taken for this one's. */
async function keepGeneration(db: Kysely<Tables>): Promise<void> {
  await sql`
    update journal set generation = greatest(journal.generation, earlier.generation) + 1
    from old.journal as earlier`.execute(db)
}
