import type { Kysely } from 'kysely'
import { runSweep } from '#lib/async/sweep.ts'
import { MAP_SYMBOLS_MAX } from '#lib/contract/answers/limits.ts'
import {
  type Comparison,
  DOTS_MAX,
  type Opinion,
  type Series,
  type SeriesRating,
} from '#lib/contract/answers/opinion.ts'
import type { MapCell, Moves, UnnamedAggregate } from '#lib/contract/answers/symbols.ts'
import type { CompareQuery, SeriesQuery } from '#lib/contract/api-queries.ts'
import { parseInstant, toInstantText } from '#lib/contract/instant-text.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toMean } from '#lib/statistics/exact.ts'
import { type Buckets, DAY_SECONDS, startOf } from '#lib/timeline/buckets.ts'
import { type Span, sweepMoves } from '#lib/timeline/moves.ts'
import { aggregateOf, summaryOf, sweepOpinion } from '#lib/timeline/opinion.ts'
import { type SeriesSpan, sweepSeries, sweepStandings, toSeriesSpan } from '#lib/timeline/series.ts'
import { toChange } from '#lib/timeline/standing.ts'
import { spellingAt, type Timeline } from '#lib/timeline/timeline.ts'
import type { Tables } from '../engine/tables.ts'
import { selectSymbolSums } from '../query/consensus.ts'
import type { ArchiveReader, ReadOptions, Rows } from '../reader.ts'

const loadTimeline = async (reader: ArchiveReader, symbol: string, signal?: AbortSignal) =>
  await reader.symbolTimelines.load(toSymbolKey(symbol), signal)

/** Null if the symbol was not rated by `at`. */
export async function selectOpinion(
  reader: ArchiveReader,
  symbol: string,
  { at, signal }: ReadOptions,
): Promise<Opinion | null> {
  const timeline = await loadTimeline(reader, symbol, signal)
  return timeline && (await runSweep(sweepOpinion(timeline, at, reader.known().labels), signal))
}

type SymbolSummary = ReturnType<typeof summaryOf> & { aggregate: UnnamedAggregate }

/** `day` null or today: as of `at`, else the day's last second (UTC). */
export async function selectAggregate(
  reader: ArchiveReader,
  asked: { symbol: string; day: string | null },
  { at, signal }: ReadOptions,
): Promise<SymbolSummary | null> {
  const timeline = await loadTimeline(reader, asked.symbol, signal)
  if (!timeline) return null
  const today = toInstantText(at - (at % DAY_SECONDS))
  const day = asked.day ?? today
  const instant = day === today ? at : (parseInstant(day) ?? 0) + DAY_SECONDS - 1
  const symbol = spellingAt(timeline, Number.POSITIVE_INFINITY) ?? ''
  return {
    aggregate: { day, symbol, ...aggregateOf(timeline, instant) },
    ...summaryOf(timeline),
  }
}

/** Null if the symbol was not rated by `at`. */
export async function selectSeries(
  reader: ArchiveReader,
  asked: { symbol: string; query: SeriesQuery },
  options: ReadOptions,
): Promise<Series | null> {
  const found = await loadSeriesSpan(reader, asked, options)
  if (!found) return null
  const { timeline, symbol, span } = found
  const points = await runSweep(sweepSeries(timeline, span), options.signal)
  const posted = points.reduce((sum, point) => sum + point.posted, 0)
  const areFew = posted > 0 && posted <= DOTS_MAX
  const ratings = areFew
    ? await reader.read((db) => selectDots(db, toSymbolKey(symbol), span), options.signal)
    : []
  return { symbol, bucket: span.buckets.bucket, posted, points, ratings }
}

export async function selectSeriesBuckets(
  reader: ArchiveReader,
  asked: { symbol: string; query: SeriesQuery },
  options: ReadOptions,
): Promise<{ key: string; symbol: string; buckets: Buckets; at: number } | null> {
  const found = await loadSeriesSpan(reader, asked, options)
  if (!found) return null
  const { symbol, span } = found
  return { key: toSymbolKey(symbol), symbol, buckets: span.buckets, at: span.at }
}

