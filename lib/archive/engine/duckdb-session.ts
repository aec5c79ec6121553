import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type DuckDBConnection,
  type DuckDBDataChunk,
  DuckDBDecimalValue,
  type DuckDBMaterializedResult,
  type DuckDBValue,
} from '@duckdb/node-api'
import {
  type Compilable,
  CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import { toWithdrawn } from '#lib/contract/faults.ts'
import { type ColumnChunk, toColumnChunk } from './columns.ts'
import type { Tables } from './tables.ts'

export type Session = {
  db: Kysely<Tables>
  connection: DuckDBConnection
  /** Throws AppError('busy') when aborted. */
  interruptible<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
  /** A query that fails halfway ends as if complete: callers must check the row count. */
  stream<R>(query: Compilable<R>, signal: AbortSignal | undefined): AsyncGenerator<R[]>
  visitColumns(query: CompiledQuery, visit: (chunk: ColumnChunk) => void): Promise<void>
}

const REPEAT_MS = 50

export function createSession(connection: DuckDBConnection): Session {
  const db = new Kysely<Tables>({ dialect: createDialect(connection) })
  const interrupt = () => connection.interrupt()
  return {
    db,
    connection,
    async interruptible(signal, work) {
      refuseAborted(signal)
      let repeat: NodeJS.Timeout | undefined
      // The engine ignores an interrupt that arrives before the statement starts.
      const interruptUntilDone = () => {
        interrupt()
        repeat = setInterval(interrupt, REPEAT_MS)
      }
      signal?.addEventListener('abort', interruptUntilDone)
      try {
        return await work()
      } catch (error) {
        refuseAborted(signal)
        throw error
      } finally {
        clearInterval(repeat)
        signal?.removeEventListener('abort', interruptUntilDone)
      }
    },
    async *stream<R>(query: Compilable<R>, signal: AbortSignal | undefined) {
      refuseAborted(signal)
      signal?.addEventListener('abort', interrupt)
      try {
        for await (const { rows } of db.getExecutor().stream<R>(query.compile(), 1)) {
          refuseAborted(signal)
          yield rows
        }
      } catch (error) {
        refuseAborted(signal)
        throw error
      } finally {
        signal?.removeEventListener('abort', interrupt)
      }
    },
    async visitColumns(query, visit) {
      const result = await runWhole(connection, query)
      for (let index = 0; index < result.chunkCount; index += 1) {
        if (index > 0) await nextTurn()
        visit(toColumnChunk(result.getChunk(index), result.columnNames()))
      }
    },
  }
}

export function refuseAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw toWithdrawn(signal.reason)
}

function createDialect(connection: DuckDBConnection): Dialect {
  return {
    createAdapter: () => new PostgresAdapter(),
    createQueryCompiler: () => new PostgresQueryCompiler(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createDriver: () => createDriver(createConnection(connection)),
  }
}

function createDriver(connection: DatabaseConnection): Driver {
  const run = async (text: string) => {
    await connection.executeQuery(CompiledQuery.raw(text))
  }
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    beginTransaction: async () => await run('begin transaction'),
    commitTransaction: async () => await run('commit'),
    rollbackTransaction: async () => {
      // The engine already rolled back; report the original error.
      await run('rollback').catch((error: unknown) => {
        if (!String(error).includes('no transaction is active')) throw error
      })
    },
    releaseConnection: async () => {},
    destroy: async () => {},
  }
}

function createConnection(connection: DuckDBConnection): DatabaseConnection {
  return {
    async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
      const result = await runWhole(connection, query)
      const rows: R[] = []
      for (let index = 0; index < result.chunkCount; index += 1) {
        if (index > 0) await nextTurn()
        rows.push(...toRows<R>(result.getChunk(index), result.columnNames()))
      }
      return { rows, numAffectedRows: BigInt(result.rowsChanged) }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      const result = await connection.stream(query.sql, query.parameters.map(toParameter))
      const names = result.columnNames()
      for (;;) {
        const chunk = await result.fetchChunk()
        if (!chunk || chunk.rowCount === 0) return
        yield { rows: toRows<R>(chunk, names) }
      }
    },
  }
}

async function runWhole(
  connection: DuckDBConnection,
  { sql, parameters }: CompiledQuery,
): Promise<DuckDBMaterializedResult> {
  if (parameters.length === 0) return await connection.run(sql)
  const prepared = await connection.prepare(sql)
  try {
    prepared.bind(parameters.map(toParameter))
    return await prepared.run()
  } finally {
    prepared.destroySync()
  }
}

const toRows = <R>(chunk: DuckDBDataChunk, names: readonly string[]): R[] =>
  toRowObjects(chunk, names) as R[]

type ReadValue = number | string | boolean | null

/** Throws RangeError for unsafe integers. */
function toRowObjects(
  chunk: DuckDBDataChunk,
  names: readonly string[],
): Record<string, ReadValue>[] {
  const rows: Record<string, ReadValue>[] = Array.from({ length: chunk.rowCount }, () => ({}))
  for (let column = 0; column < names.length; column += 1) {
    const name = names[column] ?? ''
    const vector = chunk.getColumnVector(column)
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]
      if (row) row[name] = toReadValue(vector.getItem(index))
    }
  }
  return rows
}

function toReadValue(value: DuckDBValue): ReadValue {
  if (typeof value === 'bigint') {
    const number = Number(value)
    if (!Number.isSafeInteger(number))
      throw new RangeError('an integer of the archive is too large')
    return number
  }
  if (value === null || typeof value !== 'object') return value
  if (value instanceof DuckDBDecimalValue) return value.toString()
  throw new TypeError('the archive asked for a type that it does not read')
}

function toParameter(value: unknown): DuckDBValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new TypeError('a parameter of the archive is neither text nor an integer')
}
