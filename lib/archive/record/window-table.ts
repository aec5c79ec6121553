import { setImmediate as nextTurn } from 'node:timers/promises'
import { DOUBLE, DuckDBDataChunk, INTEGER, TINYINT } from '@duckdb/node-api'
import { sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import {
  type Market,
  NONE,
  REACH_DAYS,
  toBenchmark,
  toGain,
  toKnown,
  toRange,
  toSide,
  type Windows,
} from './market.ts'

/** One row per priced symbol. */
export const pricedTable = (horizon: Horizon) => sql.table(`record.priced_${horizon}`)

/** One row per priced symbol and day on which a rating has an entry. */
export const windowTable = (horizon: Horizon) => sql.table(`record.window_${horizon}`)

/** Symbol's place, first rating day, entry day, exit day, known day, gain, benchmark gain, side. */
const COLUMNS = [INTEGER, INTEGER, INTEGER, INTEGER, INTEGER, DOUBLE, DOUBLE, TINYINT]
const BATCH = 2048

export async function writeWindows(
  session: Session,
  { market, horizon }: { market: Market; horizon: Horizon },
): Promise<void> {
  const windows = market.windows.get(horizon)
  if (!windows) return
  const { db } = session
  await sql`
    create or replace temporary table window_row (
      code integer, from_day integer, entry_day integer, exit_day integer, known_day integer,
      gain double, benchmark double, side tinyint
    )`.execute(db)
  await appendWindows(session, market, windows)
  await db.transaction().execute(async () => {
    await writePriced(session, market, horizon)
    await writeWindowTable(session, horizon)
  })
  await sql`drop table window_row`.execute(db)
}

async function writePriced({ db }: Session, market: Market, horizon: Horizon): Promise<void> {
  const { symbols, starts, days } = market
  const firstDays = symbols.map((_, code) => days[starts[code] ?? 0] ?? 0)
  await sql`
    create or replace table ${pricedTable(horizon)} as
    select unnest(${toArray(symbols)}::varchar[]) as symbol_key,
      unnest(range(${sql.lit(symbols.length)}))::integer as code,
      unnest(${toArray(firstDays)}::integer[]) as first_day`.execute(db)
}

async function writeWindowTable({ db }: Session, horizon: Horizon): Promise<void> {
  await sql`
    create or replace table ${windowTable(horizon)} as
    select code, unnest(range(from_day, entry_day))::integer as day, entry_day, exit_day, known_day,
      entry.close as entry_close, exit.close as exit_close, gain, benchmark, side
    from window_row
    join ${pricedTable(horizon)} as priced using (code)
    join prices.price as entry
      on entry.symbol_key = priced.symbol_key and entry.day = entry_day
    left join prices.price as exit on exit.symbol_key = priced.symbol_key and exit.day = exit_day
    order by code, day`.execute(db)
}

async function appendWindows(
  { connection }: Session,
  market: Market,
  windows: Windows,
): Promise<void> {
  const appender = await connection.createAppender('window_row', 'main', 'temp')
  try {
    for (let symbol = 0; symbol < market.symbols.length; symbol += 1) {
      const [start, end] = toRange(market.starts, symbol)
      for (let from = start; from < end; from += BATCH) {
        const chunk = DuckDBDataChunk.create(COLUMNS, Math.min(BATCH, end - from))
        fillChunk(chunk, { market, windows, symbol, start, from })
        appender.appendDataChunk(chunk)
        await nextTurn()
      }
    }
    appender.flushSync()
  } finally {
    appender.closeSync()
  }
}

type ChunkRows = { market: Market; windows: Windows; symbol: number; start: number; from: number }

function fillChunk(
  chunk: DuckDBDataChunk,
  { market, windows, symbol, start, from }: ChunkRows,
): void {
  const { days } = market
  const vectors = COLUMNS.map((_, column) => chunk.getColumnVector(column))
  const [code, fromDay, entryDay, exitDay, known, gains, benchmarks, side] = vectors
  for (let place = 0; place < chunk.rowCount; place += 1) {
    const entry = from + place
    const day = days[entry] ?? 0
    const exit = windows.exits[entry] ?? NONE
    const earliest = day - REACH_DAYS
    code?.setItem(place, symbol)
    fromDay?.setItem(place, entry > start ? Math.max(days[entry - 1] ?? 0, earliest) : earliest)
    entryDay?.setItem(place, day)
    exitDay?.setItem(place, exit === NONE ? null : (days[exit] ?? null))
    if (exit === NONE) {
      for (const vector of [known, gains, benchmarks, side]) vector?.setItem(place, null)
      continue
    }
    const gain = toGain(market, entry, exit)
    const benchmark = toBenchmark(market, windows, entry, exit)
    known?.setItem(place, toKnown(market, windows.horizon, entry, exit))
    gains?.setItem(place, gain)
    benchmarks?.setItem(place, benchmark)
    side?.setItem(place, toSide(market, entry, exit, gain - benchmark))
  }
  for (const vector of vectors) vector.flush()
}

const toArray = (values: readonly (string | number)[]) =>
  sql`[${sql.join(values.map((value) => sql.lit(value)))}]`
