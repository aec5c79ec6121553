import { type Kysely, sql } from 'kysely'
import type { ReadOptions } from '#lib/archive/archive.ts'
import type { Engine } from '#lib/archive/engine/duckdb-engine.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { UnnamedWatching } from '#lib/contract/answers/watching.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { NEWEST_MAX, toWatchedText, type WatchingQuery } from '#lib/contract/watching-query.ts'
import type { KeptRows } from './kept-rows.ts'
import { isActive, toConditions } from './rating-conditions.ts'
import { toMean } from './statistics.ts'

/** What many symbols, users and views hold, in the order asked: symbols and users in one pass each. */
export async function selectWatching(
  engine: Engine,
  { symbol, user, view }: WatchingQuery,
  { at, signal, keptRows }: ReadOptions & { keptRows: KeptRows },
): Promise<UnnamedWatching> {
  const [symbols, users, views] = await Promise.all([
    engine.read((db) => selectSymbols(db, symbol.only, at), signal),
    engine.read((db) => selectUsers(db, user.only, at), signal),
    Promise.all(view.map((query) => selectView(keptRows, query, { at, signal }))),
  ])
  return { symbols, users, views }
}

async function selectSymbols(db: Kysely<Tables>, keys: readonly string[], at: number) {
  if (keys.length === 0) return []
  const sums = await db
    .selectFrom('rating')
    .innerJoin('symbol', 'symbol.symbol_key', 'rating.symbol_key')
    .select((eb) => [
      'rating.symbol_key as key',
      eb.fn.min('symbol.symbol').as('symbol'),
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.max('created_at').as('last_created_at'),
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      eb.fn.sum<number | null>('rating').filterWhere(isActive(at)).as('sum'),
    ])
    .where('rating.symbol_key', 'in', [...keys])
    .where('created_at', '<=', at)
    .groupBy('rating.symbol_key')
    .execute()
  const newest = await selectNewest(db, { column: 'symbol_key', values: keys, at })
  const found = new Map(sums.map(({ key, sum, ...row }) => [key, { ...row, sum }]))
  return keys.map((key) => {
    const { sum, ...row } = found.get(key) ?? { symbol: key, ...NO_RATINGS, active: 0, sum: null }
    return { ...row, consensus: toMean(sum, row.active, 4), newest: newest.get(key) ?? [] }
  })
}

const NO_RATINGS = { ratings: 0, last_created_at: null }

async function selectUsers(db: Kysely<Tables>, ids: readonly number[], at: number) {
  if (ids.length === 0) return []
  const sums = await db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.count<number>('symbol_key').distinct().as('symbols'),
      eb.fn.max('created_at').as('last_created_at'),
    ])
    .where('user_id', 'in', [...ids])
    .where('created_at', '<=', at)
    .groupBy('user_id')
    .execute()
  const newest = await selectNewest(db, { column: 'user_id', values: ids, at })
  const found = new Map(sums.map((row) => [row.user_id, row]))
  return ids.map((id) => ({
    ...(found.get(id) ?? { user_id: id, ...NO_RATINGS, symbols: 0 }),
    newest: newest.get(id) ?? [],
  }))
}

type Watched<T> = { column: 'symbol_key' | 'user_id'; values: readonly T[]; at: number }

/** The newest ids of each value of a column, the newest first. */
async function selectNewest<T extends string | number>(
  db: Kysely<Tables>,
  { column, values, at }: Watched<T>,
): Promise<Map<T, number[]>> {
  const { rows } = await sql<{ of: T; id: number }>`
    select of, id from (
      select ${sql.ref(column)} as of, id,
        row_number() over (partition by ${sql.ref(column)} order by created_at desc, id desc) as place
      from rating
      where ${sql.ref(column)} in (${sql.join([...values])}) and created_at <= ${at}
    ) as placed
    where place <= ${sql.lit(NEWEST_MAX)}
    order by of, place`.execute(db)
  const newest = new Map<T, number[]>()
  for (const { of, id } of rows) {
    const ids = newest.get(of)
    if (ids) ids.push(id)
    else newest.set(of, [id])
  }
  return newest
}

/** How many ratings match now, and the newest of them. */
async function selectView(
  keptRows: KeptRows,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<UnnamedWatching['views'][number]> {
  const matching = (db: Kysely<Tables>) =>
    db.selectFrom('rating').where(toConditions({ query, at }))
  const [counted, newest] = await Promise.all([
    keptRows.select(
      (db) => matching(db).select((eb) => eb.fn.countAll<number>().as('ratings')),
      signal,
    ),
    keptRows.select(
      (db) =>
        matching(db)
          .select(['id', 'created_at'])
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(NEWEST_MAX),
      signal,
    ),
  ])
  return {
    view: toWatchedText(query),
    ratings: counted[0]?.ratings ?? 0,
    newest: newest.map(({ id }) => id),
    last_created_at: newest[0]?.created_at ?? null,
  }
}
