import { type Kysely, sql } from 'kysely'
import { AGREEMENT_WEIGHT } from './opinion-queries.ts'
import { type Buckets, startOf, toBucketIndex } from './series-buckets.ts'
import type { Tables } from './tables.ts'

/** The symbols that are asked about, the buckets that are shown, and the instant (seconds) of the judgement. */
export type Asked = { keys: readonly string[]; buckets: Buckets; at: number }

/**
 * The ratings of a symbol that were posted in a bucket, or that ceased to be active in it: how many, and sums over them;
 * decimals are exact text. Of those posted, how many were labelled as upgrades and downgrades; of those that ceased,
 * how many lapsed. What happened before the first bucket stands in the one before it.
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
 * second that it is posted. One lapses where it had been active and its expiry ends it, unless the member's next
 * rating comes in that very second: those are counted apart and taken off.
 */
export async function selectChanges(
  db: Kysely<Tables>,
  { keys, buckets: { bucket, first, last }, at }: Asked,
): Promise<Change[]> {
  const index = (instant: string) =>
    sql`greatest(${toBucketIndex(bucket, sql.ref(instant))}, ${first - 1}) as bucket`
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