async function loadSeriesSpan(
  reader: ArchiveReader,
  { symbol, query }: { symbol: string; query: SeriesQuery },
  { at, signal }: ReadOptions,
): Promise<{ timeline: Timeline; symbol: string; span: SeriesSpan } | null> {
  const timeline = await loadTimeline(reader, symbol, signal)
  const spelled = timeline && spellingAt(timeline, at)
  if (!timeline || spelled === null) return null
  const span = toSeriesSpan(query, { began: timeline.created[0] ?? at, at })
  return { timeline, symbol: spelled, span }
}

async function selectDots(
  db: Kysely<Tables>,
  key: string,
  { buckets: { bucket, first }, from, at }: SeriesSpan,
): Promise<SeriesRating[]> {
  return await db
    .selectFrom('rating')
    .select(['id', 'user_id', 'created_at', 'rating', 'rating_label', 'prediction'])
    .where('symbol_key', '=', key)
    .where('created_at', '>=', Math.max(from ?? 0, startOf(bucket, first)))
    .where('created_at', '<=', at)
    .orderBy('created_at')
    .orderBy('id')
    .limit(DOTS_MAX)
    .execute()
}

/** Buckets start at the first rating of any symbol. */
export async function selectComparison(
  reader: ArchiveReader,
  query: CompareQuery,
  { at, signal }: ReadOptions,
): Promise<Comparison> {
  const keys = query.symbol.only
  const timelines = await reader.symbolTimelines.loadAll(keys, signal)
  const known = keys.flatMap((key, place) => {
    const timeline = timelines[place] ?? null
    const symbol = timeline && spellingAt(timeline, at)
    return timeline && symbol !== null
      ? [{ key, timeline, symbol, began: timeline.created[0] ?? at }]
      : []
  })
  const unknown = keys.filter((key) => !known.some((one) => one.key === key))
  const span = toSeriesSpan(query, { began: Math.min(at, ...known.map(({ began }) => began)), at })
  const symbols: Comparison['symbols'] = []
  for (const { timeline, symbol, began } of known) {
    const points = await runSweep(sweepStandings(timeline, span), signal)
    symbols.push({ symbol, first_created_at: began, points })
  }
  return { bucket: span.buckets.bucket, symbols, unknown }
}

export async function selectMoves(
  reader: ArchiveReader,
  { symbol, ...span }: Span & { symbol: string },
  options: ReadOptions,
): Promise<Moves | null> {
  const [moves] = await selectMovesOf(reader, { symbols: [symbol], ...span }, options)
  return moves ?? null
}

/** Omits symbols that were not rated by `at`. */
export async function selectMovesOf(
  reader: ArchiveReader,
  { symbols, ...span }: Span & { symbols: readonly string[] },
  { at, signal }: ReadOptions,
): Promise<Moves[]> {
  const timelines = await reader.symbolTimelines.loadAll(symbols.map(toSymbolKey), signal)
  const found: Moves[] = []
  for (const timeline of timelines) {
    const moves = timeline && (await runSweep(sweepMoves(timeline, span, at), signal))
    if (moves) found.push(moves)
  }
  return found
}

/** Most active ratings first, ties by symbol; `total` counts all symbols with active ratings. */
export async function selectSymbolMap(
  reader: Pick<ArchiveReader, 'read'>,
  days: number,
  { at, signal }: ReadOptions,
): Promise<Rows<Omit<MapCell, 'name' | 'sector'>>> {
  const before = at - days * DAY_SECONDS
  const lines = await reader.read(
    async (db) =>
      await db
        .with('tally', () => selectSymbolSums(db, { at, before }))
        .selectFrom('tally')
        .innerJoin('symbol', 'symbol.symbol_key', 'tally.symbol_key')
        .selectAll('tally')
        .select(['symbol.symbol', (eb) => eb.fn.countAll<number>().over().as('total')])
        .where('tally.active', '>', 0)
        .orderBy('tally.active', 'desc')
        .orderBy('symbol.symbol')
        .limit(MAP_SYMBOLS_MAX)
        .execute(),
    signal,
  )
  const rows = lines.map(({ symbol, active, rating_sum: sum, active_before, sum_before }) => ({
    symbol,
    active,
    consensus: toMean(sum, active, 4) ?? '0.0000',
    change: toChange({ active: active_before, sum: sum_before }, { active, sum }),
  }))
  return { rows, total: lines[0]?.total ?? 0 }
}
