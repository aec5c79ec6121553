import { sql } from 'kysely'
import type { Session } from '#lib/archive/engine/duckdb-session.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import { fillColumns, type NumberColumn, rangeOf, sortByColumns } from './columns.ts'
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
  /** Rank by prediction and id. */
  places: Int32Array
  /** By rank: `high` × 1,000 + `low` × 10⁻⁶, `low` ≥ 0, so that sums are exact. */
  high: Int32Array
  low: Int32Array
}

export type AllCalls = {
  calls: Calls
  months: Calls
  newest: number
}

const DAY_SECONDS = 86_400

export async function loadCalls(session: Session, market: Market, now: number): Promise<AllCalls> {
  const rows = await session.db
    .transaction()
    .execute(async () => await loadRatings(session, market))
  const { symbols } = rows
  const calls = await toCalls(rows, market)
  const months = await toCalls({ symbols, ...toMonthEnds(rows, now) }, market)
  return { calls, months, newest: rangeOf(rows.created)[1] }
}

type CallRows = Pick<Calls, 'ids' | 'created' | 'high' | 'low'> & {
  ratings: Int32Array
  symbols: number
  codes: Int32Array
  userIds: Float64Array
}

type RatingRows = CallRows & { ends: Float64Array }

async function loadRatings({ db, connection }: Session, market: Market): Promise<RatingRows> {
  const { rows: counted } = await sql<{ ratings: number }>`
    select count(*) as ratings from rating`.execute(db)
  const { rows: rated } = await sql<{ symbol: string }>`
    select distinct symbol_key as symbol from rating order by symbol_key`.execute(db)
  const names = [...new Set([...market.symbols, ...rated.map(({ symbol }) => symbol)])]
  const size = counted[0]?.ratings ?? 0
  const reals = () => new Float64Array(size)
  const integers = () => new Int32Array(size)
  const columns = {
    codes: integers(),
    ids: reals(),
    userIds: reals(),
    ratings: integers(),
    created: reals(),
    ends: reals(),
  }
  const [wholes, millionths] = [reals(), integers()]
  const listed = sql`[${sql.join(names.map((name) => sql.lit(name)))}]`
  const query = sql`
    with named as (
      select unnest(${listed}) as symbol_key, unnest(range(${sql.lit(names.length)})) as code
    )
    select cast(code as integer), cast(id as double), cast(user_id as double),
      cast(rating as integer), cast(created_at as double), cast(effective_until as double),
      cast(floor(prediction_value) as double),
      cast((prediction_value - floor(prediction_value)) * 1000000 as integer)
    from rating join named using (symbol_key)`.compile(db)
  if (size > 0) {
    await fillColumns(connection, query.sql, [...Object.values(columns), wholes, millionths])
  }
  return { symbols: names.length, ...columns, ...toParts(wholes, millionths) }
}

function toParts(wholes: Float64Array, millionths: Int32Array): Pick<Calls, 'high' | 'low'> {
  const [high, low] = [new Int32Array(wholes.length), millionths]
  for (let row = 0; row < wholes.length; row += 1) {
    const whole = wholes[row] ?? 0
    const thousands = Math.floor(whole / 1000)
    high[row] = thousands
    low[row] = (whole - thousands * 1000) * 1_000_000 + (millionths[row] ?? 0)
  }
  return { high, low }
}

async function toCalls(rows: CallRows, market: Market): Promise<Calls> {
  const count = rows.ids.length
  const users = toCodes(rows.userIds)
  const labels = toCodes(rows.ratings)
  const days = new Int32Array(count)
  const byId = new Int32Array(count)
  for (let row = 0; row < count; row += 1) {
    byId[row] = row
    days[row] = toDay(rows.created[row] ?? 0)
  }
  const sorted = await sortByColumns(byId, [rows.ids])
  const order = await sortByColumns(sorted, [days, users.codes, rows.codes])
  const starts = new Int32Array(rows.symbols + 1)
  for (const code of rows.codes) starts[code + 1] = (starts[code + 1] ?? 0) + 1
  for (let code = 1; code <= rows.symbols; code += 1) {
    starts[code] = (starts[code] ?? 0) + (starts[code - 1] ?? 0)
  }
  const byPrediction = await sortByColumns(sorted, [rows.low, rows.high])
  const placeOf = new Int32Array(count)
  for (let place = 0; place < count; place += 1) placeOf[byPrediction[place] ?? 0] = place
  const years = toYears(days)
  const priced = market.symbols.length
  return {
    count,
    starts,
    userIds: Float64Array.from(users.values),
    ids: pick(rows.ids, order, new Float64Array(count)),
    users: pick(users.codes, order, new Int32Array(count)),
    labelCodes: pick(labels.codes, order, new Uint16Array(count)),
    labels: labels.values,
    yearCodes: pick(years.codes, order, new Uint16Array(count)),
    years: years.values,
    created: pick(rows.created, order, new Float64Array(count)),
    entries: order.map((row) => {
      const code = rows.codes[row] ?? 0
      return code < priced ? findEntry(market, code, days[row] ?? 0) : NONE
    }),
    places: pick(placeOf, order, new Int32Array(count)),
    high: pick(rows.high, byPrediction, new Int32Array(count)),
    low: pick(rows.low, byPrediction, new Int32Array(count)),
  }
}

