import type { Kysely } from 'kysely'
import type { Records } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { Prices } from '#lib/archive/prices/prices.ts'
import { selectSeries, selectSeriesBuckets } from '#lib/archive/symbols/series.ts'
import { indexOf, startOf } from '#lib/archive/symbols/series-buckets.ts'
import { CONSENSUS_MIN } from '#lib/contract/answers/limits.ts'
import { POINTS_MAX, type SeriesPoint } from '#lib/contract/answers/opinion.ts'
import type { Priced } from '#lib/contract/answers/track.ts'
import type { SeriesQuery } from '#lib/contract/api-queries.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toKnownDay } from './calls.ts'
import { type Month, selectWindows, toFollowed } from './followed.ts'
import { selectCloses } from './price-series.ts'

type SymbolPricesOptions = {
  engine: Engine
  prices: Prices
  /** The key of the symbol that prices are compared with; null is the mean of all. */
  benchmark: string | null
  /** Where calls are scored: one after the other, in a database of its own. */
  open: () => Promise<Kysely<Tables>>
  inTurn: <T>(work: () => Promise<T>) => Promise<T>
  priced: () => Priced
}

/** A symbol's own prices: how they went, and how they went on after each month's consensus. */
export function createSymbolPrices(
  options: SymbolPricesOptions,
): Pick<Records, 'selectPrices' | 'selectFollowed'> {
  const { engine, prices, benchmark, open, inTurn, priced } = options
  return {
    selectPrices: async (asked, at) => {
      const found = await selectSeriesBuckets(engine, asked, at)
      if (!found) return null
      const { symbol, key, buckets } = found
      const lastDay = toKnownDay(found.at)
      const hasPrices = prices.state().prices > 0 && buckets.last >= buckets.first
      const closes = hasPrices
        ? await engine.read(
            async (db) => await selectCloses(db, { key, buckets, lastDay }),
            at.signal,
          )
        : { prices: 0, points: [] }
      return { symbol, bucket: buckets.bucket, ...closes }
    },
    selectFollowed: async ({ symbol, horizon }, at) => {
      const query = toMonthly(at.at)
      const series = await selectSeries(engine, { symbol, query }, at)
      if (!series) return null
      const months = toMonths(series.points, at.at)
      const days = prices.state().prices === 0 ? [] : months.map(({ day }) => day)
      const key = toSymbolKey(series.symbol)
      const scoring = { horizon, benchmark }
      const known =
        days.length === 0
          ? { windows: [], firstDay: null }
          : await inTurn(async () => await selectWindows(await open(), { key, days, scoring }))
      const figures = toFollowed(months, { ...known, knownDay: toKnownDay(at.at) })
      return { symbol: series.symbol, horizon, ...figures, prices: priced() }
    },
  }
}

const DAY_SECONDS = 86_400

/** As many months as a series has points at most. */
const toMonthly = (at: number): SeriesQuery => ({
  bucket: 'month',
  from: startOf('month', indexOf('month', at) - POINTS_MAX + 1),
  to: null,
  asof: null,
})

/** Those that have ended, with a consensus of enough ratings to be one. */
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
