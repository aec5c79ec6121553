import { stat } from 'node:fs/promises'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import { type Engine, openEngine } from '#lib/archive/duckdb-engine.ts'
import { isDamage } from '#lib/archive/engine-problems.ts'
import { selectVersion } from '#lib/archive/migrations.ts'
import { readTable } from '#lib/archive/read-table.ts'
import type { Tables } from '#lib/archive/tables.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { IncomingRating } from '#lib/contract/incoming-rating.ts'
import { type Rating, rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { LIMITS } from './by-hand.ts'

/** A rating as it came, and since when (seconds) it is no longer listed; null where it is. */
export type OldRating = IncomingRating & { vanishedAt: number | null }

/** An archive that another is made of, read only. */
export type OldArchive = {
  path: string
  /** Whether all of its ratings can be read. */
  isWhole: boolean
  /** Seconds since 1970; null where it does not say, or where not all of its rows could be read. */
  completeTo: number | null
  rows(): AsyncGenerator<OldRating[], void, undefined>
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
      isWhole,
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
    await readTable(db, 'rating')
    return true
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

async function* readRows(db: Kysely<Tables>): AsyncGenerator<OldRating[]> {
  const vanishedAt = await selectMark(db)
  const last = await readLast(db)
  const step = GROUP_ROWS / 12
  for (let from = 0; from <= last; from += step) {
    try {
      const rows = await db
        .selectFrom('rating')
        .select([...RATING_FIELDS, 'extra', vanishedAt])
        .where(sql<boolean>`rowid >= ${sql.lit(from)} and rowid < ${sql.lit(from + step)}`)
        .execute()
      yield rows.map(({ extra, vanishedAt, ...fields }) => ({
        ...toIncoming(fields, extra),
        vanishedAt,
      }))
    } catch (error) {
      if (!isDamage(error)) throw error
    }
  }
}

/** Archives of before version 3 have no marks. */
async function selectMark(db: Kysely<Tables>) {
  const { rows } = await sql`
    select 1 from duckdb_columns() where database_name = current_database()
      and table_name = 'rating' and column_name = 'vanished_at'`.execute(db)
  const mark = rows.length > 0 ? sql`vanished_at` : sql`cast(null as bigint)`
  return sql<number | null>`${mark}`.as('vanishedAt')
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
