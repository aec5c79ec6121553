import { sql } from 'kysely'
import type { QuarantineExport } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { inQuarantine } from './quarantine.ts'
import type { Snapshot } from './snapshot.ts'

/** Rows that are in memory at a time: at 4,096 characters each some megabytes. */
const WINDOW_ROWS = 1000

/** Counts what is in quarantine and holds the snapshot to write it from. Whoever opens it closes it. */
export async function openQuarantine(
  engine: Engine,
  signal?: AbortSignal,
): Promise<QuarantineExport> {
  const snapshot = await engine.openSnapshot(signal)
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
