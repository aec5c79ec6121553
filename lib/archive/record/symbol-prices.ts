import { type Kysely, sql } from 'kysely'
import type { PriceSeries } from '#lib/contract/answers/symbols.ts'
import type { SeriesQuery } from '#lib/contract/api-queries.ts'
import { toDayText } from '#lib/contract/instant-text.ts'
import { type Buckets, DAY_SECONDS, indexOf, startOf } from '#lib/timeline/buckets.ts'
import type { Tables } from '../engine/tables.ts'
import { closesAt, selectSymbolFlags } from '../prices/price-flags.ts'
import type { ArchiveReader, ReadOptions } from '../reader.ts'
import { selectSeriesBuckets } from '../symbols/symbol.ts'
import { toKnownDay } from './market.ts'

export async function selectPrices(
  reader: ArchiveReader,
  asked: { symbol: string; query: SeriesQuery },
  options: ReadOptions,
): Promise<PriceSeries | null> {
  const found = await selectSeriesBuckets(reader, asked, options)
  if (!found) return null
  const { symbol, key, buckets } = found
  const lastDay = toKnownDay(found.at)
  const hasPrices = reader.prices().prices > 0 && buckets.last >= buckets.first
  const closes = hasPrices
    ? await reader.read(
        async (db) => await selectCloses(db, { key, buckets, lastDay }),
        options.signal,
      )
    : { prices: 0, points: [], flags: [] }
  return { symbol, bucket: buckets.bucket, ...closes }
}

type SeriesRequest = {
  key: string
  buckets: Buckets
  lastDay: number
}

async function selectCloses(
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