function pick<C extends NumberColumn>(column: NumberColumn, order: Int32Array, into: C): C {
  for (let place = 0; place < order.length; place += 1) {
    into[place] = column[order[place] ?? 0] ?? 0
  }
  return into
}

const toDay = (seconds: number) => Math.floor(seconds / DAY_SECONDS)

function toCodes(column: NumberColumn): { codes: Int32Array; values: number[] } {
  const values = [...new Set(column)].sort((a, b) => a - b)
  const places = new Map(values.map((value, place) => [value, place]))
  const codes = new Int32Array(column.length)
  for (let row = 0; row < column.length; row += 1) codes[row] = places.get(column[row] ?? 0) ?? 0
  return { codes, values }
}

function toYears(days: Int32Array): { codes: Int32Array; values: number[] } {
  const yearOf = (day: number) => new Date(day * DAY_SECONDS * 1000).getUTCFullYear()
  const [first, last] = rangeOf(days)
  const values = Array.from(
    { length: yearOf(last) - yearOf(first) + 1 },
    (_, code) => yearOf(first) + code,
  )
  const codes = Int32Array.from(
    { length: last - first + 1 },
    (_, day) => yearOf(first + day) - yearOf(first),
  )
  return { codes: days.map((day) => codes[day - first] ?? 0), values }
}

const MONTHS_AHEAD = 24

const toMonth = (seconds: number) => {
  const date = new Date(seconds * 1000)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}
const toMonthStart = (month: number) => Date.UTC(1970, month) / 1000

/** UTC month ends: buy (5) from 3.5, sell (1) up to 2.5, else hold (3). */
function toMonthEnds(
  { symbols, codes, ratings, created, ends }: RatingRows,
  now: number,
): Omit<CallRows, 'symbols'> {
  const first = toMonth(rangeOf(created)[0])
  const months = Math.max(0, toMonth(now) + MONTHS_AHEAD - first)
  const monthOfDay = new Int32Array(toDay(toMonthStart(first + months))).fill(NONE)
  for (let month = 0; month < months; month += 1) {
    monthOfDay.fill(
      month,
      toDay(toMonthStart(first + month)),
      toDay(toMonthStart(first + month + 1)),
    )
  }
  const [active, sums] = [new Int32Array(symbols * months), new Int32Array(symbols * months)]
  const change = (row: number, seconds: number, by: 1 | -1) => {
    const month = monthOfDay[toDay(seconds)] ?? NONE
    if (month === NONE) return
    const place = (codes[row] ?? 0) * months + month
    active[place] = (active[place] ?? 0) + by
    sums[place] = (sums[place] ?? 0) + by * (ratings[row] ?? 0)
  }
  for (let row = 0; row < codes.length; row += 1) {
    const [from, to] = [created[row] ?? 0, ends[row] ?? 0]
    if (to <= from) continue
    change(row, from, 1)
    change(row, to, -1)
  }
  const said: { code: number; rating: number; created: number }[] = []
  for (let code = 0; code < symbols; code += 1) {
    let [count, sum] = [0, 0]
    for (let month = 0; month < months; month += 1) {
      count += active[code * months + month] ?? 0
      sum += sums[code * months + month] ?? 0
      if (count < CONSENSUS_MIN) continue
      const rating = 2 * sum >= 7 * count ? 5 : 2 * sum <= 5 * count ? 1 : 3
      said.push({ code, rating, created: toMonthStart(first + month + 1) - 1 })
    }
  }
  return {
    codes: Int32Array.from(said, ({ code }) => code),
    ratings: Int32Array.from(said, ({ rating }) => rating),
    created: Float64Array.from(said, (one) => one.created),
    ids: Float64Array.from(said, (_, index) => index),
    userIds: new Float64Array(said.length),
    high: new Int32Array(said.length),
    low: new Int32Array(said.length),
  }
}
