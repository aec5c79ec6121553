import { type Kysely, sql } from 'kysely'
import type { Counted } from '#lib/contract/answers/shared.ts'
import type { User, UserSymbol } from '#lib/contract/answers/users.ts'
import type { ReadOptions } from './archive.ts'
import { toMeanDistance } from './consensus-distance.ts'
import type { Engine } from './duckdb-engine.ts'
import type { Labels } from './known-state.ts'
import { toMean } from './mean.ts'
import { isActive, toState } from './rating-conditions.ts'
import { RECENT_SECONDS, selectBias } from './select-users.ts'
import type { Tables } from './tables.ts'
import { toWilsonLow } from './wilson.ts'

/** How many symbols of a member are listed. */
const SYMBOLS = 100

/** One member: counts and means (4 decimals) over the ratings by `at`. Null where the member had not rated. */
export async function selectUser(
  engine: Engine,
  userId: number,
  { at, signal, labels }: ReadOptions & { labels: Labels },
): Promise<User | null> {
  const read = async <T>(work: (db: Kysely<Tables>) => Promise<T>) =>
    await engine.read(work, signal)
  const [counts, ratings, actions, symbols, leaning] = await Promise.all([
    read((db) => selectCounts(db, userId, at)),
    read((db) => countCodes(ratingsBy(db, userId, at), { column: 'rating', label: labels.rating })),
    read((db) => countCodes(ratingsBy(db, userId, at), { column: 'action', label: labels.action })),
    read((db) => selectSymbols(db, userId, at)),
    read((db) => selectLeaning(db, userId, at)),
  ])
  const { rating_sum, prediction_sum, ...known } = counts
  const average = toMean(rating_sum, known.ratings, 4)
  const averagePrediction = toMean(prediction_sum, known.ratings, 4)
  if (average === null || averagePrediction === null) return null
  return {
    user_id: userId,
    ...known,
    avg_rating: average,
    avg_prediction: averagePrediction,
    agreement_low: toWilsonLow(known.agree, known.agree + known.disagree),
    bias: leaning ? toMeanDistance(BigInt(leaning.nanos), leaning.bias_n) : null,
    bias_n: leaning?.bias_n ?? 0,
    by_rating: ratings,
    by_action: actions,
    by_symbol: symbols,
  }
}

/** The member's ratings that existed at `at`. */
const ratingsBy = (db: Kysely<Tables>, userId: number, at: number) =>
  db.selectFrom('rating').where('user_id', '=', userId).where('created_at', '<=', at)

async function selectCounts(db: Kysely<Tables>, userId: number, at: number) {
  return await ratingsBy(db, userId, at)
    .select((eb) => [
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      // A member's first rating of a symbol has none before it.
      eb.fn.countAll<number>().filterWhere('previous_rating', 'is', null).as('symbols'),
      eb.fn
        .countAll<number>()
        .filterWhere('created_at', '>', at - RECENT_SECONDS)
        .as('recent'),
      eb.fn.min('created_at').as('first_created_at'),
      eb.fn.max('created_at').as('last_created_at'),
      eb.fn.sum<number | null>('rating').as('rating_sum'),
      eb.fn.sum<string | null>('prediction_value').as('prediction_sum'),
      eb.fn.sum<number>('tally_agree').as('agree'),
      eb.fn.sum<number>('tally_disagree').as('disagree'),
    ])
    .executeTakeFirstOrThrow()
}

/** How the active ratings lean, in billionths, and how many there are to lean; nothing where there is none. */
const selectLeaning = async (db: Kysely<Tables>, userId: number, at: number) =>
  await db
    .selectFrom(selectBias(db, at).as('leaning'))
    .select(['bias_n', sql<string>`cast(bias_nanos as text)`.as('nanos')])
    .where('user_id', '=', userId)
    .executeTakeFirst()

async function countCodes(
  ratings: ReturnType<typeof ratingsBy>,
  { column, label }: { column: 'rating' | 'action'; label: (code: number) => string },
): Promise<Counted[]> {
  const rows = await ratings
    .select((eb) => [eb.ref(column).as('value'), eb.fn.countAll<number>().as('count')])
    .groupBy(column)
    .orderBy(column)
    .execute()
  return rows.map(({ value, count }) => ({ value, label: label(value), count }))
}

/** The member's latest rating of each symbol, the newest first. */
async function selectSymbols(
  db: Kysely<Tables>,
  userId: number,
  at: number,
): Promise<UserSymbol[]> {
  const own = ratingsBy(db, userId, at).select((eb) => [
    'id',
    'symbol_key',
    'rating',
    'rating_label',
    'prediction',
    'created_at',
    'effective_until',
    sql<number>`count(*) over (partition by symbol_key)`.as('ratings'),
    eb.fn
      .agg<number>('row_number')
      .over((over) =>
        over.partitionBy('symbol_key').orderBy('created_at', 'desc').orderBy('id', 'desc'),
      )
      .as('back'),
  ])
  const rows = await db
    .with('own', () => own)
    .selectFrom('own')
    .innerJoin('symbol', 'symbol.symbol_key', 'own.symbol_key')
    .select([
      'symbol',
      'ratings',
      'rating',
      'rating_label',
      'prediction',
      'created_at',
      'effective_until',
    ])
    .where('back', '=', 1)
    .orderBy('created_at', 'desc')
    .orderBy('own.id', 'desc')
    .limit(SYMBOLS)
    .execute()
  return rows.map(({ created_at, effective_until, ...row }) => ({
    ...row,
    state: toState({ created_at, effective_until }, at),
    last_created_at: created_at,
  }))
}
