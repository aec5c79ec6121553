import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Call } from '#lib/contract/answers/track.ts'
import { type Horizon, toHorizon } from '#lib/contract/horizons.ts'
import { CALL_COLUMNS, type CallsQuery, callList, OUTCOMES } from '#lib/contract/lists/calls.ts'
import type { UserTimeline, UserTimelineRow } from '#lib/timeline/user.ts'
import type { Tables } from '../engine/tables.ts'
import type { ListRows, ListSource } from '../lists/select-list.ts'
import type { ArchiveReader, ReadOptions } from '../reader.ts'
import { type Calls, toCalls, toDay } from './call-columns.ts'
import { outcomesTable, selectUserOutcomes } from './call-table.ts'
import { type Market, toKnownDay } from './market.ts'

const lit = (value: number | string) => sql.lit(value)

function selectOutcomes(scored: RawBuilder<unknown>, at: number): RawBuilder<unknown> {
  const day = sql.lit(toKnownDay(at))
  return sql`(
    select scored.*, case
      when first_day is null or first_day > ${day} then ${outcome('no_price')}
      when entered_day is null or entered_day > ${day} then ${outcome('no_entry')}
      when known_day is null or known_day > ${day} then ${outcome('open')}
      when gain is null then ${outcome('jump')}
      when rating not in (1, 2, 4, 5) then ${outcome('hold')}
      else ${outcome('scored')} end as outcome
    from ${scored} as scored
    where created_at <= ${sql.lit(at)}) as calls`
}

const outcome = (name: (typeof OUTCOMES)[number]) => sql.lit(OUTCOMES.indexOf(name))

type Form = 'text' | 'typed'

/** `text`: decimals of 6 places and days as text; `typed`: native types. */
const FORMS: Readonly<
  Record<Form, Record<'decimal' | 'day', (value: RawBuilder<unknown>) => RawBuilder<unknown>>>
> = {
  text: {
    decimal: (value) => sql`cast(cast(round(${value}, 6) as decimal(38, 6)) as varchar)`,
    day: (value) => sql`cast(${toDate(value)} as varchar)`,
  },
  typed: {
    decimal: (value) => sql`cast(round(${value}, 6) as decimal(18, 6))`,
    day: (value) => toDate(value),
  },
}

const toDate = (day: RawBuilder<unknown>) => sql`(date '1970-01-01' + ${day})`

const WHEN_ENTERED = sql`outcome in (${outcome('scored')}, ${outcome('open')}, ${outcome('hold')}, ${outcome('jump')})`
const WHEN_ENDED = sql`outcome in (${outcome('scored')}, ${outcome('hold')}, ${outcome('jump')})`
const WHEN_KNOWN = sql`outcome in (${outcome('scored')}, ${outcome('hold')})`
const WHEN_SCORED = sql`outcome = ${outcome('scored')}`

