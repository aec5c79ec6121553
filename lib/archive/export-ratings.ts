import { type Kysely, sql } from 'kysely'
import type { ExportColumn } from '#lib/contract/export-choice.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { ArchiveState, LineForm, RatingsExport, ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { refuseAborted, type Session } from './duckdb-session.ts'
import { toLine } from './export-text.ts'
import type { FileShelf, ShelfFile } from './file-shelf.ts'
import { loadGaps } from './gaps.ts'
import { stateAt, toConditions, vanishedAt } from './rating-conditions.ts'
import { orderRatings } from './select-ratings.ts'
import type { Snapshot } from './snapshot.ts'
import type { Tables } from './tables.ts'

/** Rows that are put together at a time: what an export holds in memory, however many there are. */
const WINDOW_ROWS = 20_480

/** A query, the instant (seconds) that *active* is judged at where it names none, and how many rows it has. */
type Source = { snapshot: Snapshot; query: RatingsQuery; at: number; rows: number } & Pick<
  ReadOptions,
  'signal'
>

type Sources = { engine: Engine; shelf: FileShelf; state: () => ArchiveState }

/** Counts the rows of a query and holds the snapshot in which they were counted, to write them from. */
export async function openExport(
  { engine, shelf, state }: Sources,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<RatingsExport> {
  const snapshot = await engine.openSnapshot(signal)
  try {
    const declared = await snapshot.read(
      async ({ db }) => await selectDeclared(db, { query, at, known: state() }),
    )
    const source = { snapshot, query, at, rows: declared.rows, signal }
    return {
      ...declared,
      lines: (form, columns) => streamLines(source, form, columns),
      writeParquet: async (columns, facts) => await writeParquet(source, shelf, { columns, facts }),
      close: async () => await snapshot.close(),
    }
  } catch (error) {
    await snapshot.close()
    throw error
  }
}

/** What is known without asking is of another commit than the snapshot at times. */
async function countGaps(
  db: Kysely<Tables>,
  generation: number,
  known: ArchiveState,
): Promise<number> {
  if (known.generation === generation) return known.gaps.unexplained
  return (await loadGaps(db)).gaps.unexplained
}

async function selectDeclared(
  db: Kysely<Tables>,
  { query, at, known }: { query: RatingsQuery; at: number; known: ArchiveState },
) {
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
    gaps: await countGaps(db, journal.generation, known),
  }
}

/**
 * First the order of all rows, which is narrow, then their texts window by window. One ordered result would be simpler,
 * but the engine would hold all of it for as long as its reader takes: a few such exports leave no memory to anybody.
 */
async function* streamLines(
  { snapshot, query, at, rows, signal }: Source,
  form: LineForm,
  columns: readonly ExportColumn[],
): AsyncGenerator<string[], void, undefined> {
  const line = toLine({ form, columns, at: query.asof ?? at })
  await snapshot.read(async ({ db }) => await createOrder(db, query, at))
  for (let from = 0; from < rows; from += WINDOW_ROWS) {
    const to = Math.min(rows, from + WINDOW_ROWS)
    const span = { from, to }
    const batches = await snapshot.read(async (session) => await loadWindow(session, line, span))
    for (const batch of batches) {
      refuseAborted(signal)
      yield batch
    }
  }
}

/** Row ids are good for as long as the transaction is open. */
async function createOrder(db: Kysely<Tables>, query: RatingsQuery, at: number): Promise<void> {
  const ordered = orderRatings(db, query, at).select(sql<number>`rowid`.as('row_id'))
  await sql`
    create temporary table export_order as
    select row_number() over () - 1 as place, row_id from ${ordered} as ordered`.execute(db)
}

async function loadWindow(
  { db, stream }: Session,
  line: ReturnType<typeof toLine>,
  { from, to }: { from: number; to: number },
): Promise<string[][]> {
  const window = db
    .selectFrom('export_order')
    .innerJoin('rating', (join) => join.on(sql`rating.rowid`, '=', sql.ref('row_id')))
    .select(line.as('line'))
    .where('place', '>=', from)
    .where('place', '<', to)
    .orderBy('place')
  const batches: string[][] = []
  for await (const rows of stream(window, undefined)) batches.push(rows.map((row) => row.line))
  const loaded = batches.reduce((sum, batch) => sum + batch.length, 0)
  if (loaded === to - from) return batches
  // Asked in one piece, the engine says what was in its way, or manages after all.
  return [(await window.execute()).map((row) => row.line)]
}

type ParquetFile = {
  columns: readonly ExportColumn[]
  facts: Readonly<Record<string, string>>
}

async function writeParquet(
  { snapshot, query, at, rows }: Source,
  shelf: FileShelf,
  { columns, facts }: ParquetFile,
): Promise<ShelfFile> {
  const path = await shelf.newPath()
  const typed = toTyped(columns, query.asof ?? at)
  return await shelf.keep(path, async () => {
    const written = await snapshot.read(async ({ db }) => {
      const ordered = orderRatings(db, query, at).select(typed)
      return await sql`
        copy (${ordered}) to ${sql.lit(path)}
        (format parquet, compression zstd, kv_metadata {${toPairs(facts)}})`.execute(db)
    })
    if (written.numAffectedRows !== BigInt(rows)) {
      throw new Error(`${written.numAffectedRows} rows were written of ${rows}`)
    }
  })
}

const toPairs = (facts: Readonly<Record<string, string>>) =>
  sql.join(Object.entries(facts).map(([name, fact]) => sql`${sql.ref(name)}: ${sql.lit(fact)}`))

/** Each column as its exact type: decimals as such, instants and ids as 64-bit integers. */
function toTyped(columns: readonly ExportColumn[], at: number) {
  return columns.map((name) => {
    if (name === 'state') return stateAt(at).as(name)
    if (name === 'vanished_at') return vanishedAt(at).as(name)
    if (name === 'prediction') return sql.ref('prediction_value').as(name)
    if (name === 'previous_prediction')
      return sql`cast(${sql.ref(name)} as decimal(18, 6))`.as(name)
    return sql.ref(name).as(name)
  })
}
