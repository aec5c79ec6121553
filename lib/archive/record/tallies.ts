import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { type Calibration, OUTCOMES, type Tally } from '#lib/contract/answers/track.ts'
import { toStudent } from '#lib/statistics/chance.ts'
import { toWilson } from '#lib/statistics/wilson.ts'
import { type CallSet, outcome, selectSet } from './calls.ts'

type Counts = Record<(typeof OUTCOMES)[number], number> & { calls: number }
type Clusters = {
  clusters: number
  hits: number | null
  mean: number | null
  squares: number | null
}

/** Over a set, by what is asked: `by` is a column or an expression of calls. Groups without a call are not there. */
type By = {
  by: RawBuilder<unknown>
  /** The column that says which calls of such a group tell one thing. */
  cluster: 'cluster' | 'label_cluster'
  /** Whose calls; left out, those of all ratings. */
  table?: RawBuilder<unknown>
}

const WHOLE: By = { by: sql`0`, cluster: 'cluster' }

/** What can be said of sets of calls, each under its value of `by`. */
export async function selectTallies(
  db: Kysely<Tables>,
  set: CallSet,
  { by, cluster, table }: By = WHOLE,
): Promise<{ group: number; tally: Tally }[]> {
  const counted = OUTCOMES.map(
    (name) => sql`count(*) filter (where outcome = ${outcome(name)}) as ${sql.ref(name)}`,
  )
  const { rows } = await sql<{ group: number } & Counts & Clusters>`
    with called as materialized (select *, ${by} as "group" from ${selectSet(set, table)} as calls),
    counted as (
      select "group", count(*) as calls, ${sql.join(counted)} from called group by "group"
    ),
    clustered as (
      select "group", ${sql.ref(cluster)}, avg(hit) / 2 as hits, avg(signed) as mean
      from called where outcome = ${outcome('scored')}
      group by "group", ${sql.ref(cluster)}
    ),
    summed as (
      select "group", count(*) as clusters, sum(hits) as hits, avg(mean) as mean,
        var_pop(mean) * count(*) as squares
      from clustered group by "group"
    )
    select counted.*, coalesce(clusters, 0) as clusters, hits, mean, squares
    from counted left join summed using ("group")
    order by "group"`.execute(db)
  return rows.map(({ group, ...row }) => ({ group, tally: toTally(row) }))
}

/** The one tally of a set; of nothing where it has no call. */
export async function selectTally(
  db: Kysely<Tables>,
  set: CallSet,
  table?: RawBuilder<unknown>,
): Promise<Tally> {
  const [found] = await selectTallies(db, set, { ...WHOLE, ...(table && { table }) })
  return found?.tally ?? NO_TALLY
}

const NO_CALLS: Counts = { calls: 0, scored: 0, open: 0, hold: 0, no_price: 0, no_entry: 0 }

function toTally({ clusters, hits, mean, squares, ...counts }: Counts & Clusters): Tally {
  const { calls, scored, open, hold, no_price, no_entry } = counts
  return {
    ...{ calls, scored, open, hold, no_price, no_entry },
    ...toRates({ clusters, hits, mean, squares }),
  }
}

/** How often clusters hit and by how much they were ahead, each with its interval. */
export function toRates({ clusters, hits, mean, squares }: Clusters) {
  const rate = hits === null ? null : toWilson(hits, clusters)
  const spread =
    mean === null || squares === null ? null : toStudent({ n: clusters, mean, squares })
  return {
    clusters,
    hit_rate: toDecimal(hits === null ? null : hits / clusters),
    hit_low: toDecimal(rate?.low),
    hit_high: toDecimal(rate?.high),
    excess: toDecimal(mean),
    excess_low: toDecimal(spread?.low),
    excess_high: toDecimal(spread?.high),
  }
}

/** A sum of doubles has no more digits than these that do not depend on the order in which it was summed up. */
const DIGITS = 12

/** A number as decimal text of 6 places; null of none. Zero has no sign. */
export function toDecimal(value: number | null | undefined): string | null {
  if (value == null || !Number.isFinite(value)) return null
  const text = Number(value.toPrecision(DIGITS)).toFixed(6)
  return /[1-9]/.test(text) ? text : text.replace('-', '')
}

type Group = {
  calls: number
  prediction: number
  gain: number
  squares: number
}

/** As a share, not in percent. Decimals add up exactly in whatever order they came; as doubles, large ones would not. */
const toMeanPrediction = (count: RawBuilder<unknown>) =>
  sql`cast(sum(prediction_value) as double) / 100 / nullif(${count}, 0)`

/** Predictions against what came, over the scored calls of a set: ten equal groups by prediction, of equal ones by id. */
export async function selectCalibration(db: Kysely<Tables>, set: CallSet): Promise<Calibration> {
  const predicted = sql`
    select id, prediction_value, cast(prediction_value as double) / 100 as prediction, gain
    from ${selectSet(set)} as calls where outcome = ${outcome('scored')}`
  const whole = await sql<{
    calls: number
    zero: number
    error: number | null
    slope: number | null
  }>`
    select count(*) filter (where prediction <> 0) as calls, count(*) filter (where prediction = 0) as zero,
      ${toMeanPrediction(sql`count(*) filter (where prediction <> 0)`)}
        - avg(gain) filter (where prediction <> 0) as error,
      case when var_pop(prediction) filter (where prediction <> 0) > 0
        then regr_slope(gain, prediction) filter (where prediction <> 0) end as slope
    from (${predicted}) as predicted`.execute(db)
  const { rows } = await sql<Group>`
    select count(*) as calls, ${toMeanPrediction(sql`count(*)`)} as prediction, avg(gain) as gain,
      var_pop(gain) * count(*) as squares
    from (
      select *, ntile(10) over (order by prediction_value, id) as place
      from (${predicted}) as predicted where prediction <> 0
    ) as placed
    group by place order by place`.execute(db)
  const [found] = whole.rows
  return {
    calls: found?.calls ?? 0,
    zero: found?.zero ?? 0,
    error: toDecimal(found?.error),
    slope: toDecimal(found?.slope),
    groups: rows.map(({ calls, prediction, gain, squares }) => {
      const spread = toStudent({ n: calls, mean: gain, squares }, 2)
      return {
        calls,
        prediction: toDecimal(prediction) ?? '',
        return: toDecimal(gain) ?? '',
        return_low: toDecimal(spread?.low),
        return_high: toDecimal(spread?.high),
      }
    }),
  }
}

/** What can be said of no call. */
export const NO_TALLY: Tally = toTally({
  ...NO_CALLS,
  ...{ clusters: 0, hits: null, mean: null, squares: null },
})
