import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBInstance,
  type DuckDBType,
  type DuckDBValue,
} from '@duckdb/node-api'

/** How many rows the engine takes in one chunk. */
export const CHUNK_ROWS = 2048

// Flushing holds up the event loop: often and little is better than the engine's own rarely and much.
const CHUNKS_PER_FLUSH = 8

/** A cell as it is served. */
export type Cell = string | number | null

/** The file behind the service's posts: one connection for pages and writes, another for work that takes long. */
export type Database = {
  run(sql: string): Promise<void>
  /** Runs beside the others, for what takes seconds. */
  runLong(sql: string): Promise<void>
  /** Whole numbers come as numbers: nothing here is above 2^53. */
  rows(sql: string, values?: DuckDBValue[]): Promise<Cell[][]>
  /** Appends chunks to a table in one transaction; `chunks` gives columns of equal length, at most CHUNK_ROWS. */
  append(table: string, types: readonly DuckDBType[], chunks: ColumnChunks): Promise<void>
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
  const inTurn = createTurns()
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
    close() {
      connection.closeSync()
      longConnection.closeSync()
      instance.closeSync()
    },
  }
}

/** One statement after the other: a connection is no place for two at once. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve()
  return <T>(work: () => Promise<T>): Promise<T> => {
    const turn = last.then(work, work)
    last = turn.catch(() => undefined)
    return turn
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
