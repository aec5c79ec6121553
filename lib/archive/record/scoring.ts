import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Horizon } from '#lib/contract/horizons.ts'

/** An entry is the first trading day after the rating's, so many days later at most; an exit so many before its day at most. */
const REACH_DAYS = 7

const lit = (value: number | string) => sql.lit(value)

/** What a call is scored with: `benchmark` is a symbol in upper case; null is the mean of all symbols. */
export type Scoring = { horizon: Horizon; benchmark: string | null }

/** The table of all ratings as calls of a horizon, in order of user, symbol and entry. */
export const outcomesTable = (horizon: Horizon) => sql.table(`record.scored_${horizon}`)

/**
 * Works out what became of every rating within the horizon, by all prices there are: entry and exit with their closes, the first day
 * by which both are known, the return over it and that of the benchmark, whether it hit, and which calls tell one thing together.
 * Nothing of it changes where an instant is rewound to: what was known by then is a part of it.
 */
export const scoreRatings = async (
  db: Kysely<Tables>,
  scoring: Scoring,
  { arePricesSame }: Pick<Scored, 'arePricesSame'>,
): Promise<void> =>
  await scoreCalls(db, scoring, {
    ...{ said: sql`rating`, into: outcomesTable(scoring.horizon), arePricesSame },
    windows: sql.table(`record.window_${scoring.horizon}`),
  })

type Scored = {
  /** What is scored, as ratings: with `id`, `user_id`, `symbol_key`, `rating`, `prediction_value` and `created_at`. */
  said: RawBuilder<unknown>
  /** The table of it. */
  into: RawBuilder<unknown>
  /** The table of what became of prices from each symbol's days on: it is kept, since more ratings change nothing of it. */
  windows: RawBuilder<unknown>
  /** Whether what is kept there is by the prices of now. */
  arePricesSame: boolean
}

/** The same of whatever else may be followed. */
export async function scoreCalls(
  db: Kysely<Tables>,
  scoring: Scoring,
  { said, into, windows, arePricesSame }: Scored,
): Promise<void> {
  const outcomes = ofDay(windows)
  await keepWindows(db, scoring, { said, windows, arePricesSame })
  await createClusters(db, { said, outcomes, windows })
  await sql`
    create or replace table ${into} as
    select id, user_id, rating.symbol_key, rating, prediction_value, created_at,
      first_day, entry_day, exit_day, known_day, gain, benchmark, gain - benchmark as excess,
      cast(case when rating >= 4 then 1 + side when rating <= 2 then 1 - side end as tinyint) as hit,
      case when rating >= 4 then gain - benchmark else benchmark - gain end as signed,
      cluster, label_cluster
    from ${said} as rating ${outcomes}
    left join (select symbol_key, min(day) as first_day from prices.price group by symbol_key) as traded
      on traded.symbol_key = rating.symbol_key
    left join clustered using (id)`.execute(db)
  await sql`drop table clustered`.execute(db)
}

/** Works out what became of prices from those days on that are not kept already. */
async function keepWindows(
  db: Kysely<Tables>,
  scoring: Scoring,
  { said, windows, arePricesSame }: Pick<Scored, 'said' | 'windows' | 'arePricesSame'>,
): Promise<void> {
  const asked = sql`select distinct symbol_key, ${POSTED_DAY} as day from ${said} as rating`
  const added = arePricesSame
    ? sql`select * from (${asked}) as asked anti join ${windows} using (symbol_key, day)`
    : asked
  await createOutcomes(db, added, scoring)
  if (arePricesSame) await sql`insert into ${windows} from outcome`.execute(db)
  else await sql`create or replace table ${windows} as from outcome`.execute(db)
  await dropOutcomes(db)
}

/** What {@link createOutcomes} leaves behind. */
export async function dropOutcomes(db: Kysely<Tables>): Promise<void> {
  for (const name of ['priced', 'span', 'outcome']) {
    await sql`drop table ${sql.table(name)}`.execute(db)
  }
}

/** The day (since 1970, UTC) that a rating was posted on. */
const POSTED_DAY = sql`cast(rating.created_at // 86400 as integer)`

/** What became of the price from each rating's day on, as `outcome`. */
const ofDay = (windows: RawBuilder<unknown>) => sql`
  left join ${windows} as outcome
    on outcome.symbol_key = rating.symbol_key and outcome.day = ${POSTED_DAY}`

/** Numbers of symbols are below this one; with those of users they fit into 64 bits, which are sorted twice as fast as more. */
const SYMBOLS_MAX = 16_777_216

/**
 * Which calls tell one thing together: `cluster` is the id of the first of them; `label_cluster` the same where only calls of one label are
 * looked at. Over nothing but whole numbers, which is several times as fast.
 */
