import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'

/**
 * A close leaves if it is above 1.8 or below 0.55 times the one before. It has returned if the
 * next close, within 7 days, is within these limits again. A close that left and returned is a
 * `spike` (by 8 times or more: used nowhere) or a `swing` (used). One that stays is a `jump`.
 * `settled`: the day from which that is known.
 */
const [ABOVE, BELOW, FAR] = ['1.8', '0.55', '8'].map(
  (text) => sql`cast(${sql.lit(text)} as decimal(20, 2))`,
)
const RETURN_DAYS = sql`7`

export type PriceFlag = { symbol: string; day: number; factor: string; kind: 'spike' | 'jump' }

export async function createFlagTable(db: Kysely<Tables>): Promise<void> {
  await sql`
    create table if not exists prices.flag (
      symbol_key text not null, day integer not null, settled integer not null,
      kind text not null, is_far boolean not null, factor decimal(38, 4) not null
    )`.execute(db)
}

/**
 * The close after one that returned has not left: it is back. Of a run of closes that all seem to
 * leave and return, that makes every other one.
 */
export const selectFlagged = (closes: RawBuilder<unknown>): RawBuilder<unknown> => sql`
  with placed as (
    select symbol_key, day, close, row_number() over own as place, lag(close) over own as before,
      lead(close) over own as after, lead(day) over own as next_day
    from ${closes} window own as (partition by symbol_key order by day)
  ),
  leaving as (
    select *, coalesce(next_day <= day + ${RETURN_DAYS}
      and after between ${BELOW} * before and ${ABOVE} * before, false) as has_returned
    from placed where close > ${ABOVE} * before or close < ${BELOW} * before
  ),
  in_runs as (
    select *, place - row_number() over (partition by symbol_key order by place) as run
    from leaving where has_returned
  ),
  returned as (
    select symbol_key, place from in_runs
    qualify row_number() over (partition by symbol_key, run order by place) % 2 = 1
  ),
  back as (select symbol_key, place + 1 as place from returned),
  left_limits as (select * from leaving anti join back using (symbol_key, place))
  select symbol_key, day,
    least(coalesce(next_day, day + ${RETURN_DAYS}), day + ${RETURN_DAYS}) as settled,
    case when returned.place is null then 'jump' when is_far then 'spike' else 'swing' end as kind,
    is_far, cast(close / before as decimal(38, 4)) as factor
  from (
    select *, close >= ${FAR} * before or ${FAR} * close <= before as is_far from left_limits
  ) as judged left join returned using (symbol_key, place)`

const isFlagOf = (price: RawBuilder<unknown>) =>
  sql`flag.symbol_key = ${price}.symbol_key and flag.day = ${price}.day`

/** The closes of a symbol that are used at the end of `day`. */
export const closesAt = (symbolKey: string, day: number): RawBuilder<unknown> => sql`(
  select day, close from prices.price
  where symbol_key = ${symbolKey} and day <= ${sql.lit(day)} and not exists (
    from prices.flag where ${isFlagOf(sql`price`)}
      and (kind = 'spike' or (is_far and settled > ${sql.lit(day)}))))`

/** `state` of a close that left: days until it is settled, plus 8 if far, plus 16 if it stays. */
export const USED_CLOSES: RawBuilder<unknown> = sql`(
  select price.symbol_key, price.day, close, cast(coalesce(
    settled - price.day + case when is_far then 8 else 0 end + case when kind = 'jump' then 16 else 0 end,
    0) as utinyint) as state
  from prices.price left join prices.flag on ${isFlagOf(sql`price`)}
  where kind is distinct from 'spike')`

const FLAGS_MAX = 100

/** Without swings. A far close is listed as a spike until it is settled. */
export async function selectSymbolFlags(
  db: Kysely<Tables>,
  symbolKey: string,
  day: number,
): Promise<PriceFlag[]> {
  const at = sql.lit(day)
  const { rows } = await sql<PriceFlag>`
    select symbol_key as symbol, day, cast(factor as varchar) as factor,
      case when settled <= ${at} then kind else 'spike' end as kind
    from prices.flag
    where symbol_key = ${symbolKey} and day <= ${at}
      and case when settled <= ${at} then kind <> 'swing' else is_far end
    order by day desc limit ${sql.lit(FLAGS_MAX)}`.execute(db)
  return rows
}

export async function selectFlags(
  db: Kysely<Tables>,
  kind: PriceFlag['kind'],
): Promise<PriceFlag[]> {
  const { rows } = await sql<PriceFlag>`
    select symbol_key as symbol, day, cast(factor as varchar) as factor, kind
    from prices.flag where kind = ${kind}
    order by symbol_key, day limit ${sql.lit(FLAGS_MAX)}`.execute(db)
  return rows
}
