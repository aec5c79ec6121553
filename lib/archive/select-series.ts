import { type Kysely, sql } from 'kysely'
import { DOTS_MAX, type Series, type SeriesRating } from '#lib/contract/answers/series.ts'
import type { SeriesQuery } from '#lib/contract/other-queries.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { type Buckets, chooseBuckets, startOf } from './series-buckets.ts'
import { type Asked, selectChanges } from './series-changes.ts'
import { toPoints, toSteps } from './series-points.ts'
import { selectQuartiles } from './series-quartiles.ts'
import type { Tables } from './tables.ts'

/**
 * Rating, prediction and consensus of a symbol over time: one point for every bucket from `from` (default, and at
 * least: its first rating) to `to` (default, and at most: `at`), also where nothing was posted. Buckets are whole:
 * `from` and `to` say which are shown, not what is in them. Null where nobody had rated the symbol at `at`.
 */
export async function selectSeries(
  engine: Engine,
  { symbol, query }: { symbol: string; query: SeriesQuery },
  { at, signal }: ReadOptions,
): Promise<Series | null> {
  const key = toSymbolKey(symbol)
  const [named] = await engine.read((db) => selectBegun(db, [key], at), signal)
  if (!named) return null
  const buckets = chooseBuckets(query, { began: named.began, at })
  const asked = { keys: [key], buckets, at }
  const pairs = toPairs(named, buckets)
  const [changes, quartiles] = await Promise.all([
    engine.read((db) => selectChanges(db, asked), signal),
    engine.read((db) => selectQuartiles(db, { ...asked, pairs }), signal),
  ])
  const steps = toSteps(buckets, changes)
  const posted = steps.reduce((sum, step) => sum + step.posted.count, 0)
  const areFew = posted > 0 && posted <= DOTS_MAX
  return {
    symbol: named.symbol,
    bucket: buckets.bucket,
    posted,
    points: toPoints(steps, quartiles),
    ratings: areFew ? await engine.read((db) => selectDots(db, asked), signal) : [],
  }
}

/** A symbol that had been rated: its first second, how many ratings, and for how long they were active in all. */
type Begun = { key: string; symbol: string; began: number; ratings: number; activeSeconds: number }

/** At most so many pairs of a bucket and a rating active at its end: known before either is looked at. */
function toPairs({ ratings, activeSeconds }: Begun, { bucket, first, last }: Buckets): number {
  const seconds = startOf(bucket, last + 1) - startOf(bucket, first)
  return ratings + (activeSeconds * (last - first + 1)) / Math.max(1, seconds)
}

/** Of these symbols those that had been rated at `at`. */
export async function selectBegun(
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

/** The ratings posted in the buckets, oldest first. */
async function selectDots(
  db: Kysely<Tables>,
  { keys, buckets: { bucket, first, last }, at }: Asked,
): Promise<SeriesRating[]> {
  return await db
    .selectFrom('rating')
    .select(['id', 'user_id', 'created_at', 'rating', 'rating_label', 'prediction'])
    .where('symbol_key', 'in', keys)
    .where('created_at', '>=', startOf(bucket, first))
    .where('created_at', '<', startOf(bucket, last + 1))
    .where('created_at', '<=', at)
    .orderBy('created_at')
    .orderBy('id')
    // A rating that was imported since the others were counted.
    .limit(DOTS_MAX)
    .execute()
}