async function createClusters(
  db: Kysely<Tables>,
  { said, outcomes, windows }: Pick<Scored, 'said' | 'windows'> & { outcomes: RawBuilder<unknown> },
): Promise<void> {
  const first = (before: string, set: string) => sql`
    last_value(case when coalesce(${sql.ref(before)} >= entry_day, false) then null else id end ignore nulls)
      over (partition by ${sql.ref(set)} order by entry_day, id rows unbounded preceding)`
  const before = (set: string) =>
    sql`lag(exit_day) over (partition by ${sql.ref(set)} order by entry_day, id)`
  await sql`
    create or replace temporary table clustered as
    with code as (
      select symbol_key, row_number() over () as code
      from (select distinct symbol_key from ${windows}) as known
    ),
    member as (
      select user_id, row_number() over () as code
      from (select distinct user_id from ${said} as rating) as known
    ),
    paired as (
      select id, entry_day, exit_day, member.code * ${lit(SYMBOLS_MAX)} + code.code as pair,
        (member.code * ${lit(SYMBOLS_MAX)} + code.code) * 8 + rating as label_pair
      from ${said} as rating ${outcomes} join code on code.symbol_key = rating.symbol_key
        join member on member.user_id = rating.user_id
      where known_day is not null and rating in (1, 2, 4, 5)
    )
    select id, ${first('before', 'pair')} as cluster, ${first('label_before', 'label_pair')} as label_cluster
    from (
      select *, ${before('pair')} as before, ${before('label_pair')} as label_before from paired
    ) as followed`.execute(db)
}

/**
 * What became of a price from a day on, for each symbol and day that are asked: `outcome`, temporary. `side` is the sign of the excess,
 * decided exactly where there is a benchmark. What is stale or not known yet has no exit.
 */
export async function createOutcomes(
  db: Kysely<Tables>,
  asked: RawBuilder<unknown>,
  { horizon, benchmark }: Scoring,
): Promise<void> {
  await sql`
    create or replace temporary table priced as
    with asked as (select distinct symbol_key, day from (${asked}) as named),
    entered as (
      select asked.symbol_key, asked.day, price.day as entry_day, price.close as entry_close
      from asked asof join prices.price as price
        on price.symbol_key = asked.symbol_key and asked.day < price.day
      where price.day - asked.day <= ${lit(REACH_DAYS)}
    ),
    left_at as (
      select entered.*, price.day as exit_day, price.close as exit_close
      from entered asof join prices.price as price
        on price.symbol_key = entered.symbol_key and entered.entry_day + ${lit(horizon)} >= price.day
    )
    select left_at.*, price.day as known_day
    from left_at asof left join prices.price as price
      on price.symbol_key = left_at.symbol_key and left_at.entry_day + ${lit(horizon)} <= price.day`.execute(
    db,
  )
  await createSpans(db, { horizon, benchmark })
  await sql`
    create or replace temporary table outcome as
    select symbol_key, day, priced.entry_day, priced.entry_close,
      case when is_known then priced.exit_day end as exit_day,
      case when is_known then priced.exit_close end as exit_close,
      case when is_known then known_day end as known_day,
      case when is_known then ${gainOf(sql`exit_close`, sql`entry_close`)} end as gain,
      case when is_known then span.benchmark end as benchmark,
      case when not is_known then null
        when span.exit_close is null then sign(${gainOf(sql`exit_close`, sql`entry_close`)} - span.benchmark)
        else sign(${product(sql`priced.exit_close`, sql`span.entry_close`)}
          - ${product(sql`priced.entry_close`, sql`span.exit_close`)}) end as side
    from (select *, ${isKnown(horizon)} as is_known from priced) as priced
    left join span on span.entry_day = priced.entry_day and span.exit_day = priced.exit_day`.execute(
    db,
  )
}

/** Whether an exit counts: the day it is looked for has come, and it is no older than it may be. */
const isKnown = (horizon: Horizon) => sql`
  (known_day is not null and entry_day + ${lit(horizon)} - exit_day <= ${lit(REACH_DAYS)})`

/** Exactly: of two numbers with 8 places. */
const product = (one: RawBuilder<unknown>, other: RawBuilder<unknown>) =>
  sql`cast(${one} as decimal(38, 8)) * cast(${other} as decimal(38, 8))`

const gainOf = (exit: RawBuilder<unknown>, entry: RawBuilder<unknown>) =>
  sql`(cast(priced.${exit} as double) / cast(priced.${entry} as double) - 1)`

/** What the benchmark did between the days of an entry and an exit: the symbol's, or the mean of all that have both prices. */
async function createSpans(db: Kysely<Tables>, { horizon, benchmark }: Scoring): Promise<void> {
  const ofBenchmark = (day: string) => sql`
    left join prices.price as ${sql.ref(day)}
      on ${sql.ref(`${day}.symbol_key`)} = ${lit(benchmark ?? '')}
      and ${sql.ref(`${day}.day`)} = ${sql.ref(`asked.${day}_day`)}`
  await sql`
    create or replace temporary table span as
    with asked as (select distinct entry_day, exit_day from priced where ${isKnown(horizon)}),
    own as (
      select asked.entry_day, asked.exit_day,
        case when "exit".close is not null then "entry".close end as entry_close,
        case when "entry".close is not null then "exit".close end as exit_close
      from asked ${ofBenchmark('entry')} ${ofBenchmark('exit')}
    ),
    -- In this order: the other way round every day of a symbol would meet every other.
    first as materialized (
      select own.entry_day, own.exit_day, price.symbol_key, price.close
      from own join prices.price as price on price.day = own.entry_day
      where own.entry_close is null
    ),
    meant as (
      select first.entry_day, first.exit_day,
        avg(cast(last.close as double) / cast(first.close as double) - 1) as mean
      from first join prices.price as last
        on last.symbol_key = first.symbol_key and last.day = first.exit_day
      group by first.entry_day, first.exit_day
    )
    select own.*,
      coalesce(cast(own.exit_close as double) / cast(own.entry_close as double) - 1, mean) as benchmark
    from own left join meant using (entry_day, exit_day)`.execute(db)
}
