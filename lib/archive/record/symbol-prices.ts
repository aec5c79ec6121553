import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import { selectSeries, selectSeriesBuckets } from '#lib/archive/symbols/symbol.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import { POINTS_MAX, type SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { Followed, PriceSeries } from '#lib/contract/answers/prices.ts'
import type { SeriesQuery } from '#lib/contract/api-queries.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { DAY_SECONDS, indexOf, startOf } from '#lib/timeline/buckets.ts'
import { type Month, toFollowed, toWindows } from './followed.ts'
import { toKnownDay } from './market.ts'
import { selectCloses } from './price-series.ts'
import { selectPriced } from './record.ts'

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

export async function selectFollowed(
  reader: ArchiveReader,
  { symbol, horizon }: { symbol: string; horizon: Horizon },
  options: ReadOptions,
): Promise<Followed | null> {
  const { at } = options
  const series = await selectSeries(reader, { symbol, query: toMonthly(at) }, options)
  if (!series) return null
  const months = toMonths(series.points, at)
  const days = reader.prices().prices === 0 ? [] : months.map(({ day }) => day)
  const key = toSymbolKey(series.symbol)
  const known =
    days.length === 0
      ? { windows: [], firstDay: null }
      : toWindows(await reader.scores.market(options.signal), { key, days, horizon })
  const figures = toFollowed(months, { ...known, knownDay: toKnownDay(at) })
  return { symbol: series.symbol, horizon, ...figures, prices: selectPriced(reader) }
}

const toMonthly = (at: number): SeriesQuery => ({
  bucket: 'month',
  from: startOf('month', indexOf('month', at) - POINTS_MAX + 1),
  to: null,
  asof: null,
})

const toMonths = (points: readonly SeriesPoint[], at: number): Month[] =>
  points.flatMap(({ t, active, consensus }) => {
    const end = startOf('month', indexOf('month', t) + 1) - 1
    if (end > at || active < CONSENSUS_MIN || consensus === null) return []
    return [
      {
        month: toDateText(t).slice(0, 7),
        day: Math.floor(end / DAY_SECONDS),
        consensus,
        active,
      },
    ]
  })
