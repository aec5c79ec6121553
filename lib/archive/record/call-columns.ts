import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { DAY_SECONDS } from '#lib/timeline/buckets.ts'
import type { Session } from '../engine/duckdb-session.ts'
import { createNumberedNames } from '../engine/symbol-keys.ts'
import { fillColumns, rangeOf } from './columns.ts'
import { findEntry, type Market, NONE } from './market.ts'

/** Sorted by symbol, user and day. */
export type Calls = {
  count: number
  /** First call per symbol, then the total. Market symbols come first. */
  starts: Int32Array
  ids: Float64Array
  users: Int32Array
  userIds: Float64Array
  /** Indexes into `labels` and `years` (UTC). */
  labelCodes: Uint16Array
  labels: readonly number[]
  yearCodes: Uint16Array
  years: readonly number[]
  /** Seconds since 1970. */
  created: Float64Array
  entries: Int32Array
}

export type PredictedCalls = Calls & {
  /** Rank by prediction and id. */
  places: Int32Array
  /** By rank: `high` × 1,000 + `low` × 10⁻⁶, `low` ≥ 0, so that sums are exact. */
  high: Int32Array
  low: Int32Array
}

export type AllCalls = {
  calls: PredictedCalls
  newest: number
}

export async function loadCalls(session: Session, market: Market): Promise<AllCalls> {
  const rows = await session.db
    .transaction()
    .execute(async () => await loadRatings(session, market))
  const { places, high, low } = rows
  const calls = { ...(await toCalls(rows, market)), places, high, low }
  return { calls, newest: rangeOf(rows.created)[1] }
}

/** Sorted by symbol, user, day and id. */
type CallRows = Pick<Calls, 'ids' | 'users' | 'userIds' | 'created'> & {
  ratings: Int32Array
  symbols: number
  codes: Int32Array
}

async function loadRatings(session: Session, market: Market) {
  const { symbols, userIds, size } = await numberNames(session, market)
  const reals = () => new Float64Array(size)
  const integers = () => new Int32Array(size)
  const columns = {
    codes: integers(),
    ids: reals(),
    users: integers(),
    ratings: integers(),
    created: reals(),
    places: integers(),
  }
  const [wholes, millionths] = [reals(), integers()]
  const query = sql`
    with coded as (
      select code, number, id, rating, created_at,
        cast(floor(created_at / ${sql.lit(DAY_SECONDS)}) as bigint) as day,
        prediction_value
      from rating join temp.symbol_code on symbol_code.name = rating.symbol_key join temp.user_number using (user_id)
    ), placed as (
      select *, row_number() over (order by prediction_value, id) - 1 as place from coded
    )
    select code, cast(id as double), number, cast(rating as integer), cast(created_at as double),
      cast(place as integer),
      cast(floor(prediction_value) as double),
      cast((prediction_value - floor(prediction_value)) * 1000000 as integer)
    from placed order by code, number, day, id`.compile(session.db)
  if (size > 0) {
    const filled = [...Object.values(columns), wholes, millionths]
    await fillColumns(session.connection, query.sql, filled)
  }
  const parts = await toParts(columns.places, wholes, millionths)
  return { symbols, userIds, ...columns, ...parts }
}

/**
 * Symbols of the market come first. Tables, because the engine takes a list within a query for one
 * row, joins in the wrong order and runs out of memory at ten million ratings.
 */
async function numberNames(session: Session, market: Market) {
  const { db } = session
  const { rows: rated } = await sql<{ symbol: string }>`
    select distinct symbol_key as symbol from rating order by symbol_key`.execute(db)
  const names = [...new Set([...market.symbols, ...rated.map(({ symbol }) => symbol)])]
  await createNumberedNames(session, 'symbol_code', names)
  await sql`
    create or replace temporary table user_number as
    select user_id, cast(row_number() over (order by user_id) - 1 as integer) as number
    from (select distinct user_id from rating)`.execute(db)
  const { rows: users } = await sql<{ user: number }>`
    select user_id as user from temp.user_number order by number`.execute(db)
  const { rows: counted } = await sql<{ ratings: number }>`
    select count(*) as ratings from rating`.execute(db)
  return {
    symbols: names.length,
    userIds: Float64Array.from(users, ({ user }) => user),
    size: counted[0]?.ratings ?? 0,
  }
}

