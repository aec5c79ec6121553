import type { AsyncDuckDB, AsyncDuckDBConnection, VoidLogger } from '@duckdb/duckdb-wasm'
import {
  type Column,
  isReading,
  isUnpreparable,
  type ResultSort,
  SHOWN_ROWS,
  type Statement,
  toCount,
  toDescribe,
  toNothing,
  toRefusal,
  toSeveral,
  toShown,
  toSqlError,
  toStatement,
  toWhole,
} from './statement.ts'

/** Text as DuckDB writes it; null is NULL. */
export type Cells = readonly (string | null)[]

/** `rows` has at most SHOWN_ROWS rows of SHOWN_COLUMNS values. */
export type SqlResult = {
  /** All columns of the query. */
  columns: readonly Column[]
  rows: readonly Cells[]
  hasMore: boolean
}

/** One call at a time; later calls wait. All throw SqlError, EngineLost or the abort reason. */
export type Engine = {
  run(query: string, options: { sort: ResultSort | null; signal: AbortSignal }): Promise<SqlResult>
  count(query: string, signal: AbortSignal): Promise<number>
  /** Passes every row, in batches. */
  read(
    query: string,
    options: {
      sort: ResultSort | null
      signal: AbortSignal
      onRows: (rows: readonly Cells[], columns: readonly Column[]) => Promise<void>
    },
  ): Promise<readonly Column[]>
  isLost(): boolean
  close(): void
}

/** The worker has ended. Open a new engine. */
export class EngineLost extends Error {
  constructor() {
    super('The database engine has stopped.')
    this.name = 'EngineLost'
  }
}

type EngineParts = {
  library: { AsyncDuckDB: typeof AsyncDuckDB; VoidLogger: typeof VoidLogger }
  worker: Worker
  moduleUrl: string
  /** The module starts meanwhile. */
  database: Promise<Blob>
  signal: AbortSignal
  sleep: (ms: number) => Promise<unknown>
}

/** A worker that does not stop a query in this time is ended. */
const CANCEL_MS = 1500

const FILE = 'ratings.duckdb'

/** The last ones close what the first ones need. */
const SETTINGS = [
  'SET autoinstall_known_extensions = false',
  'SET autoload_known_extensions = false',
  "SET memory_limit = '1GB'",
  "SET temp_directory = ''",
  `ATTACH '${FILE}' AS bellwether (READ_ONLY)`,
  'USE bellwether',
  'SET enable_external_access = false',
  'SET errors_as_json = true',
  'SET lock_configuration = true',
]

/**
 * Throws EngineLost if the worker or the module does not start or there is no database, or the
 * abort reason.
 */
export async function openEngine(parts: EngineParts): Promise<Engine> {
  const { library, worker, moduleUrl, database, signal } = parts
  const db = new library.AsyncDuckDB(new library.VoidLogger(), worker)
  const ended = watchEnd(worker)
  const open = async () => {
    await db.instantiate(moduleUrl)
    await db.open({ query: { queryPollingInterval: POLL_MS } })
    await db.registerFileBuffer(FILE, new Uint8Array(await (await database).arrayBuffer()))
    const connection = await db.connect()
    for (const setting of SETTINGS) await connection.query(setting)
    return connection
  }
  try {
    const connection = await beforeAbort(Promise.race([open(), ended]), signal)
    return createEngine(db, connection, { ...parts, ended })
  } catch (error) {
    worker.terminate()
    signal.throwIfAborted()
    throw error instanceof EngineLost ? error : new EngineLost()
  }
}

/** How long DuckDB works before it takes messages, such as one that cancels. */
const POLL_MS = 100

function watchEnd(worker: Worker): Promise<never> {
  const ended = new Promise<never>((_, reject) => {
    worker.addEventListener('error', () => reject(new EngineLost()))
  })
  ended.catch(() => {})
  return ended
}

/** Throws the abort reason after `stop`. */
async function beforeAbort<T>(
  work: Promise<T>,
  signal: AbortSignal,
  stop = async () => {},
): Promise<T> {
  const settled = new AbortController()
  const aborted = new Promise<never>((_, reject) => {
    const onAbort = () => void stop().then(() => reject(signal.reason))
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true, signal: settled.signal })
  })
  try {
    return await Promise.race([work, aborted])
  } finally {
    settled.abort()
  }
}

type Running = Pick<EngineParts, 'worker' | 'sleep'> & { ended: Promise<never> }

