import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ExportFile } from '#lib/archive/export-file.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import type { AnyList } from '#lib/contract/lists/define-list.ts'
import {
  type LineForm,
  type OpenExport,
  selectJournal,
  toGuard,
  toLines,
  toPairs,
} from './export-rows.ts'

export type PlacedExport<C extends string> = OpenExport & {
  lines(form: LineForm, columns: readonly C[]): AsyncGenerator<string[], void, undefined>
  writeParquet(columns: readonly C[], facts: Readonly<Record<string, string>>): Promise<ExportFile>
}

type PlacedRows<C extends string, R extends Partial<Record<C, string | number | null>>> = {
  list: AnyList
  placed: RawBuilder<unknown>
  load: (db: Kysely<Tables>, rows: RawBuilder<unknown>) => Promise<R[]>
  toTyped: (columns: readonly C[], rows: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** Bounds memory. */
const WINDOW_ROWS = 20_480

const PLACED = sql.table('placed_row')

export async function openPlacedExport<
  C extends string,
  R extends Partial<Record<C, string | number | null>>,
>(
  reader: ArchiveReader,
  { list, placed, load, toTyped }: PlacedRows<C, R>,
  signal: AbortSignal | undefined,
): Promise<PlacedExport<C>> {
  const snapshot = await reader.openSnapshot(signal)
  try {
    const declared = await snapshot.read(async ({ db }) => {
      await sql`create temporary table ${PLACED} as ${placed}`.execute(db)
      const { rows } = await sql<{ rows: number }>`select count(*) as rows from ${PLACED}`.execute(
        db,
      )
      return { rows: rows[0]?.rows ?? 0, ...(await selectJournal(db, reader)) }
    })
    return {
      ...declared,
      async *lines(form, columns) {
        for (let from = 0; from < declared.rows; from += WINDOW_ROWS) {
          const window = sql`(select * from ${PLACED}
            where place >= ${sql.lit(from)} and place < ${sql.lit(from + WINDOW_ROWS)})`
          const rows = await snapshot.read(async ({ db }) => await load(db, window))
          yield* toLines(rows, form, columns, toGuard(list))
        }
      },
      writeParquet: async (columns, facts) => {
        const path = await reader.exportFolder.newPath()
        return await reader.exportFolder.keep(path, async () => {
          await snapshot.read(
            async ({ db }) =>
              await sql`
                copy (${toTyped(columns, PLACED)}) to ${sql.lit(path)}
                (format parquet, compression zstd, kv_metadata {${toPairs(facts)}})`.execute(db),
          )
        })
      },
      close: async () => await snapshot.close(),
    }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}
