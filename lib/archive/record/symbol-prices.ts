import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { selectSeriesBuckets } from '#lib/archive/symbols/symbol.ts'
import type { PriceSeries } from '#lib/contract/answers/prices.ts'
import type { SeriesQuery } from '#lib/contract/api-queries.ts'
import { toKnownDay } from './market.ts'
import { selectCloses } from './price-series.ts'

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
