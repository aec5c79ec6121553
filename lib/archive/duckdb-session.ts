import type { DuckDBConnection, DuckDBResult } from '@duckdb/node-api'
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
import { AppError } from '#lib/contract/faults.ts'
import { toParameter, toRowObjects } from './duckdb-values.ts'
import type { Tables } from './tables.ts'

/** Kysely over one connection, in the SQL that DuckDB shares with PostgreSQL. */
export type Session = {
  db: Kysely<Tables>
  connection: DuckDBConnection
  /**
   * Runs `work` so that `signal` interrupts whatever the connection does. Throws AppError('busy') when aborted.
   */
  interruptible<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T>
  /**
   * The rows of a query as the engine makes them, at most 2,048 at a time. A query that fails half way ends here as if
   * it were complete, since the engine's binding tells neither: whoever reads it must know how many rows there are.
   */
  stream<R>(query: Compilable<R>, signal: AbortSignal | undefined): AsyncGenerator<R[]>
}

export function createSession(connection: DuckDBConnection): Session {
  const db = new Kysely<Tables>({ dialect: createDialect(connection) })
  const interrupt = () => connection.interrupt()
  return {
    db,
    connection,
    async interruptible(signal, work) {
      refuseAborted(signal)
      signal?.addEventListener('abort', interrupt)
      try {
        return await work()
      } catch (error) {
        refuseAborted(signal)
        throw error
      } finally {
        signal?.removeEventListener('abort', interrupt)
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
  }
}

/** Throws AppError('busy') where the signal is aborted. */
export function refuseAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw new AppError('busy', 'The question was withdrawn before it was answered.', {
    cause: signal.reason,
  })
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
      // A commit that failed, as for want of space, was rolled back by the engine: what is to be told is why it failed.
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
      const result = await connection.run(query.sql, query.parameters.map(toParameter))
      const rows: R[] = []
      for await (const batch of readBatches<R>(result)) rows.push(...batch)
      return { rows, numAffectedRows: BigInt(result.rowsChanged) }
    },
    async *streamQuery<R>(query: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
      const result = await connection.stream(query.sql, query.parameters.map(toParameter))
      for await (const rows of readBatches<R>(result)) yield { rows }
    },
  }
}

/** The engine's chunks, at most 2,048 rows each. Kysely gives the row its type: this is where it is believed. */
async function* readBatches<R>(result: DuckDBResult): AsyncGenerator<R[]> {
  const names = result.columnNames()
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) return
    yield toRowObjects(chunk, names) as R[]
  }
}
