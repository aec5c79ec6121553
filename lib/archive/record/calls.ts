import { type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { type Call, OUTCOMES } from '#lib/contract/answers/track.ts'
import type { CallSort } from '#lib/contract/api-queries.ts'
import { CALL_COLUMNS, type CallColumn } from '#lib/contract/export-choice.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { outcomesTable } from './call-table.ts'

/**
 * Calls of these users and on these symbols (upper case), of all where none are named. `from`, `to`: posted at `from` or later and
 * before `to`, in seconds since 1970.
 */
export type CallsChoice = {
  horizon: Horizon
  users?: readonly number[]
  symbols?: readonly string[]
  from?: number | null
  to?: number | null
  /** What has no value comes last; ties by time. Left out: by time. */
  sort?: Sort<CallSort>
}

/** Those of them that existed at `at`, judged by the prices that were known then. */
export type CallSet = CallsChoice & { at: number }

const DAY_SECONDS = 86_400

const lit = (value: number | string) => sql.lit(value)

/** The last day whose close is known at an instant: it has ended by then. */
export const toKnownDay = (at: number): number => Math.floor((at + 1) / DAY_SECONDS) - 1

/** The calls of a set, each with its outcome by then; what was not known then is null. */
export function selectSet(
  set: CallSet,
  table: RawBuilder<unknown> = outcomesTable(set.horizon),
): RawBuilder<unknown> {
  const day = sql.lit(toKnownDay(set.at))
  const conditions: RawBuilder<SqlBool>[] = [sql`created_at <= ${sql.lit(set.at)}`]
  const { users = [], symbols = [] } = set
  if (users.length > 0) conditions.push(sql`user_id in (${sql.join(users.map(lit))})`)
  if (symbols.length > 0) conditions.push(sql`symbol_key in (${sql.join(symbols.map(lit))})`)
  if (set.from != null) conditions.push(sql`created_at >= ${sql.lit(set.from)}`)
  if (set.to != null) conditions.push(sql`created_at < ${sql.lit(set.to)}`)
  return sql`(
    select scored.*, case
      when first_day is null or first_day > ${day} then ${outcome('no_price')}
      when entry_day is null or entry_day > ${day} then ${outcome('no_entry')}
      when known_day is null or known_day > ${day} then ${outcome('open')}
      when rating not in (1, 2, 4, 5) then ${outcome('hold')}
      else ${outcome('scored')} end as outcome
    from ${table} as scored
    where ${sql.join(conditions, sql` and `)}
  )`
}

/** Outcomes are small numbers in the database: their places in {@link OUTCOMES}. */
export const outcome = (name: (typeof OUTCOMES)[number]) => sql.lit(OUTCOMES.indexOf(name))

/** What calls are sorted by, as it is shown. The rest is the column of that name. */
const SORT_KEYS: Readonly<Partial<Record<CallSort, () => RawBuilder<unknown>>>> = {
  symbol: () => sql`symbol_key`,
  prediction: () => sql`prediction_value`,
  entry_date: () => when(WHEN_ENTERED, sql`entry_day`),
  exit_date: () => when(WHEN_KNOWN, sql`exit_day`),
  return: () => when(WHEN_KNOWN, sql`round(gain, 6)`),
  benchmark: () => when(WHEN_KNOWN, sql`round(benchmark, 6)`),
  excess: () => when(WHEN_KNOWN, sql`round(excess, 6)`),
  hit: () => when(WHEN_SCORED, sql`hit`),
}

/** The order of calls of {@link selectSet}: what has no value by then last, of equal ones the earlier first. */
export function callOrder({ column, direction }: Sort<CallSort> = BY_TIME): RawBuilder<unknown> {
  const key = SORT_KEYS[column]?.() ?? sql.ref(column)
  return sql`${key} ${sql.raw(direction)} nulls last, created_at, id`
}

const BY_TIME: Sort<CallSort> = { column: 'created_at', direction: 'asc' }

type Form = 'text' | 'typed'

/** As lists have it, decimals are texts of 6 places and days are texts; as a typed file has it, they are what they are. */
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

/** Calls have an entry where there is one by then, and an exit where that is known. */
const WHEN_ENTERED = sql`outcome in (${outcome('scored')}, ${outcome('open')}, ${outcome('hold')}) and entry_day is not null`
const WHEN_KNOWN = sql`outcome in (${outcome('scored')}, ${outcome('hold')})`
const WHEN_SCORED = sql`outcome = ${outcome('scored')}`

const when = (condition: RawBuilder<unknown>, value: RawBuilder<unknown>) =>
  sql`case when ${condition} then ${value} end`

type ToColumn = (forms: (typeof FORMS)[Form]) => RawBuilder<unknown>

/** Each column of a call, out of the calls of {@link selectSet}. */
const COLUMNS: Readonly<Partial<Record<CallColumn, ToColumn>>> = {
  outcome: () => sql`[${sql.join(OUTCOMES.map(lit))}][outcome + 1]`,
  entry_date: ({ day }) => when(WHEN_ENTERED, day(sql`entry_day`)),
  entry_close: ({ decimal }) => when(WHEN_ENTERED, decimal(sql`entry_close`)),
  exit_date: ({ day }) => when(WHEN_KNOWN, day(sql`exit_day`)),
  exit_close: ({ decimal }) => when(WHEN_KNOWN, decimal(sql`exit_close`)),
  return: ({ decimal }) => when(WHEN_KNOWN, decimal(sql`gain`)),
  benchmark: ({ decimal }) => when(WHEN_KNOWN, decimal(sql`benchmark`)),
  excess: ({ decimal }) => when(WHEN_KNOWN, decimal(sql`excess`)),
  hit: () => when(WHEN_SCORED, sql`hit / 2`),
}

/** The columns of calls in a form, in their order. */
export const callColumns = (form: Form, columns: readonly CallColumn[]) =>
  sql.join(
    columns.map((name) => {
      const value = COLUMNS[name]?.(FORMS[form]) ?? sql.ref(name)
      const isTyped = form === 'typed' && name === 'prediction'
      return sql`${isTyped ? sql.ref('prediction_value') : value} as ${sql.ref(name)}`
    }),
  )

/** Calls of {@link selectSet} with what is written in their ratings, and with their closes. */
export const withTexts = (calls: RawBuilder<unknown>) => sql`
  (select calls.*, rating.symbol, rating.prediction, entered.close as entry_close,
    left_at.close as exit_close
  from ${calls} as calls
  join rating on rating.id = calls.id
  left join prices.price as entered
    on entered.symbol_key = calls.symbol_key and entered.day = calls.entry_day
  left join prices.price as left_at
    on left_at.symbol_key = calls.symbol_key and left_at.day = calls.exit_day)`

/** Calls in the order of their `place`, everything as it was known then. */
export async function selectPlaced(
  db: Kysely<Tables>,
  calls: RawBuilder<unknown>,
): Promise<Call[]> {
  const { rows } = await sql<Call>`
    select ${callColumns('text', CALL_COLUMNS)} from ${withTexts(calls)} as texted
    order by place`.execute(db)
  return rows
}
