import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'
import { createQueue, type InTurn } from '#lib/async/serial-queue.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { DemoClose } from './demo-prices.ts'

const PAGE_SIZE = 100

/** A rating object of a page: the 15 fields in their order. */
export type PostRow = Record<string, Cell>

/** The community's ratings and look-ups, from whichever source. Instants are seconds since 1970. */
export type Posts = {
  /** Page `number` (from 1) of all ratings as they stand at `at`, newest first by id; none past the end. */
  page(number: number, at: number): Promise<PostRow[]>
  /** Brings ratings in that have arrived by `at`. Cheap when none has. */
  catchUp(at: number): Promise<void>
  /** Writes a dump as of `at` to a new file. */
  writeDump(kind: DumpKind, at: number, path: string): Promise<void>
  /** Only an invented community has prices of its own; see `Service`. */
  invented?: InventedPrices
  /** Does `work` while nothing is written to the database, whose file may be copied meanwhile; whoever asks for a page waits. */
  freeze: InTurn
  close(): void
}

/** What an invented community's symbols cost, and who in it is known to know something. */
export type InventedPrices = {
  /** Closes up to the last day that has ended by `at`, UTC, symbol by symbol in order of days. */
  closes(at: number): AsyncGenerator<DemoClose[], void, undefined>
  /** The users whose word prices follow. To all others they are a coin. */
  talents(): Promise<number[]>
}

const FIELD_LIST = RATING_FIELDS.join(', ')

/**
 * A page out of a query that gives the 15 fields and a dense `position` from 1. The range of positions is what makes
 * page 100,000 cost what page 1 does.
 */
export async function loadPage(
  database: Database,
  query: string,
  page: { number: number; count: number },
): Promise<PostRow[]> {
  const last = page.count - (page.number - 1) * PAGE_SIZE
  if (last <= 0) return []
  const rows = await database.rows(
    `SELECT ${FIELD_LIST} FROM (${query})
     WHERE position > $1 AND position <= $2 ORDER BY position DESC`,
    [last - PAGE_SIZE, last],
  )
  return rows.map(toPostRow)
}

function toPostRow(cells: readonly Cell[]): PostRow {
  return Object.fromEntries(RATING_FIELDS.map((field, index) => [field, cells[index] ?? null]))
}

/** Writes the ratings of such a query that were posted before `at`, oldest first, in the dump layout. */
export async function writePostsDump(
  database: Database,
  query: string,
  dump: { at: number; path: string },
): Promise<void> {
  await writeCsv(
    database,
    `SELECT ${FIELD_LIST} FROM (${query}) WHERE created_at < ${dump.at}`,
    dump.path,
  )
}

/** Writes the rows of a query to a CSV file with a header. The engine does it beside everything else. */
export async function writeCsv(database: Database, query: string, path: string): Promise<void> {
  await database.runLong(`COPY (${query}) TO ${quoteText(path)} (FORMAT csv, HEADER)`)
}

/** How many rows the engine takes in one chunk. */
export const CHUNK_ROWS = 2048

// Flushing holds up the event loop: often and little is better than the engine's own rarely and much.
const CHUNKS_PER_FLUSH = 8

/** A cell as it is served. */
type Cell = string | number | null

/** The file behind the service's posts: one connection for pages and writes, another for work that takes long. */
export type Database = {
  run(sql: string): Promise<void>
  /** Runs beside the others, for what takes seconds. */
  runLong(sql: string): Promise<void>
  /** Whole numbers come as numbers: nothing here is above 2^53. */
  rows(sql: string, values?: DuckDBValue[]): Promise<Cell[][]>
  /** Appends chunks to a table in one transaction; `chunks` gives columns of equal length, at most CHUNK_ROWS. */
  append(table: string, types: readonly DuckDBType[], chunks: ColumnChunks): Promise<void>
  /** Does something while nothing is written. */
  freeze: InTurn
  close(): void
}

export type ColumnChunks = AsyncIterable<DuckDBValue[][]>

const OPTIONS = {
  memory_limit: '512MB',
  threads: '2',
  autoinstall_known_extensions: 'false',
  autoload_known_extensions: 'false',
}

/** Opens or makes a database file. Throws what the engine throws; another process that holds it is among that. */
export async function openDatabase(path: string): Promise<Database> {
  const instance = await DuckDBInstance.create(path, OPTIONS)
  const connection = await instance.connect()
  const longConnection = await instance.connect()
  // A connection is no place for two statements at once.
  const inTurn = createQueue()
  return {
    run: (sql) => inTurn(async () => void (await connection.run(sql))),
    runLong: async (sql) => void (await longConnection.run(sql)),
    rows: (sql, values) =>
      inTurn(async () => {
        const reader = await connection.runAndReadAll(sql, values)
        return reader.getRows().map((row) => row.map(toCell))
      }),
    append: (table, types, chunks) =>
      inTurn(() => appendInTransaction(connection, { table, types, chunks })),
    freeze: inTurn,
    close() {
      connection.closeSync()
      longConnection.closeSync()
      instance.closeSync()
    },
  }
}

type Appending = { table: string; types: readonly DuckDBType[]; chunks: ColumnChunks }

async function appendInTransaction(connection: DuckDBConnection, appending: Appending) {
  await connection.run('BEGIN')
  try {
    const appender = await connection.createAppender(appending.table)
    let sinceFlush = 0
    for await (const columns of appending.chunks) {
      const chunk = DuckDBDataChunk.create(appending.types, columns[0]?.length ?? 0)
      chunk.setColumns(columns)
      appender.appendDataChunk(chunk)
      sinceFlush += 1
      if (sinceFlush % CHUNKS_PER_FLUSH === 0) appender.flushSync()
    }
    appender.closeSync()
    await connection.run('COMMIT')
  } catch (error) {
    await connection.run('ROLLBACK')
    throw error
  }
}

function toCell(value: DuckDBValue): Cell {
  if (typeof value === 'string' || typeof value === 'number' || value === null) return value
  return typeof value === 'bigint' ? Number(value) : String(value)
}

/** A text as a SQL literal. For paths that we made ourselves: what came from outside is bound, never quoted. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
