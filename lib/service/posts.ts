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

export type PostRow = Record<string, Cell>

export type Posts = {
  /** `number` counts from 1; newest first by id. */
  page(number: number, at: number): Promise<PostRow[]>
  catchUp(at: number): Promise<void>
  writeDump(kind: DumpKind, at: number, path: string): Promise<void>
  invented?: InventedPrices
  freeze: InTurn
  close(): void
}

export type InventedPrices = {
  closes(at: number): AsyncGenerator<DemoClose[], void, undefined>
  talents(): Promise<number[]>
}

const FIELD_LIST = RATING_FIELDS.join(', ')

/** A range of dense positions keeps deep pages as cheap as page 1. */
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

export async function writeCsv(database: Database, query: string, path: string): Promise<void> {
  await database.runLong(`COPY (${query}) TO ${quoteText(path)} (FORMAT csv, HEADER)`)
}

export const CHUNK_ROWS = 2048

// Frequent small flushes block the event loop less than the engine's own rare large ones.
const CHUNKS_PER_FLUSH = 8

type Cell = string | number | null

export type Database = {
  run(sql: string): Promise<void>
  runLong(sql: string): Promise<void>
  /** Integers become numbers: none here exceeds 2^53. */
  rows(sql: string, values?: DuckDBValue[]): Promise<Cell[][]>
  /** One transaction; each chunk has at most CHUNK_ROWS rows. */
  append(table: string, types: readonly DuckDBType[], chunks: ColumnChunks): Promise<void>
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

export async function openDatabase(path: string): Promise<Database> {
  const instance = await DuckDBInstance.create(path, OPTIONS)
  const connection = await instance.connect()
  const longConnection = await instance.connect()
  // A DuckDB connection must not run two statements at once.
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

/** For internal paths only: external text must be bound. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
