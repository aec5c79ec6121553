import { sql } from 'kysely'
import type { ColumnChunk } from '#lib/archive/engine/columns.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import { runSweep } from '#lib/async/sweep.ts'
import {
  buildTimeline,
  type RatingChunk,
  type Spelling,
  type Timeline,
} from '#lib/timeline/timeline.ts'

type Loading = Pick<Engine, 'read' | 'readColumns'>

/** All ratings of a symbol, by its key. Null if there are none. */
export async function loadSymbolTimeline(
  engine: Loading,
  key: string,
  signal: AbortSignal,
): Promise<Timeline | null> {
  const chunks: RatingChunk[] = []
  let hasSpellings = false
  await engine.readColumns(
    (db) => toQuery(key).compile(db),
    (chunk) => {
      chunks.push(toRatingChunk(chunk))
      hasSpellings ||= chunk.numbers('is_spelled', Uint8Array).includes(1)
    },
    signal,
  )
  if (chunks.length === 0) return null
  const spellings = hasSpellings
    ? await selectSpellings(engine, key, signal)
    : [{ symbol: key, since: Number.NEGATIVE_INFINITY }]
  return await runSweep(buildTimeline(chunks, spellings), signal)
}

/** The engine reads doubles and small integers as arrays; other integers one by one. */
const toQuery = (key: string) => sql`
  select cast(id as double) as id, cast(user_id as double) as user_id, rating, action,
    cast(created_at as double) as created_at, cast(effective_until as double) as effective_until,
    cast(coalesce(expired_at, 0) as double) as expired_at,
    cast(coalesce(effective_until = vanished_at, false)
      and coalesce(effective_until <> nullif(expired_at, 0), true) as utinyint) as has_vanished,
    tally_agree, tally_disagree, prediction_value,
    cast(symbol <> symbol_key as utinyint) as is_spelled
  from rating where symbol_key = ${key}`

const toRatingChunk = (chunk: ColumnChunk): RatingChunk => ({
  length: chunk.length,
  id: chunk.numbers('id', Float64Array),
  user: chunk.numbers('user_id', Float64Array),
  rating: chunk.numbers('rating', Int16Array),
  action: chunk.numbers('action', Int16Array),
  created: chunk.numbers('created_at', Float64Array),
  until: chunk.numbers('effective_until', Float64Array),
  expires: chunk.numbers('expired_at', Float64Array),
  vanished: chunk.numbers('has_vanished', Uint8Array),
  agree: chunk.numbers('tally_agree', Int32Array),
  disagree: chunk.numbers('tally_disagree', Int32Array),
  units: chunk.units('prediction_value'),
})

async function selectSpellings(
  engine: Loading,
  key: string,
  signal: AbortSignal,
): Promise<Spelling[]> {
  const rows = await engine.read(
    async (db) =>
      await db
        .selectFrom('rating')
        .select((eb) => ['symbol', eb.fn.min('created_at').as('since')])
        .where('symbol_key', '=', key)
        .groupBy('symbol')
        .execute(),
    signal,
  )
  return rows
}
