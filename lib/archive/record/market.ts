import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import { USED_CLOSES } from '#lib/archive/prices/price-flags.ts'
import { HORIZONS, type Horizon } from '#lib/contract/horizons.ts'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import { fillColumns, findFirst, rangeOf } from './columns.ts'

const REACH_DAYS = 7

export const NONE = -1

export type Market = Closes & {
  /** By days since `first`; NONE without a close. */
  calendar: { first: number; places: Int32Array; size: number }
  /** NONE without a close or benchmark. */
  compared: Int32Array
  windows: ReadonlyMap<Horizon, Windows>
}

export type Windows = {
  horizon: Horizon
  /** Exit by entry; NONE if unknown or too old. */
  exits: Int32Array
  means: Float64Array
  /** By span: the day from which the mean is known, if later than the exit. */
  late: ReadonlyMap<number, number>
}

/** `benchmark` null: the mean of all symbols. */
export async function loadMarket(session: Session, benchmark: string | null): Promise<Market> {
  const closes = await session.db.transaction().execute(async () => await loadCloses(session))
  const calendar = createCalendar(closes)
  const compared = new Int32Array(calendar.size).fill(NONE)
  const code = closes.symbols.indexOf(benchmark ?? '')
  const [from, to] = code === NONE ? [0, 0] : toRange(closes.starts, code)
  for (let row = from; row < to; row += 1) compared[toPlace(calendar, closes.days[row] ?? 0)] = row
  const windows = new Map<Horizon, Windows>()
  for (const horizon of HORIZONS) {
    const exits = findExits(horizon, closes)
    await nextTurn()
    const { means, late } = await meanSpans(closes, calendar, { horizon, exits })
    windows.set(horizon, { horizon, exits, means, late })
  }
  return { ...closes, calendar, compared, windows }
}

export function findEntry({ starts, days }: Closes, symbol: number, day: number): number {
  const range = toRange(starts, symbol)
  const row = findFirst(days, day + 1, range)
  return row < range[1] && (days[row] ?? 0) - day <= REACH_DAYS ? row : NONE
}

/** The day from which a call's outcome is known. */
export function toKnown(market: Market, windows: Windows, entry: number, exit: number): number {
  const { days } = market
  const due = (days[entry] ?? 0) + windows.horizon
  const own = days[exit] === due ? toSettled(market, exit) : toUsable(market, exit + 1)
  return Math.max(own, toBenchmarkDay(market, windows, entry, exit))
}

const SETTLING_DAYS = 7
const IS_FAR = 8
const IS_JUMP = 16

/** The day from which it is known whether a close returns. */
const toSettled = ({ days, states }: Closes, row: number): number =>
  (days[row] ?? 0) + ((states[row] ?? 0) & SETTLING_DAYS)

/** The day from which a close is used. */
export const toUsable = (closes: Closes, row: number): number =>
  ((closes.states[row] ?? 0) & IS_FAR) === 0 ? (closes.days[row] ?? 0) : toSettled(closes, row)

/** Whether the price jumps after `entry`, by `exit`. */
export function isAcrossJump({ jumps }: Closes, entry: number, exit: number): boolean {
  const place = findFirst(jumps, entry + 1, [0, jumps.length])
  return place < jumps.length && (jumps[place] ?? 0) <= exit
}

export const toGain = ({ closes }: Closes, entry: number, exit: number): number =>
  (closes[exit] ?? 0) / (closes[entry] ?? 0) - 1

export function toBenchmark(market: Market, windows: Windows, entry: number, exit: number): number {
  const [first, last] = toComparedPair(market, entry, exit)
  if (first !== NONE) return toGain(market, first, last)
  return windows.means[toSpanOf(market, windows, entry, exit)] ?? 0
}

/** A benchmark that may have jumped on the exit's day is known once that is settled. */
function toBenchmarkDay(market: Market, windows: Windows, entry: number, exit: number): number {
  const mean = windows.late.get(toSpanOf(market, windows, entry, exit)) ?? 0
  const [first, last] = [toCompared(market, entry), toCompared(market, exit)]
  const isFar = ((market.states[last] ?? 0) & IS_FAR) !== 0
  if (first === NONE || last === NONE || isFar || isAcrossJump(market, first, last - 1)) return mean
  const own = toSettled(market, last)
  return isAcrossJump(market, first, last) ? Math.max(own, mean) : own
}

