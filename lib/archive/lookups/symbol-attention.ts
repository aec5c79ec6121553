import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { AttentionOverview } from '#lib/contract/answers/attention.ts'
import { poissonBelow } from '#lib/statistics/chance.ts'

const DAY = 86_400
/** Whole weeks, so that each weekday counts alike. */
const WEEK_DAYS = 7
const USUAL_DAYS = 28
const MONTH_DAYS = 30

const UNUSUAL = 0.999
const BUSY_LEAST = 5
const COMPARED_LEAST = 20
const LISTED = 10

/** Look-ups of 7 and 30 days and of the 28 days before those 7. */
export type SymbolAttention = {
  key: string
  symbol: string
  week: number
  month: number
  before: number
  active: number
}

type AttentionRange = {
  /** Exclusive. */
  end: number
  at: number
}

export async function selectSymbolAttention(
  db: Kysely<Tables>,
  { end, at }: AttentionRange,
): Promise<SymbolAttention[]> {
  const since = (days: number) => sql.lit(end - days * DAY)
  const { rows } = await sql<SymbolAttention>`
    with counted as (
      select symbol_no,
        count(*) filter (where created_at >= ${since(WEEK_DAYS)}) as week,
        count(*) filter (where created_at >= ${since(MONTH_DAYS)}) as month,
        count(*) filter (where created_at < ${since(WEEK_DAYS)}) as before
      from lookups.lookup
      where created_at >= ${since(WEEK_DAYS + USUAL_DAYS)} and created_at < ${sql.lit(end)}
      group by symbol_no
    ),
    looked as (select symbol as key, week, month, before from counted join lookups.symbol using (symbol_no)),
    rated as (
      select symbol_key as key, count(*) as active from rating
      where created_at <= ${sql.lit(at)} and effective_until > ${sql.lit(at)} group by symbol_key
    )
    select key, coalesce(symbol.symbol, key) as symbol,
      coalesce(week, 0) as week, coalesce(month, 0) as month, coalesce(before, 0) as before,
      coalesce(active, 0) as active
    from looked full join rated using (key) left join symbol on symbol.symbol_key = key
    order by key`.execute(db)
  return rows
}

const toUsual = ({ before }: Pick<SymbolAttention, 'before'>): number =>
  before / (USUAL_DAYS / WEEK_DAYS)

/** Above the 99.9% Poisson quantile and at least {@link BUSY_LEAST}. */
export function isBusy(symbol: Pick<SymbolAttention, 'week' | 'before'>): boolean {
  const usual = toUsual(symbol)
  if (symbol.week < BUSY_LEAST) return false
  return usual === 0 || poissonBelow(symbol.week - 1, usual) >= UNUSUAL
}

export const knowsUsual = (knownFrom: number, end: number): boolean =>
  knownFrom <= end - (WEEK_DAYS + USUAL_DAYS) * DAY

type Lists = Pick<
  AttentionOverview,
  'lookups_7d' | 'lookups_30d' | 'busy' | 'hardly_rated' | 'hardly_looked_up'
>

export function toAttentionLists(
  symbols: readonly SymbolAttention[],
  { knownFrom, end }: { knownFrom: number; end: number },
): Lists {
  const total = (of: (symbol: SymbolAttention) => number) =>
    symbols.reduce((sum, symbol) => sum + of(symbol), 0)
  const [month, active] = [total((one) => one.month), total((one) => one.active)]
  const compared = symbols
    .filter((one) => one.month >= COMPARED_LEAST || one.active >= COMPARED_LEAST)
    .map((one) => ({ ...one, ratio: toRatio(one, { month, active }) }))
    .filter(({ ratio }) => !Number.isNaN(ratio))
    .sort((a, b) => b.ratio - a.ratio || compareKeys(a, b))
  const [usualMonth, usualActive] = [
    toMedian(compared.map((one) => one.month)),
    toMedian(compared.map((one) => one.active)),
  ]
  const more = compared.filter((one) => one.ratio > 1 && one.active <= usualActive).slice(0, LISTED)
  const fewer = compared
    .filter((one) => one.ratio < 1 && one.month <= usualMonth)
    .sort((a, b) => a.ratio - b.ratio || b.active - a.active || compareKeys(a, b))
    .slice(0, LISTED)
  return {
    lookups_7d: total((one) => one.week),
    lookups_30d: month,
    busy: knowsUsual(knownFrom, end) ? toBusy(symbols) : [],
    hardly_rated: more.map(toCompared),
    hardly_looked_up: fewer.map(toCompared),
  }
}

/** The lower median. */
const toMedian = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length / 2) - 1] ?? 0

const compareKeys = (a: SymbolAttention, b: SymbolAttention) =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0

const toRatio = (one: SymbolAttention, all: { month: number; active: number }): number =>
  one.month / all.month / (one.active / all.active)

const toBusy = (symbols: readonly SymbolAttention[]): Lists['busy'] =>
  symbols
    .filter(isBusy)
    .sort((a, b) => toExcess(b) - toExcess(a) || b.week - a.week || compareKeys(a, b))
    .slice(0, LISTED)
    .map((one) => ({
      symbol: one.symbol,
      lookups: one.week,
      usual: toUsual(one).toFixed(2),
      active: one.active,
    }))

const toExcess = (one: SymbolAttention) => (one.week - toUsual(one)) / Math.sqrt(toUsual(one) + 1)

const toCompared = ({ symbol, month, active, ratio }: SymbolAttention & { ratio: number }) => ({
  symbol,
  lookups: month,
  active,
  ratio: Number.isFinite(ratio) ? ratio.toFixed(2) : null,
})
