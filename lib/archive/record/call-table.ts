import { setImmediate as nextTurn } from 'node:timers/promises'
import { BIGINT, DOUBLE, DuckDBDataChunk, INTEGER, TINYINT } from '@duckdb/node-api'
import { type RawBuilder, sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import type { Calls } from './call-columns.ts'
import { findFirst } from './columns.ts'
import {
  isAcrossJump,
  type Market,
  NONE,
  toBenchmark,
  toGain,
  toKnown,
  toSide,
  toUnits,
  toUsable,
} from './market.ts'

/**
 * `first_day`: of the symbol's closes; `entered_day`, `known_day`: from when the entry and the
 * outcome are known; units: closes × 10⁸. A call across a jump has no gain.
 */
const COLUMNS = {
  id: BIGINT,
  first_day: INTEGER,
  entry_day: INTEGER,
  entered_day: INTEGER,
  exit_day: INTEGER,
  known_day: INTEGER,
  entry_units: BIGINT,
  exit_units: BIGINT,
  gain: DOUBLE,
  benchmark: DOUBLE,
  side: TINYINT,
}

type PricedCalls = { calls: Calls; market: Market; horizon: Horizon }

/** In order of COLUMNS. */
type Outcome = readonly (number | bigint | null)[]

function visitOutcomes(
  { calls, market, horizon }: PricedCalls,
  [from, to]: readonly [number, number],
  visit: (outcome: Outcome) => void,
): void {
  const windows = market.windows.get(horizon)
  if (!windows) return
  let symbol = findFirst(calls.starts, from + 1, [0, calls.starts.length]) - 1
  for (let call = from; call < to; call += 1) {
    while ((calls.starts[symbol + 1] ?? 0) <= call) symbol += 1
    const id = BigInt(calls.ids[call] ?? 0)
    const first = symbol < market.symbols.length ? (market.starts[symbol] ?? NONE) : NONE
    const entry = calls.entries[call] ?? NONE
    const exit = entry === NONE ? NONE : (windows.exits[entry] ?? NONE)
    const [firstDay, entryDay] = [dayOf(market, first), dayOf(market, entry)]
    const enteredDay = entry === NONE ? null : toUsable(market, entry)
    if (exit === NONE) {
      const entryUnits = entry === NONE ? null : toUnits(market, entry)
      const entered = [entryDay, enteredDay, null, null, entryUnits]
      visit([id, firstDay, ...entered, null, null, null, null])
      continue
    }
    const hasJumped = isAcrossJump(market, entry, exit)
    const gain = toGain(market, entry, exit)
    const benchmark = toBenchmark(market, windows, entry, exit)
    const figures = [gain, benchmark, toSide(market, entry, exit, gain - benchmark)]
    visit([
      id,
      firstDay,
      entryDay,
      enteredDay,
      dayOf(market, exit),
      toKnown(market, windows, entry, exit),
      toUnits(market, entry),
      toUnits(market, exit),
      ...(hasJumped ? [null, null, null] : figures),
    ])
  }
}

const dayOf = ({ days }: Market, row: number): number | null =>
  row === NONE ? null : (days[row] ?? null)

const withRatings = (outcomes: RawBuilder<unknown>) => sql`
  select id, user_id, symbol_key, symbol, rating, prediction, prediction_value, created_at,
    first_day, entry_day, entered_day, exit_day, known_day, ${toClose('entry_units')} as entry_close,
    ${toClose('exit_units')} as exit_close, gain, benchmark, gain - benchmark as excess,
    cast(case when rating >= 4 then 1 + side when rating <= 2 then 1 - side end as tinyint) as hit
  from rating join ${outcomes} as outcome using (id)`

const toClose = (units: keyof typeof COLUMNS) =>
  sql`cast(${sql.ref(units)} * 0.00000001 as decimal(18, 8))`

export const selectUserOutcomes = (userId: number, priced: PricedCalls): RawBuilder<unknown> => sql`
  (${withRatings(toRelation(priced))} where user_id = ${sql.lit(userId)})`

/** A text for each column: literals take longer to parse. */
function toRelation(priced: PricedCalls) {
  const values = Object.keys(COLUMNS).map((): string[] => [])
  visitOutcomes(priced, [0, priced.calls.count], (outcome) => {
    for (const [column, value] of outcome.entries()) values[column]?.push(`${value}`)
  })
  return sql`(select ${sql.join(
    Object.entries(COLUMNS).map(
      ([name, type], column) =>
        sql`unnest(cast(${`[${values[column]}]`} as ${sql.raw(`${type}[]`)})) as ${sql.ref(name)}`,
    ),
  )})`
}

export const outcomesTable = (horizon: Horizon) => sql.table(`record.scored_${horizon}`)

const BATCH = 2048

export async function writeCallTable(
  { db, connection }: Session,
  priced: PricedCalls,
): Promise<void> {
  const { calls, horizon } = priced
  const columns = Object.entries(COLUMNS).map(([name, type]) => `${name} ${type}`)
  await sql`create or replace temporary table outcome (${sql.raw(columns.join())})`.execute(db)
  const appender = await connection.createAppender('outcome', 'main', 'temp')
  try {
    for (let from = 0; from < calls.count; from += BATCH) {
      const size = Math.min(BATCH, calls.count - from)
      const chunk = DuckDBDataChunk.create(Object.values(COLUMNS), size)
      const vectors = columns.map((_, column) => chunk.getColumnVector(column))
      let place = 0
      visitOutcomes(priced, [from, from + size], (outcome) => {
        for (let column = 0; column < vectors.length; column += 1) {
          vectors[column]?.setItem(place, outcome[column] ?? null)
        }
        place += 1
      })
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
    ${withRatings(sql.table('outcome'))}`.execute(db)
  await sql`drop table outcome`.execute(db)
}
