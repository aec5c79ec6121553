import { type Expression, sql } from 'kysely'
import type { Bucket } from '#lib/contract/api-queries.ts'
import { DAY_SECONDS, FIRST_MONDAY, MONTHS, WEEK_SECONDS } from '#lib/timeline/buckets.ts'

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
