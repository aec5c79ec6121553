import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ExportFile } from '#lib/archive/export-file.ts'
import type { ArchiveReader } from '#lib/archive/reader.ts'
import type { AnyList } from '#lib/contract/lists/define-list.ts'
import { PREDICTION_PATTERN } from '#lib/contract/rating-fields.ts'
import {
  type IsText,
  type LineForm,
  type OpenExport,
  selectJournal,
  toLines,
  toPairs,
} from './export-rows.ts'

/** Rows with such columns, of one commit, in the order of their query. */
export type PlacedExport<C extends string> = OpenExport & {
  lines(form: LineForm, columns: readonly C[]): AsyncGenerator<string[], void, undefined>
  /** See `RatingsExport`. */
  writeParquet(columns: readonly C[], facts: Readonly<Record<string, string>>): Promise<ExportFile>
}

type PlacedRows<C extends string, R extends Partial<Record<C, string | number | null>>> = {
  list: AnyList
  /** All rows, as a query, each with its `place`: whole numbers from 0 on. */
  placed: RawBuilder<unknown>
  /** Some of them, as a table, with what answers have of each, in order of `place`. */
  load: (db: Kysely<Tables>, rows: RawBuilder<unknown>) => Promise<R[]>
  /** What a typed file has of them: a query, in the same order. */
  toTyped: (columns: readonly C[], rows: RawBuilder<unknown>) => RawBuilder<unknown>
}

/** The texts of a list that a service may fill with anything. */
const toGuard =
  ({ fields }: AnyList): IsText =>
  (name, value) => {
    const { type, mayBeNumber } = fields[name] ?? {}
    return type === 'text' && !(mayBeNumber && PREDICTION_PATTERN.test(value))
  }

/** Rows that are put together at a time: what an export holds in memory, however many there are. */
const WINDOW_ROWS = 20_480

const PLACED = sql.table('placed_row')

/** Writes down where each row stands, counts them, and holds the snapshot in which that was done, to write them from. */
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