function createEngine(
  db: AsyncDuckDB,
  connection: AsyncDuckDBConnection,
  running: Running,
): Engine {
  const turns = createTurns(connection, running)

  const prepare = async (query: string, signal: AbortSignal): Promise<Statement> => {
    const { offsets } = await turns.cancelable(signal, db.tokenize(query))
    const statement = toStatement(query, offsets)
    const { text } = statement
    if (text.trim() === '' || offsets.length === 0) throw toNothing()
    if (!isReading(statement)) throw toRefusal(statement.firstWord)
    if (statement.isSeveral) throw toSeveral()
    await turns.named({ sent: text, text, signal }, async () => {
      try {
        await (await connection.prepare(text)).close()
      } catch (error) {
        if (!isUnpreparable(error)) throw error
      }
    })
    return statement
  }

  const select = async (sent: string, text: string, signal: AbortSignal): Promise<Cells[]> =>
    await turns.named({ sent, text, signal }, async () => {
      const rows: Cells[] = []
      for await (const batch of await connection.send(sent)) rows.push(...toRows(batch))
      return rows
    })

  const selectColumns = async (text: string, signal: AbortSignal): Promise<Column[]> => {
    const rows = await select(toDescribe(text), text, signal)
    return rows.map(([name, type]) => ({ name: name ?? '', type: type ?? '' }))
  }

  return {
    run: (query, { sort, signal }) =>
      turns.take(signal, async () => {
        const { text } = await prepare(query, signal)
        const columns = await selectColumns(text, signal)
        const rows = await select(toShown({ text, columns, sort }), text, signal)
        return { columns, rows: rows.slice(0, SHOWN_ROWS), hasMore: rows.length > SHOWN_ROWS }
      }),
    count: (query, signal) =>
      turns.take(signal, async () => {
        const { text } = await prepare(query, signal)
        const [row] = await select(toCount(text), text, signal)
        return Number(row?.[0])
      }),
    read: (query, { sort, signal, onRows }) =>
      turns.take(signal, async () => {
        const { text } = await prepare(query, signal)
        const columns = await selectColumns(text, signal)
        const sent = toWhole({ text, columns, sort })
        await turns.named({ sent, text, signal }, async () => {
          for await (const batch of await connection.send(sent, true)) {
            signal.throwIfAborted()
            await onRows(toRows(batch), columns)
          }
        })
        return columns
      }),
    isLost: turns.isLost,
    close: turns.lose,
  }
}

type PendingQuery = { sent: string; text: string; signal: AbortSignal }

/** A module that has trapped cannot go on. */
const TRAPPED = /RuntimeError|memory access out of bounds|unreachable|table index is out of bounds/

function createTurns(connection: AsyncDuckDBConnection, { worker, sleep, ended }: Running) {
  let isLost = false
  let last: Promise<unknown> = Promise.resolve()
  const lose = () => {
    isLost = true
    worker.terminate()
  }
  ended.catch(lose)

  /** Cancels the query of `work` on abort, and ends the worker if that does not help. */
  async function cancelable<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
    work.catch(() => {})
    const stop = async () => {
      const settled = work.then(
        () => true,
        () => true,
      )
      connection.cancelSent().catch(() => {})
      const hasStopped = await Promise.race([settled, sleep(CANCEL_MS).then(() => false)])
      if (!hasStopped) lose()
    }
    signal.throwIfAborted()
    return await beforeAbort(Promise.race([work, ended]), signal, stop)
  }

  return {
    cancelable,
    lose,
    isLost: () => isLost,
    take<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
      const turn = last.then(() => {
        signal.throwIfAborted()
        if (isLost) throw new EngineLost()
        return work()
      })
      last = turn.catch(() => {})
      return turn
    },
    /** Names the place of an error in the query. */
    async named<T>({ sent, text, signal }: PendingQuery, work: () => Promise<T>): Promise<T> {
      try {
        return await cancelable(signal, work())
      } catch (error) {
        signal.throwIfAborted()
        if (error instanceof EngineLost || !(error instanceof Error)) throw error
        if (!TRAPPED.test(error.message)) throw toSqlError(error.message, sent, text)
        lose()
        throw new EngineLost()
      }
    },
  }
}

type Batch = {
  numRows: number
  numCols: number
  getChildAt(index: number): { get(row: number): unknown } | null
}

function toRows(batch: Batch): Cells[] {
  const columns = Array.from({ length: batch.numCols }, (_, index) => batch.getChildAt(index))
  return Array.from({ length: batch.numRows }, (_, row) =>
    columns.map((column) => {
      const value = column?.get(row)
      return typeof value === 'string' ? value : null
    }),
  )
}