const when = (condition: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`case when ${condition} then ${value} end`

const FIELDS: ListSource['fields'] = {
  symbol: { key: 'symbol_key' },
  prediction: { key: 'prediction_value' },
  entry_date: { key: when(WHEN_ENTERED, sql`entry_day`) },
  exit_date: { key: when(WHEN_ENDED, sql`exit_day`) },
  return: { key: when(WHEN_KNOWN, sql`round(gain, 6)`) },
  benchmark: { key: when(WHEN_KNOWN, sql`round(benchmark, 6)`) },
  excess: { key: when(WHEN_KNOWN, sql`round(excess, 6)`) },
  hit: { key: when(WHEN_SCORED, sql`hit`) },
}

type ToColumn = (forms: (typeof FORMS)[Form]) => RawBuilder<unknown>

const COLUMNS: Readonly<Record<string, ToColumn>> = {
  outcome: () => sql`[${sql.join(OUTCOMES.map(lit))}][outcome + 1]`,
  entry_date: ({ day }) => when(WHEN_ENTERED, day(sql`entry_day`)),
  entry_close: ({ decimal }) => when(WHEN_ENTERED, decimal(sql`entry_close`)),
  exit_date: ({ day }) => when(WHEN_ENDED, day(sql`exit_day`)),
  exit_close: ({ decimal }) => when(WHEN_ENDED, decimal(sql`exit_close`)),
  return: ({ decimal }) => when(WHEN_KNOWN, decimal(sql`gain`)),
  benchmark: ({ decimal }) => when(WHEN_KNOWN, decimal(sql`benchmark`)),
  excess: ({ decimal }) => when(WHEN_KNOWN, decimal(sql`excess`)),
  hit: () => when(WHEN_SCORED, sql`hit / 2`),
}

const callColumns = (form: Form, columns: readonly string[]) =>
  sql.join(
    columns.map((name) => {
      const value = COLUMNS[name]?.(FORMS[form]) ?? sql.ref(name)
      const isTyped = form === 'typed' && name === 'prediction'
      return sql`${isTyped ? sql.ref('prediction_value') : value} as ${sql.ref(name)}`
    }),
  )

async function loadCalls(db: Kysely<Tables>, placed: RawBuilder<unknown>): Promise<Call[]> {
  const { rows } = await sql<Call>`
    select ${callColumns('text', CALL_COLUMNS)} from ${placed} as placed order by place`.execute(db)
  return rows
}

export async function loadCallRows(
  reader: CallsReader,
  query: CallsQuery,
  { at, signal }: ReadOptions,
): Promise<ListRows<typeof callList>> {
  const horizon = toHorizon(query.horizon)
  const source: ListSource = {
    from: selectOutcomes(await loadScored(reader, query, { horizon, signal }), at),
    fields: FIELDS,
    where: [],
    ties: () => [sql`created_at`, sql`id`],
  }
  return {
    list: callList,
    source,
    query,
    load: loadCalls,
    toTyped: (columns, calls) => sql`
      select ${callColumns('typed', columns)} from ${calls} as placed order by place`,
  }
}

type CallsReader = Pick<ArchiveReader, 'scores' | 'userTimelines'>

/** One user's calls need no table of all calls. */
async function loadScored(
  { scores, userTimelines }: CallsReader,
  { user }: CallsQuery,
  { horizon, signal }: { horizon: Horizon; signal?: AbortSignal },
): Promise<RawBuilder<unknown>> {
  const [userId, ...others] = user.only
  if (userId === undefined || others.length > 0) {
    await scores.writeTable(horizon, signal)
    return outcomesTable(horizon)
  }
  const [timeline, market] = await Promise.all([
    userTimelines.load(String(userId), signal),
    scores.market(signal),
  ])
  const calls = await toUserCalls(timeline ?? { userId, rows: [], bytes: 0 }, market)
  return selectUserOutcomes(userId, { calls, market, horizon })
}

/** Sums over them equal those over the user's part of all calls. */
export async function toUserCalls({ userId, rows }: UserTimeline, market: Market): Promise<Calls> {
  const codes = toSymbolCodes(rows, market)
  const codeOf = ({ symbol_key }: UserTimelineRow) => codes.get(symbol_key) ?? 0
  const ordered = [...rows].sort(
    (a, b) => codeOf(a) - codeOf(b) || toDay(a.created_at) - toDay(b.created_at) || a.id - b.id,
  )
  return await toCalls(
    {
      symbols: codes.size,
      codes: Int32Array.from(ordered, codeOf),
      ids: Float64Array.from(ordered, ({ id }) => id),
      users: new Int32Array(ordered.length),
      userIds: Float64Array.of(userId),
      ratings: Int32Array.from(ordered, ({ rating }) => rating),
      created: Float64Array.from(ordered, ({ created_at }) => created_at),
    },
    market,
  )
}

/** Market symbols first. */
function toSymbolCodes(rows: readonly UserTimelineRow[], market: Market): Map<string, number> {
  const codes = new Map(market.symbols.map((symbol, code) => [symbol, code]))
  for (const { symbol_key } of rows) {
    if (!codes.has(symbol_key)) codes.set(symbol_key, codes.size)
  }
  return codes
}
