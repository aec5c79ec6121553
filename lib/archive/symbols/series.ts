import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import {
  type Comparison,
  DOTS_MAX,
  type Series,
  type SeriesPoint,
  type SeriesRating,
} from '#lib/contract/answers/opinion.ts'
import type { CompareQuery, SeriesQuery } from '#lib/contract/api-queries.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import { toMean, toMillionths, toMillionthsMean } from '#lib/statistics/exact.ts'
import {
  type Asked,
  type Buckets,
  type Change,
  chooseBuckets,
  type Quartiles,
  selectChanges,
  selectQuartiles,
  startOf,
} from './series-buckets.ts'

/**
 * Rating, prediction and consensus of a symbol over time: one point for every bucket from `from` (default, and at
 * least: its first rating) to `to` (default, and at most: `at`), also where nothing was posted. What happened in a bucket
 * counts where it happened in the range, so that all buckets together count what the ratings of that range are; the
 * series ends with the range. Null where nobody had rated the symbol at `at`.
 */
export async function selectSeries(
  reader: ArchiveReader,
  { symbol, query }: { symbol: string; query: SeriesQuery },
  { at, signal }: ReadOptions,
): Promise<Series | null> {
  const key = toSymbolKey(symbol)
  const [named] = await reader.read((db) => selectBegun(db, [key], at), signal)
  if (!named) return null
  const buckets = chooseBuckets(query, { began: named.began, at })
  const asked = { keys: [key], buckets, ...toRange(query, at) }
  const pairs = toPairs(named, buckets)
  const [changes, quartiles] = await Promise.all([
    reader.read((db) => selectChanges(db, asked), signal),
    reader.read((db) => selectQuartiles(db, { ...asked, pairs }), signal),
  ])
  const steps = toSteps(buckets, changes)
  const posted = steps.reduce((sum, step) => sum + step.posted.count, 0)
  const areFew = posted > 0 && posted <= DOTS_MAX
  return {
    symbol: named.symbol,
    bucket: buckets.bucket,
    posted,
    points: toPoints(steps, quartiles),
    ratings: areFew ? await reader.read((db) => selectDots(db, asked), signal) : [],
  }
}

/** A symbol that had been rated, with the buckets of its series and the last second that counts in them. */
export async function selectSeriesBuckets(
  reader: ArchiveReader,
  { symbol, query }: { symbol: string; query: SeriesQuery },
  { at, signal }: ReadOptions,
): Promise<{ key: string; symbol: string; buckets: Buckets; at: number } | null> {
  const [named] = await reader.read((db) => selectBegun(db, [toSymbolKey(symbol)], at), signal)
  if (!named) return null
  const buckets = chooseBuckets(query, { began: named.began, at })
  return { key: named.key, symbol: named.symbol, buckets, at: toRange(query, at).at }
}

/** The range that is counted, to its last second: what is judged at `at` knows nothing of later. */
const toRange = ({ from, to }: Pick<SeriesQuery, 'from' | 'to'>, at: number) => ({
  from,
  at: to === null ? at : Math.min(at, to - 1),
})

/** A symbol that had been rated: its first second, how many ratings, and for how long they were active in all. */
type Begun = { key: string; symbol: string; began: number; ratings: number; activeSeconds: number }

/** At most so many pairs of a bucket and a rating active at its end: known before either is looked at. */
function toPairs({ ratings, activeSeconds }: Begun, { bucket, first, last }: Buckets): number {
  const seconds = startOf(bucket, last + 1) - startOf(bucket, first)
  return ratings + (activeSeconds * (last - first + 1)) / Math.max(1, seconds)
}

/** Of these symbols those that had been rated at `at`. */
async function selectBegun(
  db: Kysely<Tables>,
  keys: readonly string[],
  at: number,
): Promise<Begun[]> {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key as key',
      eb.fn.min('symbol').as('symbol'),
      eb.fn.min('created_at').as('began'),
      eb.fn.countAll<number>().as('ratings'),
      // Only to be compared with: no figure is made of it.
      sql<number>`cast(sum(greatest(least(effective_until, ${at}) - created_at, 0)) as double)`.as(
        'activeSeconds',
      ),
    ])
    .where('symbol_key', 'in', keys)
    .where('created_at', '<=', at)
    .groupBy('symbol_key')
    .execute()
}

/** The ratings posted in the range, oldest first. */
async function selectDots(
  db: Kysely<Tables>,
  { keys, buckets: { bucket, first }, from, at }: Asked,
): Promise<SeriesRating[]> {
  return await db
    .selectFrom('rating')
    .select(['id', 'user_id', 'created_at', 'rating', 'rating_label', 'prediction'])
    .where('symbol_key', 'in', keys)
    .where('created_at', '>=', Math.max(from ?? 0, startOf(bucket, first)))
    .where('created_at', '<=', at)
    .orderBy('created_at')
    .orderBy('id')
    // A rating that was imported since the others were counted.
    .limit(DOTS_MAX)
    .execute()
}

/**
 * Several symbols in the same buckets, in the order asked: those of a series ({@link selectSeries}) that begins with
 * the first rating of any of them. Before its own first rating a symbol has points at which nothing is active.
 */
