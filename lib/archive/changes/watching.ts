import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { KeptRows } from '#lib/archive/query/kept-rows.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import { toConditions } from '#lib/archive/ratings/rating-source.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { UnnamedWatching } from '#lib/contract/answers/changes.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { NEWEST_MAX, toWatchedText, type WatchingQuery } from '#lib/contract/watching-query.ts'
import { toMean } from '#lib/statistics/exact.ts'

export async function selectWatching(
  reader: ArchiveReader,
  { symbol, user, view }: WatchingQuery,
  options: ReadOptions,
): Promise<UnnamedWatching> {
  const { at, signal } = options
  const counted = await reader.keptTotals.load(reader.version(), () => reader.read(selectTotals))
  const [symbols, users, views] = await Promise.all([
    reader.read((db) => selectSymbols(db, { keys: symbol.only, at, counted }), signal),
    reader.read((db) => selectUsers(db, { ids: user.only, counted }), signal),
    Promise.all(view.map((query) => selectView(reader.keptRows, query, options))),
  ])
  return { symbols, users, views }
}

type Total = { ratings: number; last_created_at: number }

type Totals = {
  symbols: ReadonlyMap<string, Total & { symbol: string }>
  users: ReadonlyMap<number, Total>
}

async function selectTotals(db: Kysely<Tables>): Promise<Totals> {
  const symbols = await sql<Total & { key: string; symbol: string }>`
    select key, symbol, ratings, last_created_at from (
      select symbol_key as key, count(*) as ratings, max(created_at) as last_created_at
      from rating group by symbol_key
    ) as counted join symbol on symbol_key = key`.execute(db)
  const users = await db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.max('created_at').as('last_created_at'),
    ])
    .groupBy('user_id')
    .execute()
  return {
    symbols: new Map(symbols.rows.map(({ key, ...total }) => [key, total])),
    users: new Map(users.map(({ user_id: id, ...total }) => [id, total])),
  }
}

const NO_RATINGS = { ratings: 0, last_created_at: null }

type WatchedSymbols = { keys: readonly string[]; at: number; counted: Totals }

async function selectSymbols(db: Kysely<Tables>, { keys, at, counted }: WatchedSymbols) {
  const rated = keys.filter((key) => counted.symbols.has(key))
  const active = await selectActive(db, rated, at)
  const newest = await selectNewestOfSymbols(db, rated, counted)
  return keys.map((key) => {
    const { sum, ...row } = active.get(key) ?? { active: 0, sum: null }
    return {
      ...(counted.symbols.get(key) ?? { symbol: key, ...NO_RATINGS }),
      ...row,
      consensus: toMean(sum, row.active, 4),
      newest: newest.get(key) ?? [],
    }
  })
}

async function selectActive(db: Kysely<Tables>, keys: readonly string[], at: number) {
  if (keys.length === 0) return new Map<string, { active: number; sum: number | null }>()
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [
      'symbol_key',
      eb.fn.countAll<number>().as('active'),
      eb.fn.sum<number | null>('rating').as('sum'),
    ])
    .where('symbol_key', 'in', [...keys])
    .where(isActive(at))
    .groupBy('symbol_key')
    .execute()
  return new Map(rows.map(({ symbol_key: key, ...row }) => [key, row]))
}

const RECENT_SECONDS = 180 * 86_400

/** Rows are stored in time order: recent ones need no full scan. */
async function selectNewestOfSymbols(
  db: Kysely<Tables>,
  keys: readonly string[],
  counted: Totals,
): Promise<Map<string, number[]>> {
  const totalOf = (key: string) => counted.symbols.get(key) ?? { ratings: 0, last_created_at: 0 }
  const last = Math.max(0, ...keys.map((key) => totalOf(key).last_created_at))
  const column = 'symbol_key' as const
  const recent = await selectNewest(db, { column, values: keys, after: last - RECENT_SECONDS })
  const isWhole = (key: string) =>
    (recent.get(key)?.length ?? 0) === Math.min(NEWEST_MAX, totalOf(key).ratings)
  const values = keys.filter((key) => !isWhole(key))
  const others = await selectNewest(db, { column, values, after: null })
  return new Map([...recent, ...others])
}

type WatchedUsers = { ids: readonly number[]; counted: Totals }

async function selectUsers(db: Kysely<Tables>, { ids, counted }: WatchedUsers) {
  const values = ids.filter((id) => counted.users.has(id))
  const newest = await selectNewest(db, { column: 'user_id', values, after: null })
  return ids.map((id) => ({
    user_id: id,
    ...(counted.users.get(id) ?? NO_RATINGS),
    newest: newest.get(id) ?? [],
  }))
}

type WatchedColumn<T> = {
  column: 'symbol_key' | 'user_id'
  values: readonly T[]
  after: number | null
}

async function selectNewest<T extends string | number>(
  db: Kysely<Tables>,
  { column, values, after }: WatchedColumn<T>,
): Promise<Map<T, number[]>> {
  const newest = new Map<T, number[]>()
  if (values.length === 0) return newest
  const { rows } = await sql<{ of: T; id: number }>`
    select of, id from (
      select ${sql.ref(column)} as of, id,
        row_number() over (partition by ${sql.ref(column)} order by created_at desc, id desc) as place
      from rating
      where ${sql.ref(column)} in (${sql.join([...values])})
        ${after === null ? sql`` : sql`and created_at > ${after}`}
    ) as placed
    where place <= ${sql.lit(NEWEST_MAX)}
    order by of, place`.execute(db)
  for (const { of, id } of rows) {
    const ids = newest.get(of)
    if (ids) ids.push(id)
    else newest.set(of, [id])
  }
  return newest
}

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
