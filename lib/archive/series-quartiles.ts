import { type Kysely, sql } from 'kysely'
import { startOf, toBucketIndex } from './series-buckets.ts'
import type { Asked } from './series-changes.ts'
import type { Tables } from './tables.ts'

/** Of the predictions of the ratings active at a bucket's end: predictions that somebody gave, as exact text. */
export type Quartiles = { low: string; q1: string; median: string; q3: string; high: string }

/**
 * Up to so many pairs of a bucket and a rating active at its end are simply laid out and sorted: 16 MB, about 50 ms.
 * Beyond, for which a symbol takes some ten thousand ratings that nothing ends, it would be neither small nor soon.
 */
const PAIRS_MAX = 2_000_000

/**
 * Into so many parts of equal size the predictions are cut then, that one of them holds about a thousand active ratings:
 * a bucket's quartiles, lowest and highest lie in at most five.
 */
const toSlices = (pairs: number, points: number) =>
  Math.max(64, Math.min(1024, Math.ceil(pairs / points / 1000)))

/**
 * The spread of the active predictions at the end of each bucket, by the bucket's first second; buckets in which
 * nothing is active have none. `pairs` says how many active ratings there are at most in all buckets together.
 */
export async function selectQuartiles(
  db: Kysely<Tables>,
  asked: Asked & { pairs: number },
): Promise<Map<number, Quartiles>> {
  const { bucket: kind, first, last } = asked.buckets
  const slices = toSlices(asked.pairs, last - first + 1)
  const rows = await (asked.pairs > PAIRS_MAX
    ? selectBySlices(db, asked, slices)
    : selectByPairs(db, asked))
  return new Map(rows.map(({ bucket, ...quartiles }) => [startOf(kind, bucket), quartiles]))
}

type Line = Quartiles & { bucket: number }

/** Each rating with the first bucket at whose end it is active, and the first one after those. */
function ownSpans({ keys, buckets: { bucket, first, last }, at }: Asked) {
  const index = (instant: string) => toBucketIndex(bucket, sql.ref(instant))
  return sql`
    select prediction_value, greatest(${index('created_at')}, ${first}) as begins,
      case when effective_until > ${at} then cast(${last + 1} as bigint)
        else least(${index('effective_until')}, ${last + 1}) end as ends
    from rating
    where symbol_key in (${sql.join(keys)}) and created_at <= ${at} and created_at < effective_until`
}

/** The spread of every bucket by laying out its active ratings. */
export async function selectByPairs(db: Kysely<Tables>, asked: Asked): Promise<Line[]> {
  const { rows } = await sql<Line>`
    with own as (${ownSpans(asked)}),
    standing as (select prediction_value, unnest(range(begins, ends)) as bucket from own),
    spread as (
      select bucket, min(prediction_value) as low, max(prediction_value) as high,
        quantile_disc(prediction_value, [0.25, 0.5, 0.75]) as quartiles
      from standing group by bucket
    )
    select bucket, low, quartiles[1] as q1, quartiles[2] as median, quartiles[3] as q3, high
    from spread order by bucket`.execute(db)
  return rows
}

/**
 * The same for many: predictions are cut into slices by their order, and for each bucket it is counted how many of a
 * slice are active. That says in which slice a quartile lies and at what place; only there ratings are laid out.
 */
export async function selectBySlices(
  db: Kysely<Tables>,
  asked: Asked,
  slices: number,
): Promise<Line[]> {
  const { first, last } = asked.buckets
  const { rows } = await sql<Line>`
    with own as materialized (
      select prediction_value, cast(begins as integer) as begins, cast(ends as integer) as ends,
        cast(ntile(${slices}) over (order by prediction_value) as smallint) as slice
      from (${ownSpans(asked)}) as every where begins < ends
    ),
    changes as (
      select slice, bucket, sum(step) as step from (
        select slice, begins as bucket, 1 as step from own
        union all select slice, ends, -1 from own
      ) as steps group by all
    ),
    cells as (
      select slice, bucket,
        sum(coalesce(step, 0)) over (partition by slice order by bucket) as standing
      from (
        select slice, bucket from (from range(1, ${slices + 1}) as t(slice)) as slices,
          (from range(${first}, ${last + 1}) as t(bucket)) as buckets
      ) as grid left join changes using (slice, bucket)
    ),
    counted as (
      select *, sum(standing) over (partition by bucket) as active,
        sum(standing) over (partition by bucket order by slice) - standing as before
      from cells
    ),
    sought as (
      select bucket, slice, quarter,
        case quarter when 0 then 1 else (active * quarter + 3) // 4 end - before as place
      from counted, range(5) as t(quarter)
      where standing > 0 and place between 1 and standing
    ),
    found as (
      select bucket, quarter, list_sort(list(prediction_value))[any_value(cast(place as bigint))] as value
      from sought join own
        on own.slice = sought.slice and begins <= bucket and bucket < ends
      group by bucket, quarter
    )
    select bucket, ${sql.join(['low', 'q1', 'median', 'q3', 'high'].map((name, quarter) => sql`max(value) filter (where quarter = ${sql.lit(quarter)}) as ${sql.ref(name)}`))}
    from found group by bucket order by bucket`.execute(db)
  return rows
}