export async function selectComparison(
  reader: ArchiveReader,
  query: CompareQuery,
  { at, signal }: ReadOptions,
): Promise<Comparison> {
  const keys = query.symbol.only
  const begun = await reader.read((db) => selectBegun(db, keys, at), signal)
  const byKey = new Map(begun.map((symbol) => [symbol.key, symbol]))
  const unknown = keys.filter((key) => !byKey.has(key))
  const known = keys.flatMap((key) => byKey.get(key) ?? [])
  const began = Math.min(at, ...known.map((symbol) => symbol.began))
  const buckets = chooseBuckets(query, { began, at })
  if (known.length === 0) return { bucket: buckets.bucket, symbols: [], unknown }
  const asked = { keys: known.map((symbol) => symbol.key), buckets, ...toRange(query, at) }
  const changes = await reader.read((db) => selectChanges(db, asked), signal)
  const bySymbol = groupBySymbol(changes)
  const symbols = known.map((symbol) => ({
    symbol: symbol.symbol,
    first_created_at: symbol.began,
    points: toSteps(buckets, bySymbol.get(symbol.key) ?? []).map((step) => ({
      t: step.t,
      ...toStanding(step.active),
    })),
  }))
  return { bucket: buckets.bucket, symbols, unknown }
}

function groupBySymbol(changes: readonly Change[]): Map<string, Change[]> {
  const groups = new Map<string, Change[]>()
  for (const change of changes) {
    const own = groups.get(change.symbol_key)
    if (own) own.push(change)
    else groups.set(change.symbol_key, [change])
  }
  return groups
}

type Sums = {
  count: number
  rating: number
  prediction: bigint
  weight: bigint
  weighted: bigint
  byRating: number[]
  upgraded: number
  downgraded: number
  lapsed: number
}

/** What stands at one bucket: posted and ceased in it, and active at its end. */
export type Step = { t: number; posted: Sums; ended: Sums; active: Sums }

/** A point for each step, with the quartiles by bucket; buckets without active ratings have none. */
function toPoints(
  steps: readonly Step[],
  quartiles: ReadonlyMap<number, Quartiles>,
): SeriesPoint[] {
  return steps.map(({ t, posted, ended, active }) => {
    const spread = quartiles.get(t)
    return {
      t,
      posted: posted.count,
      avg_rating: toMean(posted.rating, posted.count, 4),
      avg_prediction: toMillionthsMean(posted.prediction, posted.count, 4),
      posted_by_rating: posted.byRating,
      upgraded: posted.upgraded,
      downgraded: posted.downgraded,
      lapsed: ended.lapsed,
      ...toStanding(active),
      // Null as well where the votes leave no weight.
      weighted: toMean(active.weighted, active.weight, 4),
      by_rating: active.byRating,
      prediction_low: spread?.low ?? null,
      prediction_q1: spread?.q1 ?? null,
      prediction_median: spread?.median ?? null,
      prediction_q3: spread?.q3 ?? null,
      prediction_high: spread?.high ?? null,
    }
  })
}

/** How many are active, and their means. */
const toStanding = (active: Sums) => ({
  active: active.count,
  consensus: toMean(active.rating, active.count, 4),
  active_prediction: toMillionthsMean(active.prediction, active.count, 4),
})

/** A step for each bucket, from the changes in their order. What came before the first counts as active in it. */
function toSteps({ bucket, first, last }: Buckets, changes: readonly Change[]): Step[] {
  const active = nothing()
  const steps: Step[] = []
  let next = 0
  const advance = (index: number): Omit<Step, 't'> => {
    const [posted, ended] = [nothing(), nothing()]
    for (; (changes[next]?.bucket ?? Number.POSITIVE_INFINITY) <= index; next += 1) {
      const change = changes[next]
      if (!change) break
      add(change.is_posted ? posted : ended, change, 1)
      add(active, change, change.is_posted ? 1 : -1)
    }
    return { posted, ended, active: { ...active, byRating: [...active.byRating] } }
  }
  advance(first - 1)
  for (let index = first; index <= last; index += 1) {
    steps.push({ t: startOf(bucket, index), ...advance(index) })
  }
  return steps
}

const nothing = (): Sums => ({
  count: 0,
  rating: 0,
  prediction: 0n,
  weight: 0n,
  weighted: 0n,
  byRating: [0, 0, 0, 0, 0],
  upgraded: 0,
  downgraded: 0,
  lapsed: 0,
})

function add(sums: Sums, change: Change, sign: 1 | -1): void {
  const big = BigInt(sign)
  sums.count += sign * change.count
  sums.rating += sign * change.rating
  sums.prediction += big * toMillionths(change.prediction)
  sums.weight += big * BigInt(change.weight)
  sums.weighted += big * BigInt(change.weighted)
  const { r1, r2, r3, r4, r5 } = change
  const byRating = [r1, r2, r3, r4, r5]
  sums.byRating = sums.byRating.map((count, place) => count + sign * (byRating[place] ?? 0))
  sums.upgraded += sign * change.upgraded
  sums.downgraded += sign * change.downgraded
  sums.lapsed += sign * change.lapsed
}
