import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { PriceSeries } from '#lib/contract/answers/prices.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { type Buckets, DAY_SECONDS, indexOf, startOf } from '#lib/timeline/buckets.ts'

type SeriesRequest = {
  key: string
  buckets: Buckets
  lastDay: number
}

export async function selectCloses(
  db: Kysely<Tables>,
  { key, buckets: { bucket, first, last }, lastDay }: SeriesRequest,
): Promise<Pick<PriceSeries, 'prices' | 'points'>> {
  const { rows: counted } = await sql<{ prices: number }>`
    select count(*) as prices from prices.price
    where symbol_key = ${key} and day <= ${sql.lit(lastDay)}`.execute(db)
  const from = startOf(bucket, first) / DAY_SECONDS
  const to = Math.min(lastDay, startOf(bucket, last + 1) / DAY_SECONDS - 1)
  const { rows } = await sql<{ day: number; close: string }>`
    select day, cast(cast(close as decimal(18, 6)) as varchar) as close from prices.price
    where symbol_key = ${key} and day between ${sql.lit(from)} and ${sql.lit(to)}
    order by day`.execute(db)
  const byBucket = new Map(rows.map((row) => [indexOf(bucket, row.day * DAY_SECONDS), row]))
  return {
    prices: counted[0]?.prices ?? 0,
    points: [...byBucket].map(([index, { day, close }]) => ({
      t: startOf(bucket, index),
      date: toDateText(day * DAY_SECONDS).slice(0, 10),
      close,
    })),
  }
}
