import { DuckDBDataChunk, INTEGER, VARCHAR } from '@duckdb/node-api'
import { sql } from 'kysely'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'

export type SorterOptions = {
  /** A folder for what does not fit into memory: emptied before, taken away after. */
  spillPath: string
  signal: AbortSignal
}

/** Records that are put in order of their keys by a database of their own. Steps throw AppError('busy') when aborted. */
export type Sorter = {
  /** At most 2,048 records, each its key and its text. */
  append(records: readonly (readonly [key: string, cells: string])[]): Promise<void>
  /** All of them by key, the shorter first; those with one key as they came. Throws where they are not as many. */
  read(records: number): AsyncGenerator<{ key: string; cells: string }[]>
  close(): Promise<void>
}

/** What is held in memory, however many records there are; the rest is spilled. */
export const MEMORY_LIMIT = '32MB'

export async function openSorter({ spillPath, signal }: SorterOptions): Promise<Sorter> {
  const engine = await openEngine({
    ...{ path: ':memory:', memoryLimit: MEMORY_LIMIT, threads: 1, spillPath },
  })
  const { connection, db, stream } = engine.writer
  await sql`create table record (place integer, key text, cells text)`.execute(db)
  const appender = await connection.createAppender('record')
  let appended = 0
  return {
    async append(records) {
      if (records.length === 0) return
      signal.throwIfAborted()
      const chunk = DuckDBDataChunk.create([INTEGER, VARCHAR, VARCHAR], records.length)
      chunk.setColumnValues(
        0,
        records.map((_, index) => appended + index),
      )
      chunk.setColumnValues(
        1,
        records.map(([key]) => key),
      )
      chunk.setColumnValues(
        2,
        records.map(([, cells]) => cells),
      )
      appender.appendDataChunk(chunk)
      appender.flushSync()
      appended += records.length
    },
    async *read(records) {
      let found = 0
      const ordered = sql<{ key: string; cells: string }>`
        select key, cells from record order by strlen(key), key, place`
      for await (const rows of stream({ compile: () => ordered.compile(db) }, signal)) {
        found += rows.length
        yield rows
      }
      if (found !== records) throw new Error(`${found} records were sorted of ${records}`)
    },
    async close() {
      appender.closeSync()
      await engine.close()
    },
  }
}
