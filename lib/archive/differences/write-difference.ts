import { BIGINT, DuckDBDataChunk, INTEGER, VARCHAR } from '@duckdb/node-api'
import { sql } from 'kysely'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { MEMORY_LIMIT } from '#lib/archive/import/sort-records.ts'
import { DIFFERENCE_KINDS, type DifferenceKind } from '#lib/contract/edition-differences.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'

/** A field that changed: its text in the earlier edition and in the later one. */
export type FieldChange = { field: string; before: string; after: string }

/** A rating that differs. Texts as they stand in its newest edition of the two, numbers null where they are none. */
export type DifferingRating = {
  id: string
  kind: DifferenceKind
  symbol: string
  user_id: string
  rating: string
  prediction: string
  created_at: string
  changes: readonly FieldChange[]
}

export type DifferenceWriter = {
  /** In order of their numbers in the file. */
  append(ratings: readonly DifferingRating[]): Promise<void>
  /** Forgets what was appended. */
  clear(): Promise<void>
  /** Writes all of it into a new Parquet file. Throws what the engine says. */
  write(path: string): Promise<void>
  close(): Promise<void>
}

/** As many as a chunk of the engine holds. */
const CHUNK_ROWS = 2048

/** Whole numbers that JavaScript holds exactly; any other is none. */
const toWhole = (name: string) => sql`case
  when abs(try_cast(${sql.ref(name)} as bigint)) <= ${sql.lit(Number.MAX_SAFE_INTEGER)}
  then try_cast(${sql.ref(name)} as bigint) end as ${sql.ref(name)}`

/** Puts a difference together in a database of its own, one row a change; a rating of which no field changed has one row. */
export async function openDifferenceWriter(options: {
  spillPath: string
  signal: AbortSignal
}): Promise<DifferenceWriter> {
  const { spillPath, signal } = options
  const engine = await openEngine({
    ...{ path: ':memory:', memoryLimit: MEMORY_LIMIT, threads: 1, spillPath },
  })
  const { connection, db, interruptible } = engine.writer
  const texts = ['id', 'symbol', 'symbol_key', 'user_id', 'rating', 'prediction', 'created_at']
  const changed = ['field', 'before', 'after']
  const columns = [...texts, ...changed].map((name) => sql`${sql.ref(name)} text`)
  await sql`create table change (
    row_no bigint, nth integer, kind_no integer, ${sql.join(columns)})`.execute(db)
  const appender = await connection.createAppender('change')
  const types = [BIGINT, INTEGER, INTEGER, ...columns.map(() => VARCHAR)]
  let rows: (bigint | number | string | null)[][] = []
  let rowNo = 0n

  const flush = (atLeast: number) => {
    while (rows.length >= atLeast && rows.length > 0) {
      const part = rows.slice(0, CHUNK_ROWS)
      rows = rows.slice(CHUNK_ROWS)
      const chunk = DuckDBDataChunk.create(types, part.length)
      for (let column = 0; column < types.length; column += 1) {
        chunk.setColumnValues(
          column,
          part.map((row) => row[column] ?? null),
        )
      }
      appender.appendDataChunk(chunk)
      appender.flushSync()
    }
  }
  const add = (one: DifferingRating) => {
    const kindNo = DIFFERENCE_KINDS.indexOf(one.kind)
    const { id, symbol, user_id, rating, prediction, created_at, changes } = one
    const shared = [kindNo, id, symbol, toSymbolKey(symbol), user_id, rating, prediction]
    const [first = null, ...others] = changes
    const line = (nth: number, change: FieldChange | null) =>
      rows.push([
        ...[rowNo, nth, ...shared, created_at],
        ...[change?.field ?? null, change?.before ?? null, change?.after ?? null],
      ])
    line(0, first)
    others.forEach((change, index) => {
      line(index + 1, change)
    })
    rowNo += 1n
  }
  return {
    async append(ratings) {
      signal.throwIfAborted()
      for (const one of ratings) add(one)
      flush(CHUNK_ROWS)
    },
    async clear() {
      rows = []
      rowNo = 0n
      appender.flushSync()
      await sql`truncate change`.execute(db)
    },
    async write(path) {
      flush(1)
      await interruptible(
        signal,
        async () =>
          await sql`
          copy (
            select row_no, nth, kind_no, id as id_text, ${toWhole('id')}, symbol, symbol_key,
              ${toWhole('user_id')}, ${toWhole('rating')}, prediction, ${toWhole('created_at')},
              field, "before", "after"
            from change
          ) to ${sql.lit(path)} (format parquet, compression zstd, row_group_size 61440)`.execute(
            db,
          ),
      )
    },
    async close() {
      appender.closeSync()
      await engine.close()
    },
  }
}
