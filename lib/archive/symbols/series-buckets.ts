import { type Expression, type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { POINTS_MAX } from '#lib/contract/answers/opinion.ts'
import { ANSWERED_BUCKETS, type Bucket, type SeriesQuery } from '#lib/contract/api-queries.ts'
import { AGREEMENT_WEIGHT } from './opinion.ts'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
/** 1970 began on a Thursday; its first Monday is the fifth of January. */
const FIRST_MONDAY = 4 * DAY_SECONDS
const MONTHS = 12

/** Buckets in a row: their indices count up by one. `last` is below `first` where there is none. */
export type Buckets = { bucket: Bucket; first: number; last: number }

/**
 * The buckets of a series that began at `began` and is judged at `at`: those that hold the seconds from `from` to
 * before `to`, as far as there is anything to show. Of the bucket asked for and the coarser ones it is the first that
 * stays within {@link POINTS_MAX}; `auto` asks for the finest. Where even years are too many, the last ones are left.
 */
export function chooseBuckets(
  { bucket: asked, from, to }: Pick<SeriesQuery, 'bucket' | 'from' | 'to'>,
  { began, at }: { began: number; at: number },
): Buckets {
  const first = Math.max(from ?? began, began)
  const last = Math.min(to === null ? at : to - 1, at)
  const candidates =
    asked === 'auto' ? ANSWERED_BUCKETS : ANSWERED_BUCKETS.slice(ANSWERED_BUCKETS.indexOf(asked))
  const fits = (bucket: Bucket) => indexOf(bucket, last) - indexOf(bucket, first) < POINTS_MAX
  const bucket = candidates.find(fits) ?? 'year'
  if (first > last) return { bucket, first: 0, last: -1 }
  const end = indexOf(bucket, last)
  return { bucket, first: Math.max(indexOf(bucket, first), end - POINTS_MAX + 1), last: end }
}

/** The index of the bucket that an instant (seconds) lies in. */
export function indexOf(bucket: Bucket, at: number): number {
  if (bucket === 'day') return Math.floor(at / DAY_SECONDS)
  if (bucket === 'week') return Math.floor((at - FIRST_MONDAY) / WEEK_SECONDS)
  const date = new Date(at * 1000)
  const year = date.getUTCFullYear()
  return bucket === 'year' ? year : year * MONTHS + date.getUTCMonth()
}

/** The first instant of a bucket, in seconds since 1970. */
export function startOf(bucket: Bucket, index: number): number {
  if (bucket === 'day') return index * DAY_SECONDS
  if (bucket === 'week') return index * WEEK_SECONDS + FIRST_MONDAY
  if (bucket === 'year') return Date.UTC(index, 0) / 1000
  return Date.UTC(Math.floor(index / MONTHS), index % MONTHS) / 1000
}

/** The index of the bucket that an instant lies in, as the database works it out. */
export function toBucketIndex(bucket: Bucket, instant: Expression<number>) {
  const day = sql`floor(${instant} / ${sql.lit(DAY_SECONDS)})`
  if (bucket === 'day') return sql<number>`cast(${day} as bigint)`
  if (bucket === 'week') {
    const week = sql`floor((${instant} - ${sql.lit(FIRST_MONDAY)}) / ${sql.lit(WEEK_SECONDS)})`
    return sql<number>`cast(${week} as bigint)`
  }
  const date = sql`(date '1970-01-01' + cast(${day} as integer))`
  if (bucket === 'year') return sql<number>`extract(year from ${date})`
  return sql<number>`
    cast(extract(year from ${date}) * ${sql.lit(MONTHS)} + extract(month from ${date}) - 1 as bigint)`
}

/**
 * The symbols that are asked about, the buckets that are shown, since when something counts as having happened in them
 * (null: since ever), and the instant of the judgement; seconds since 1970.
 */
export type Asked = { keys: readonly string[]; buckets: Buckets; from: number | null; at: number }

/**
 * The ratings of a symbol that were posted in a bucket, or that ceased to be active in it: how many, and sums over them;
 * decimals are exact text. Of those posted, how many were labelled as upgrades and downgrades; of those that ceased,
 * how many expired. What happened before the range stands in the bucket before the first.
 */
export type Change = {
  symbol_key: string
  is_posted: boolean
  bucket: number
  count: number
  rating: number
  prediction: string
  weight: string
  weighted: string
  r1: number
  r2: number
  r3: number
  r4: number
  r5: number
  upgraded: number
  downgraded: number
  lapsed: number
}

const counted = (condition: string) =>
  sql`cast(count(*) filter (where ${sql.raw(condition)}) as integer)`

const SUMS = sql`
  count(*) as count,
  sum(rating) as rating,
  sum(prediction_value) as prediction,
  cast(sum(weight) as decimal(38, 0)) as weight,
  cast(sum(weight * rating) as decimal(38, 0)) as weighted,
  ${sql.join([1, 2, 3, 4, 5].map((code) => sql`${counted(`rating = ${code}`)} as ${sql.ref(`r${code}`)}`))},
  ${counted('action = 2')} as upgraded,
  ${counted('action = 3')} as downgraded`

/** Stands for them where only something else is counted. */
const NO_SUMS = sql.join(Array.from({ length: 12 }, () => sql`0`))

/**
 * What was posted and what ceased, bucket by bucket in order. A rating that was over before it began ceases in the
 * second that it is posted. One expires where it had been active and its expiry ends it, unless the user's next
 * rating comes in that very second: those are counted apart and taken off.
 */
export async function selectChanges(
  db: Kysely<Tables>,
  { keys, buckets: { bucket, first, last }, from, at }: Asked,
): Promise<Change[]> {
  const index = (instant: string) => sql`
    case when ${sql.ref(instant)} < ${sql.lit(from ?? 0)} then ${first - 1}
      else greatest(${toBucketIndex(bucket, sql.ref(instant))}, ${first - 1}) end as bucket`
  const end = Math.min(at, startOf(bucket, last + 1) - 1)
  const { rows } = await sql<Change>`
    with own as materialized (
      select symbol_key, user_id, rating, action, prediction_value, created_at,
        ${AGREEMENT_WEIGHT} as weight,
        greatest(effective_until, created_at) as ended_at,
        effective_until = expired_at and effective_until > created_at as expires
      from rating where symbol_key in (${sql.join(keys)}) and created_at <= ${end}
    ),
    renewed as (
      select symbol_key, ended_at from own
      where expires and ended_at <= ${end} and exists (
        select 1 from own as next where next.symbol_key = own.symbol_key
          and next.user_id = own.user_id and next.created_at = own.ended_at
      )
    )
    select symbol_key, true as is_posted, ${index('created_at')}, ${SUMS}, 0 as lapsed
    from own group by all
    union all
    select symbol_key, false, ${index('ended_at')}, ${SUMS}, ${counted('expires')}
    from own where ended_at <= ${end} group by all
    union all
    select symbol_key, false, ${index('ended_at')}, ${NO_SUMS}, -count(*)
    from renewed group by all
    order by bucket`.execute(db)
  return rows
}

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
