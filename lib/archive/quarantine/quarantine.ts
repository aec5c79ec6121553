import { type Kysely, sql } from 'kysely'
import type { Snapshot } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader, Rows, SignalOptions } from '#lib/archive/reader.ts'
import type { QuarantinedRow } from '#lib/contract/answers/status.ts'

/** The newest first. Rows of one run are in order of storage, since texts are long to sort by. */
const inQuarantine = (db: Kysely<Tables>, reason: string | null) =>
  db
    .selectFrom('quarantine')
    .$if(reason !== null, (rows) => rows.where('reason', '=', reason))
    .orderBy('quarantined_at', 'desc')
    .orderBy(sql`rowid`)

const SHOWN = ['quarantined_at as at', 'source_name as source', 'reason', 'raw'] as const

/** The newest rows in quarantine. */
export const selectQuarantine = async (
  reader: ArchiveReader,
  limit: number,
): Promise<QuarantinedRow[]> =>
  await reader.read(async (db) => await inQuarantine(db, null).select(SHOWN).limit(limit).execute())

/** `reason` null: all rows. `page` from 1. */
export type QuarantineQuery = { reason: string | null; page: number; perPage: number }

/** `total` is of the query; `reasons` are of all rows, most frequent first, at most 100. */
export type QuarantinePage = Rows<QuarantinedRow> & {
  reasons: { reason: string; count: number }[]
}

/** A page of rows in quarantine, newest first. */
export const selectQuarantinePage = async (
  reader: ArchiveReader,
  query: QuarantineQuery,
): Promise<QuarantinePage> => await reader.read((db) => selectPage(db, query))

async function selectPage(
  db: Kysely<Tables>,
  { reason, page, perPage }: QuarantineQuery,
): Promise<QuarantinePage> {
  // One transaction: a commit between the reads would part the rows from their counts.
  return await db.transaction().execute(async (snapshot) => {
    const rows = await inQuarantine(snapshot, reason)
      .select(SHOWN)
      .limit(perPage)
      .offset((page - 1) * perPage)
      .execute()
    const { total } = await snapshot
      .selectFrom('quarantine')
      .select((eb) => eb.fn.countAll<number>().as('total'))
      .$if(reason !== null, (all) => all.where('reason', '=', reason))
      .executeTakeFirstOrThrow()
    return { rows, total, reasons: await selectReasons(snapshot) }
  })
}

/** How many reasons are counted: a service can fail in any number of ways. */
const REASONS = 100

const selectReasons = async (db: Kysely<Tables>) =>
  await db
    .selectFrom('quarantine')
    .select((eb) => ['reason', eb.fn.countAll<number>().as('count')])
    .groupBy('reason')
    .orderBy('count', 'desc')
    .orderBy('reason')
    .limit(REASONS)
    .execute()

/** Rows in memory at a time: at 4,096 characters each, some megabytes. */
const WINDOW_ROWS = 1000

/** All rows in quarantine, newest first, from one snapshot: one JSON text a row, without its line end. */
export type QuarantineExport = {
  rows: number
  lines(): AsyncGenerator<string[], void, undefined>
  /** Gives the snapshot back. May be called again. */
  close(): Promise<void>
}

/** Counts the rows in quarantine and keeps the snapshot to write them from. The caller closes it. */
export async function openQuarantineExport(
  reader: ArchiveReader,
  { signal }: SignalOptions,
): Promise<QuarantineExport> {
  const snapshot = await reader.openSnapshot(signal)
  try {
    const rows = await snapshot.read(async ({ db }) => {
      const ordered = inQuarantine(db, null).select(sql<number>`rowid`.as('row_id'))
      await sql`
        create temporary table export_order as
        select row_number() over () - 1 as place, row_id from ${ordered} as ordered`.execute(db)
      const counted = await db
        .selectFrom('export_order')
        .select((eb) => eb.fn.countAll<number>().as('rows'))
        .executeTakeFirstOrThrow()
      return counted.rows
    })
    return {
      rows,
      lines: () => streamLines(snapshot, rows),
      close: async () => await snapshot.close(),
    }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

async function* streamLines(
  snapshot: Snapshot,
  rows: number,
): AsyncGenerator<string[], void, undefined> {
  for (let from = 0; from < rows; from += WINDOW_ROWS) {
    const window = await snapshot.read(
      async ({ db }) =>
        await db
          .selectFrom('export_order')
          .innerJoin('quarantine', (join) => join.on(sql`quarantine.rowid`, '=', sql.ref('row_id')))
          .select(['quarantined_at as at', 'source_name as source', 'reason', 'raw'])
          .where('place', '>=', from)
          .where('place', '<', from + WINDOW_ROWS)
          .orderBy('place')
          .execute(),
    )
    yield window.map((row) => JSON.stringify(row))
  }
}
