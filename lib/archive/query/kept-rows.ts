import type { Compilable, Kysely } from 'kysely'
import { LRUCache } from 'lru-cache'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { createSingleFlight } from '#lib/async/single-flight.ts'

export type Count = <R>(build: (db: Kysely<Tables>) => Compilable<R>) => Promise<readonly R[]>

export type KeptRows = {
  /** Shared: do not mutate. Throws AppError('busy') when aborted. */
  select<R>(
    build: (db: Kysely<Tables>) => Compilable<R>,
    signal?: AbortSignal,
  ): Promise<readonly R[]>
}

const QUERIES_KEPT = 300
/** Larger results would evict others. */
const ROWS_AT_MOST = 100

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

/** Of one type: the casts rely on it. */
export type KeptValue = {
  /** Failures are not cached. */
  load<T>(key: string, make: () => Promise<T>): Promise<T>
}

/** Keeps the value of the latest key. */
export function createKeptValue(): KeptValue {
  let kept: { key: string; value: Promise<unknown> } | null = null
  return {
    load<T>(key: string, make: () => Promise<T>): Promise<T> {
      if (kept?.key === key) return kept.value as Promise<T>
      const value = make()
      const made = { key, value }
      kept = made
      value.catch(() => {
        if (kept === made) kept = null
      })
      return value
    },
  }
}
