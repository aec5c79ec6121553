import type { Compilable, Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { createSingleFlight } from '#lib/async/single-flight.ts'

/** Runs a query, or gives what it gave before. */
export type Count = <R>(build: (db: Kysely<Tables>) => Compilable<R>) => Promise<readonly R[]>

/** What many questions ask alike, asked once for as long as the archive stays as it is. */
export type KeptRows = {
  /** The rows of a query; nobody may change them. Throws AppError('busy') when aborted. */
  select<R>(
    build: (db: Kysely<Tables>) => Compilable<R>,
    signal?: AbortSignal,
  ): Promise<readonly R[]>
}

const QUERIES_KEPT = 300
/** What has more rows is seldom asked alike, and would take the room of the others. */
const ROWS_AT_MOST = 100

/** Queries are alike where their text and their values are. */
export function createKeptRows(engine: Engine, generation: () => string): KeptRows {
  const kept = new LRUCache<string, readonly unknown[]>({ max: QUERIES_KEPT })
  const singleFlight = createSingleFlight<readonly unknown[]>()
  return {
    async select<R>(build: (db: Kysely<Tables>) => Compilable<R>, signal?: AbortSignal) {
      const query = build(engine.writer.db).compile()
      const { sql, parameters } = query
      const key = `${generation()} ${sql} ${JSON.stringify(parameters)}`
      const found = kept.get(key) as readonly R[] | undefined
      if (found) return found
      const rows = await singleFlight.join(key, signal, async (wanted) => {
        const { rows } = await engine.read(async (db) => await db.executeQuery(query), wanted)
        if (rows.length <= ROWS_AT_MOST) kept.set(key, rows)
        return rows
      })
      return rows as readonly R[]
    },
  }
}
