import { setImmediate as nextTurn } from 'node:timers/promises'
import { BIGINT, DOUBLE, DuckDBDataChunk, INTEGER, TINYINT } from '@duckdb/node-api'
import { sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import type { Calls } from './call-columns.ts'
import { type Market, NONE, toBenchmark, toGain, toKnown, toSide } from './market.ts'

export const outcomesTable = (horizon: Horizon) => sql.table(`record.scored_${horizon}`)

/**
 * Rating id, symbol's first day, entry day, exit day, first known day, gain, benchmark gain, side.
 */
const COLUMNS = [BIGINT, INTEGER, INTEGER, INTEGER, INTEGER, DOUBLE, DOUBLE, TINYINT]
const BATCH = 2048

export async function writeCallTable(
  { db, connection }: Session,
  { calls, market, horizon }: { calls: Calls; market: Market; horizon: Horizon },
): Promise<void> {
  const windows = market.windows.get(horizon)
  if (!windows) return
  await sql`
    create or replace temporary table outcome (
      id bigint, first_day integer, entry_day integer, exit_day integer, known_day integer,
      gain double, benchmark double, side tinyint
    )`.execute(db)
  const appender = await connection.createAppender('outcome', 'main', 'temp')
  try {
    let symbol = 0
    for (let from = 0; from < calls.count; from += BATCH) {
      const size = Math.min(BATCH, calls.count - from)
      const chunk = DuckDBDataChunk.create(COLUMNS, size)
      const vectors = COLUMNS.map((_, column) => chunk.getColumnVector(column))
      const [id, firstDay, entryDay, exitDay, known, gains, benchmarks, side] = vectors
      for (let place = 0; place < size; place += 1) {
        const call = from + place
        while ((calls.starts[symbol + 1] ?? 0) <= call) symbol += 1
        const first = symbol < market.symbols.length ? (market.starts[symbol] ?? NONE) : NONE
        const entry = calls.entries[call] ?? NONE
        const exit = entry === NONE ? NONE : (windows.exits[entry] ?? NONE)
        id?.setItem(place, BigInt(calls.ids[call] ?? 0))
        firstDay?.setItem(place, dayOf(market, first))
        entryDay?.setItem(place, dayOf(market, entry))
        exitDay?.setItem(place, dayOf(market, exit))
        if (exit === NONE) {
          for (const vector of [known, gains, benchmarks, side]) vector?.setItem(place, null)
          continue
        }
        const gain = toGain(market, entry, exit)
        const benchmark = toBenchmark(market, windows, entry, exit)
        known?.setItem(place, toKnown(market, horizon, entry, exit))
        gains?.setItem(place, gain)
        benchmarks?.setItem(place, benchmark)
        side?.setItem(place, toSide(market, entry, exit, gain - benchmark))
      }
      for (const vector of vectors) vector.flush()
      appender.appendDataChunk(chunk)
      await nextTurn()
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
  await sql`
    create or replace table ${outcomesTable(horizon)} as
    select id, user_id, symbol_key, rating, prediction_value, created_at,
      first_day, entry_day, exit_day, known_day, gain, benchmark, gain - benchmark as excess,
      cast(case when rating >= 4 then 1 + side when rating <= 2 then 1 - side end as tinyint) as hit
    from rating join outcome using (id)`.execute(db)
  await sql`drop table outcome`.execute(db)
}

const dayOf = ({ days }: Market, row: number): number | null =>
  row === NONE ? null : (days[row] ?? null)
