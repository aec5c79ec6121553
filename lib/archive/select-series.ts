import { type Kysely, sql } from 'kysely'
import type { Series } from '#lib/contract/answers/symbols.ts'
import type { Bucket, SeriesQuery } from '#lib/contract/other-queries.ts'
import { toSymbolKey } from '#lib/contract/rating-fields.ts'
import type { ReadOptions } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { chooseBuckets, toBucketIndex } from './series-buckets.ts'
import { type Change, toPoints } from './series-points.ts'
import type { Tables } from './tables.ts'

/**
 * Rating, prediction and consensus of a symbol over time: one point for every bucket from `from` (default: its first
 * rating) to `to` (default, and at most: `at`), also where nothing was posted. Buckets are whole: `from` and `to`
 * say which are shown, not what is in them. `auto` is the finest bucket that stays within 400 points; an asked
 * bucket is obeyed up to 4,000 points, beyond that the next coarser one is used. Null where nobody rated the symbol.
 */
export async function selectSeries(
  engine: Engine,
  { symbol, query }: { symbol: string; query: SeriesQuery },
  { at, signal }: ReadOptions,
): Promise<Series | null> {
  const key = toSymbolKey(symbol)
  const named = await engine.read((db) => selectName(db, key), signal)
  if (!named) return null
  const buckets = chooseBuckets({
    first: query.from ?? named.first,
    last: Math.min(at, query.to === null ? at : query.to - 1),
    asked: query.bucket,
  })
  const asked = { key, at, bucket: buckets.bucket }
  const [posted, ended] = await Promise.all([
    engine.read((db) => selectPosted(db, asked), signal),
    engine.read((db) => selectEnded(db, asked), signal),
  ])
  const points = toPoints(buckets, { posted, ended })
  return { symbol: named.symbol, bucket: buckets.bucket, points }
}

async function selectName(db: Kysely<Tables>, key: string) {
  const { symbol, first } = await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.min<string | null>('symbol').as('symbol'),
      eb.fn.min<number>('created_at').as('first'),
    ])
    .where('symbol_key', '=', key)
    .executeTakeFirstOrThrow()
  return symbol === null ? null : { symbol, first }
}

type Asked = { key: string; at: number; bucket: Bucket }

async function selectPosted(db: Kysely<Tables>, { key, at, bucket }: Asked): Promise<Change[]> {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      toBucketIndex(bucket, eb.ref('created_at')).as('bucket'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('rating').as('rating'),
      eb.fn.sum<string>('prediction_value').as('prediction'),
    ])
    .where('symbol_key', '=', key)
    .where('created_at', '<=', at)
    .groupBy('bucket')
    .orderBy('bucket')
    .execute()
}

/** Ratings that had ended before they were posted were never active: they end in the second that they begin. */
async function selectEnded(db: Kysely<Tables>, { key, at, bucket }: Asked): Promise<Change[]> {
  const ended = sql<number>`greatest(effective_until, created_at)`
  return await db
    .selectFrom('rating')
    .select((eb) => [
      toBucketIndex(bucket, ended).as('bucket'),
      eb.fn.countAll<number>().as('count'),
      eb.fn.sum<number>('rating').as('rating'),
      eb.fn.sum<string>('prediction_value').as('prediction'),
    ])
    .where('symbol_key', '=', key)
    .where('created_at', '<=', at)
    .where('effective_until', '<=', at)
    .groupBy('bucket')
    .orderBy('bucket')
    .execute()
}
