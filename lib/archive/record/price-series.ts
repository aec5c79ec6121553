import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { closesAt, selectSymbolFlags } from '#lib/archive/prices/price-flags.ts'
import type { PriceSeries } from '#lib/contract/answers/prices.ts'
import { toDayText } from '#lib/contract/instant-text.ts'
import { type Buckets, DAY_SECONDS, indexOf, startOf } from '#lib/timeline/buckets.ts'

type SeriesRequest = {
  key: string
  buckets: Buckets
  lastDay: number
}

export async function selectCloses(
  db: Kysely<Tables>,
  { key, buckets: { bucket, first, last }, lastDay }: SeriesRequest,
): Promise<Pick<PriceSeries, 'prices' | 'points' | 'flags'>> {
  const known = closesAt(key, lastDay)
  const { rows: counted } = await sql<{ prices: number }>`
    select count(*) as prices from ${known} as known`.execute(db)
  const from = startOf(bucket, first) / DAY_SECONDS
  const to = Math.min(lastDay, startOf(bucket, last + 1) / DAY_SECONDS - 1)
  const { rows } = await sql<{ day: number; close: string }>`
    select day, cast(cast(close as decimal(18, 6)) as varchar) as close from ${known} as known
    where day between ${sql.lit(from)} and ${sql.lit(to)}
    order by day`.execute(db)
  const byBucket = new Map(rows.map((row) => [indexOf(bucket, row.day * DAY_SECONDS), row]))
  const flags = await selectSymbolFlags(db, key, lastDay)
  return {
    prices: counted[0]?.prices ?? 0,
    points: [...byBucket].map(([index, { day, close }]) => ({
      t: startOf(bucket, index),
      date: toDayText(day),
      close,
    })),
    flags: flags.map(({ day, factor, kind }) => ({ date: toDayText(day), factor, kind })),
  }
}