/** Exact if the benchmark is a symbol. */
export function toSide(market: Market, entry: number, exit: number, excess: number): number {
  const { closes } = market
  const [first, last] = toComparedPair(market, entry, exit)
  if (first === NONE) return Math.sign(excess)
  const own = (closes[exit] ?? 0) * (closes[first] ?? 0)
  const other = (closes[entry] ?? 0) * (closes[last] ?? 0)
  if (Math.abs(own - other) > DOUBTFUL * own) return Math.sign(own - other)
  const exact = toUnits(market, exit) * toUnits(market, first)
  const against = toUnits(market, entry) * toUnits(market, last)
  return exact === against ? 0 : exact > against ? 1 : -1
}

/** Relative difference below which products are compared exactly. */
const DOUBTFUL = 1e-14

export const toUnits = ({ wholes, parts }: Closes, row: number): bigint =>
  BigInt(wholes[row] ?? 0) * 100_000_000n + BigInt(parts[row] ?? 0)

const NO_PAIR = [NONE, NONE] as const

/** The benchmark's closes on the same days; none if one is missing or it jumps between. */
function toComparedPair(market: Market, entry: number, exit: number): readonly [number, number] {
  const [first, last] = [toCompared(market, entry), toCompared(market, exit)]
  const isMissing = first === NONE || last === NONE
  return isMissing || isAcrossJump(market, first, last) ? NO_PAIR : [first, last]
}

const toCompared = ({ compared, calendar, days }: Market, row: number): number =>
  compared[toPlace(calendar, days[row] ?? 0)] ?? NONE

const toPlace = ({ first, places }: Market['calendar'], day: number): number =>
  places[day - first] ?? NONE

/** `wholes` plus `parts` × 10⁻⁸ is exact. */
type Closes = {
  symbols: readonly string[]
  /** First row per symbol, then the total. */
  starts: Int32Array
  days: Int32Array
  closes: Float64Array
  wholes: Float64Array
  parts: Int32Array
  /** See USED_CLOSES. */
  states: Uint8Array
  /** Rows, ascending. */
  jumps: Int32Array
}

export const toRange = (starts: Int32Array, symbol: number): readonly [number, number] => [
  starts[symbol] ?? 0,
  starts[symbol + 1] ?? 0,
]

async function loadCloses({ db, connection }: Session): Promise<Closes> {
  const { rows } = await sql<{ symbol: string; closes: number }>`
    select symbol_key as symbol, count(*) as closes from ${USED_CLOSES} as used
    group by symbol_key order by symbol_key`.execute(db)
  const starts = new Int32Array(rows.length + 1)
  for (const [code, { closes }] of rows.entries()) starts[code + 1] = (starts[code] ?? 0) + closes
  const size = starts[rows.length] ?? 0
  const [days, parts] = [new Int32Array(size), new Int32Array(size)]
  const [closes, wholes] = [new Float64Array(size), new Float64Array(size)]
  const states = new Uint8Array(size)
  const query = sql`
    select day, cast(close as double), cast(floor(close) as double),
      cast((close - floor(close)) * 100000000 as integer), state
    from ${USED_CLOSES} as used order by symbol_key, day`.compile(db)
  await fillColumns(connection, query.sql, [days, closes, wholes, parts, states])
  return {
    symbols: rows.map(({ symbol }) => symbol),
    starts,
    days,
    closes,
    wholes,
    parts,
    states,
    jumps: selectJumps(states),
  }
}

function selectJumps(states: Uint8Array): Int32Array {
  const rows: number[] = []
  for (let row = 0; row < states.length; row += 1) {
    if (((states[row] ?? 0) & IS_JUMP) !== 0) rows.push(row)
  }
  return Int32Array.from(rows)
}