/** By place. A prediction is `wholes` + `millionths` × 10⁻⁶, `millionths` ≥ 0. */
async function toParts(
  places: Int32Array,
  wholes: Float64Array,
  millionths: Int32Array,
): Promise<Pick<PredictedCalls, 'high' | 'low'>> {
  const [high, low] = [new Int32Array(places.length), new Int32Array(places.length)]
  await visitRows(places.length, (row) => {
    const place = places[row] ?? 0
    const whole = wholes[row] ?? 0
    const thousands = Math.floor(whole / 1000)
    high[place] = thousands
    low[place] = (whole - thousands * 1000) * 1_000_000 + (millionths[row] ?? 0)
  })
  return { high, low }
}

export async function toCalls(rows: CallRows, market: Market): Promise<Calls> {
  const { ids, users, userIds, created } = rows
  const count = ids.length
  const labels = await toLabels(rows.ratings)
  const years = await toYears(created)
  const starts = new Int32Array(rows.symbols + 1)
  const entries = new Int32Array(count)
  const priced = market.symbols.length
  await visitRows(count, (row) => {
    const code = rows.codes[row] ?? 0
    starts[code + 1] = (starts[code + 1] ?? 0) + 1
    entries[row] = code < priced ? findEntry(market, code, toDay(created[row] ?? 0)) : NONE
  })
  for (let code = 1; code <= rows.symbols; code += 1) {
    starts[code] = (starts[code] ?? 0) + (starts[code - 1] ?? 0)
  }
  return {
    count,
    starts,
    ids,
    users,
    userIds,
    labelCodes: labels.codes,
    labels: labels.values,
    yearCodes: years.codes,
    years: years.values,
    created,
    entries,
  }
}

const ROWS_A_TURN = 100_000

async function visitRows(count: number, visit: (row: number) => void): Promise<void> {
  for (let from = 0; from < count; from += ROWS_A_TURN) {
    const to = Math.min(count, from + ROWS_A_TURN)
    for (let row = from; row < to; row += 1) visit(row)
    await nextTurn()
  }
}

export const toDay = (seconds: number) => Math.floor(seconds / DAY_SECONDS)

type Coded = { codes: Uint16Array; values: number[] }

async function toLabels(ratings: Int32Array): Promise<Coded> {
  const found = new Set<number>()
  await visitRows(ratings.length, (row) => found.add(ratings[row] ?? 0))
  const values = [...found].sort((a, b) => a - b)
  const places = new Map(values.map((value, place) => [value, place]))
  const codes = new Uint16Array(ratings.length)
  await visitRows(ratings.length, (row) => {
    codes[row] = places.get(ratings[row] ?? 0) ?? 0
  })
  return { codes, values }
}

async function toYears(created: Float64Array): Promise<Coded> {
  const yearOf = (day: number) => new Date(day * DAY_SECONDS * 1000).getUTCFullYear()
  const [oldest, newest] = rangeOf(created)
  const [first, last] = [toDay(oldest), toDay(newest)]
  const firstYear = yearOf(first)
  const values = Array.from({ length: yearOf(last) - firstYear + 1 }, (_, code) => firstYear + code)
  const byDay = Uint16Array.from(
    { length: last - first + 1 },
    (_, day) => yearOf(first + day) - firstYear,
  )
  const codes = new Uint16Array(created.length)
  await visitRows(created.length, (row) => {
    codes[row] = byDay[toDay(created[row] ?? 0) - first] ?? 0
  })
  return { codes, values }
}
