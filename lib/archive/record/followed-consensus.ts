import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import type { FollowedConsensus } from '#lib/contract/answers/track.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { type CallSet, outcome, selectSet } from './calls.ts'
import { type Scoring, scoreCalls } from './scoring.ts'
import { NO_TALLY, selectTallies, selectTally } from './tallies.ts'

/** As far as a month's end may lie ahead: so long may a process go on without any rating, and the table is still whole. */
const MONTHS_AHEAD = 24

/** No date of a database lies behind it; what is active for ever ends there. */
const FAR_SECONDS = 253_402_300_799

/** The table of every symbol's consensus at each month's end as calls of a horizon. */
const followedTable = (horizon: Horizon) => sql.table(`record.followed_${horizon}`)

const monthOf = (seconds: RawBuilder<unknown>) =>
  sql`cast(datediff('month', date '1970-01-01', make_timestamp(${seconds} * 1000000)) as integer)`

/**
 * What each symbol's consensus says at the last second (UTC) of every month, as ratings: a buy (5) from 3.5 on, a sell (1) up
 * to 2.5, a hold (3) between; where at least CONSENSUS_MIN ratings are active then. Nobody's, without a prediction; `now` in
 * seconds since 1970.
 */
const consensusAtMonths = (now: number): RawBuilder<unknown> => sql`(
  with change as (
    select symbol_key, ${monthOf(sql`created_at`)} as month, 1 as active, rating
    from rating where effective_until > created_at
    union all
    select symbol_key, ${monthOf(sql`effective_until`)}, -1, -rating
    from rating where effective_until > created_at and effective_until < ${sql.lit(FAR_SECONDS)}
  ),
  changed as (
    select symbol_key, month, sum(active) as active, sum(rating) as rating_sum
    from change group by symbol_key, month
  ),
  spanned as (
    select symbol_key, unnest(range(min(month), ${monthOf(sql`cast(${sql.lit(now)} as bigint)`)} + ${sql.lit(MONTHS_AHEAD)})) as month
    from changed group by symbol_key
  ),
  standing as (
    select symbol_key, month,
      sum(coalesce(active, 0)) over months as active,
      sum(coalesce(rating_sum, 0)) over months as rating_sum
    from spanned left join changed using (symbol_key, month)
    window months as (partition by symbol_key order by month rows unbounded preceding)
  )
  select row_number() over (order by month, symbol_key) as id, cast(0 as bigint) as user_id, symbol_key,
    case when 2 * rating_sum >= 7 * active then 5 when 2 * rating_sum <= 5 * active then 1 else 3 end as rating,
    cast(0 as decimal(18, 6)) as prediction_value,
    cast(epoch(date '1970-01-01' + to_months(month + 1)) as bigint) - 1 as created_at
  from standing where active >= ${sql.lit(CONSENSUS_MIN)}
)`

/** Works out what became of all of them, by all prices there are. */
export async function scoreFollowed(
  db: Kysely<Tables>,
  scoring: Scoring,
  { now, arePricesSame }: { now: number; arePricesSame: boolean },
): Promise<void> {
  const said = sql.table('said_at_months')
  await sql`create or replace temporary table ${said} as from ${consensusAtMonths(now)} as said`.execute(
    db,
  )
  await scoreCalls(db, scoring, {
    ...{ said, into: followedTable(scoring.horizon), arePricesSame },
    windows: sql.table(`record.month_window_${scoring.horizon}`),
  })
  await sql`drop table ${said}`.execute(db)
}

/** What would have come of following every symbol's consensus from each month's end on, by then. */
export async function selectFollowedConsensus(
  db: Kysely<Tables>,
  set: CallSet,
): Promise<FollowedConsensus> {
  const table = followedTable(set.horizon)
  const sides = await selectTallies(db, set, {
    ...{ table, by: sql`rating`, cluster: 'label_cluster' },
  })
  const sideOf = (rating: number) => sides.find(({ group }) => group === rating)?.tally ?? NO_TALLY
  const { rows } = await sql<{ symbols: number; months: number }>`
    select count(distinct symbol_key) as symbols, count(distinct created_at) as months
    from ${selectSet(set, table)} as calls where outcome = ${outcome('scored')}`.execute(db)
  return {
    ...{ symbols: rows[0]?.symbols ?? 0, months: rows[0]?.months ?? 0 },
    ...(await selectTally(db, set, table)),
    ...{ buy: sideOf(5), sell: sideOf(1) },
  }
}