function createCalendar({ days }: Closes): Market['calendar'] {
  const [first, last] = rangeOf(days)
  const places = new Int32Array(last - first + 1).fill(NONE)
  for (const day of days) places[day - first] = 0
  let size = 0
  for (let index = 0; index < places.length; index += 1) {
    if (places[index] !== NONE) places[index] = size++
  }
  return { first, places, size }
}

/** Requires a close on or after the due day. */
function findExits(horizon: Horizon, { symbols, starts, days }: Closes): Int32Array {
  const exits = new Int32Array(days.length).fill(NONE)
  for (let code = 0; code < symbols.length; code += 1) {
    const [from, to] = toRange(starts, code)
    let exit = from
    for (let entry = from; entry < to; entry += 1) {
      const due = (days[entry] ?? 0) + horizon
      while (exit + 1 < to && (days[exit + 1] ?? 0) <= due) exit += 1
      const age = due - (days[exit] ?? 0)
      if (age === 0 || (exit + 1 < to && age <= REACH_DAYS)) exits[entry] = exit
    }
  }
  return exits
}

const SPANS = REACH_DAYS + 1

const toSpan = (
  calendar: Market['calendar'],
  horizon: Horizon,
  entryDay: number,
  exitDay: number,
) => toPlace(calendar, entryDay) * SPANS + entryDay + horizon - exitDay

const toSpanOf = ({ calendar, days }: Market, windows: Windows, entry: number, exit: number) =>
  toSpan(calendar, windows.horizon, days[entry] ?? 0, days[exit] ?? 0)

const CLOSES_A_TURN = 200_000

async function meanSpans(
  { symbols, starts, days, closes, states, jumps }: Closes,
  calendar: Market['calendar'],
  { horizon, exits }: Pick<Windows, 'horizon' | 'exits'>,
): Promise<Pick<Windows, 'means' | 'late'>> {
  const size = calendar.size * SPANS
  const [sums, counts, isAsked] = [
    new Float64Array(size),
    new Int32Array(size),
    new Uint8Array(size),
  ]
  for (let entry = 0; entry < days.length; entry += 1) {
    const exit = exits[entry] ?? NONE
    if (exit !== NONE) isAsked[toSpan(calendar, horizon, days[entry] ?? 0, days[exit] ?? 0)] = 1
  }
  const late = new Map<number, number>()
  let [turn, jump] = [CLOSES_A_TURN, 0]
  for (let code = 0; code < symbols.length; code += 1) {
    const [from, to] = toRange(starts, code)
    if (from >= turn) {
      turn = from + CLOSES_A_TURN
      await nextTurn()
    }
    let latest = from
    for (let entry = from; entry < to; entry += 1) {
      const entryDay = days[entry] ?? 0
      const due = entryDay + horizon
      while (latest + 1 < to && (days[latest + 1] ?? 0) <= due) latest += 1
      while (jump < jumps.length && (jumps[jump] ?? 0) <= entry) jump += 1
      const nextJump = jumps[jump] ?? Number.POSITIVE_INFINITY
      for (let exit = latest; exit >= entry && due - (days[exit] ?? 0) <= REACH_DAYS; exit -= 1) {
        const span = toSpan(calendar, horizon, entryDay, days[exit] ?? 0)
        if (isAsked[span] !== 1 || exit > nextJump) continue
        const state = states[exit] ?? 0
        if (state !== 0 && (state & IS_FAR) === 0) {
          const settled = (days[exit] ?? 0) + (state & SETTLING_DAYS)
          late.set(span, Math.max(late.get(span) ?? 0, settled))
        }
        if (exit === nextJump) continue
        sums[span] = (sums[span] ?? 0) + (closes[exit] ?? 0) / (closes[entry] ?? 0) - 1
        counts[span] = (counts[span] ?? 0) + 1
      }
    }
  }
  return { means: sums.map((sum, span) => sum / (counts[span] ?? 0)), late }
}

/** A day's close is known from its last second (UTC). */
export const toKnownDay = (at: number): number => Math.floor((at + 1) / DAY_SECONDS) - 1
