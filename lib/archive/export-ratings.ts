import { type Kysely, sql } from 'kysely'
import type { ExportColumn } from '#lib/contract/export-choice.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { RatingsExport, ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { toLine } from './export-text.ts'
import type { FileShelf } from './file-shelf.ts'
import { stateAt, toConditions } from './rating-conditions.ts'
import { orderRatings } from './select-ratings.ts'
import type { Snapshot } from './snapshot.ts'
import type { Tables } from './tables.ts'

/** Counts the rows of a query and holds the snapshot in which they were counted, to write them from. */
export async function openExport(
  { engine, shelf }: { engine: Engine; shelf: FileShelf },
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<RatingsExport> {
  const snapshot = await engine.openSnapshot(signal)
  const asOf = query.asof ?? at
  try {
    const declared = await snapshot.read(async (db) => await selectDeclared(db, query, at))
    return {
      ...declared,
      lines: (form, columns) =>
        streamLines(snapshot, query, { line: { form, columns, at: asOf }, at }),
      writeParquet: async (columns) => {
        const path = await shelf.newPath()
        const rows = toTyped(columns, asOf)
        return await shelf.keep(path, async () => {
          await snapshot.read(async (db) => {
            const ordered = orderRatings(db, query, at).select(rows)
            await sql`copy (${ordered}) to ${sql.lit(path)} (format parquet, compression zstd)`.execute(
              db,
            )
          })
        })
      },
      close: async () => await snapshot.close(),
    }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

async function selectDeclared(db: Kysely<Tables>, query: RatingsQuery, at: number) {
  const counted = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('rows'))
    .where(toConditions({ query, at }))
    .executeTakeFirstOrThrow()
  const journal = await db
    .selectFrom('journal')
    .select(['generation', 'complete_to'])
    .executeTakeFirstOrThrow()
  return {
    rows: counted.rows,
    generation: journal.generation,
    completeTo: journal.complete_to,
  }
}

type Streamed = { line: Parameters<typeof toLine>[0]; at: number }

async function* streamLines(
  snapshot: Snapshot,
  query: RatingsQuery,
  { line, at }: Streamed,
): AsyncGenerator<string[], void, undefined> {
  // Rows are ordered first and written then: the other way round, whole lines would be sorted.
  const batches = snapshot.stream((db) =>
    db
      .selectFrom(orderRatings(db, query, at).selectAll().as('row'))
      .select(toLine(line).as('line')),
  )
  for await (const rows of batches) yield rows.map((row) => row.line)
}

/** Each column as its exact type: decimals as such, instants and ids as 64-bit integers. */
function toTyped(columns: readonly ExportColumn[], at: number) {
  return columns.map((name) => {
    if (name === 'state') return stateAt(at).as(name)
    if (name === 'prediction') return sql.ref('prediction_value').as(name)
    if (name === 'previous_prediction')
      return sql`cast(${sql.ref(name)} as decimal(18, 6))`.as(name)
    return sql.ref(name).as(name)
  })
}
