import { type Kysely, sql } from 'kysely'
import type { RatingTable, Tables } from '#lib/archive/engine/tables.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { EVERY_RATING, type RatingsQuery } from '#lib/contract/ratings-query.ts'
import { type IdRange, subtractRanges } from './id-ranges.ts'
import { toConditions } from './rating-source.ts'

/**
 * `known`: sorted. An id below the highest known one is new only if posted at `lateFrom` or later.
 * Seconds since 1970.
 */
export type NewsQuery = {
  known: readonly IdRange[]
  lateFrom: number
  queries: readonly { query: RatingsQuery; from: number }[]
  examples: number
  symbols: readonly { symbol: string; before: number }[]
}

type NewRating = Pick<
  RatingRow,
  | 'id'
  | 'user_id'
  | 'symbol'
  | 'rating'
  | 'rating_label'
  | 'action'
  | 'action_label'
  | 'prediction'
  | 'created_at'
  | 'previous_rating'
  | 'previous_prediction'
>

type ActiveRatings = { active: number; sum: number | null }

export type News = {
  ids: IdRange[]
  matches: { query: number; total: number; ids: number[] }[]
  ratings: ReadonlyMap<number, NewRating>
  sums: { now: ActiveRatings; before: ActiveRatings }[]
}

const NEWS_FIELDS = [
  'id',
  'user_id',
  'symbol',
  'rating',
  'rating_label',
  'action',
  'action_label',
  'prediction',
  'created_at',
  'previous_rating',
  'previous_prediction',
] as const satisfies readonly (keyof RatingTable)[]

/** Compiling them blocks for about 10 ms. */
const QUERIES_AT_ONCE = 100

export async function selectNews(
  reader: ArchiveReader,
  asked: NewsQuery,
  { at, signal }: ReadOptions,
): Promise<News> {
  const read = async (db: Kysely<Tables>) =>
    await db.transaction().execute(async (snapshot) => {
      const ids = subtractRanges(await selectHeld(snapshot, asked), asked.known)
      const matches = ids.length === 0 ? [] : await selectMatches(snapshot, { ids, asked, at })
      const ratings = await selectRows(snapshot, matches)
      const sums = await selectSums(snapshot, asked.symbols, at)
      return { ids, matches, ratings, sums }
    })
  return await reader.read(read, signal)
}

async function selectHeld(
  db: Kysely<Tables>,
  { known, lateFrom }: Pick<NewsQuery, 'known' | 'lateFrom'>,
): Promise<IdRange[]> {
  const highest = known.at(-1)?.[1] ?? Number.MIN_SAFE_INTEGER
  const numbered = db
    .selectFrom('rating')
    .select(['id', sql<number>`id - row_number() over (order by id)`.as('island')])
    .where((eb) => eb.or([eb('id', '>', highest), eb('created_at', '>=', lateFrom)]))
  const rows = await db
    .selectFrom(numbered.as('numbered'))
    .select((eb) => [eb.fn.min('id').as('low'), eb.fn.max('id').as('high')])
    .groupBy('island')
    .orderBy('low')
    .execute()
  return rows.map(({ low, high }) => [Number(low), Number(high)])
}

type Matching = { ids: readonly IdRange[]; asked: NewsQuery; at: number }

async function selectMatches(
  db: Kysely<Tables>,
  { ids, asked: { queries, examples }, at }: Matching,
): Promise<News['matches']> {
  const found: News['matches'] = []
  for (let first = 0; first < queries.length; first += QUERIES_AT_ONCE) {
    const some = queries.slice(first, first + QUERIES_AT_ONCE)
    const marks = some.map(({ query, from }, index) => {
      const passes = toConditions({ query: { ...EVERY_RATING, ...query, asof: null }, at })
      return sql`case when created_at >= ${from} and ${passes} then ${sql.lit(index)} end`
    })
    const passing = db
      .selectFrom('rating')
      .select(['id', 'created_at', sql<number | null>`unnest([${sql.join(marks)}])`.as('place')])
      .where('id', 'in', listed(ids))
    const rows = await db
      .selectFrom(passing.as('passing'))
      .select((eb) => ['place', eb.fn.countAll<number>().as('total'), newest(examples)])
      .where('place', 'is not', null)
      .groupBy('place')
      .orderBy('place')
      .execute()
    for (const { place, total, newest: texts } of rows) {
      found.push({ query: first + (place ?? 0), total, ids: texts.split(' ').map(Number) })
    }
  }
  return found
}

const newest = (count: number) =>
  sql<string>`array_to_string(list(id order by created_at desc, id desc)[1:${sql.lit(count)}], ' ')`.as(
    'newest',
  )

function listed(ids: readonly IdRange[]) {
  const lows = sql.join(ids.map(([low]) => sql.lit(low)))
  const highs = sql.join(ids.map(([, high]) => sql.lit(high)))
  return sql<number>`(select unnest(generate_series(low, high)) from (
    select unnest([${lows}]::bigint[]) as low, unnest([${highs}]::bigint[]) as high))`
}

async function selectRows(db: Kysely<Tables>, matches: News['matches']): Promise<News['ratings']> {
  const ids = [...new Set(matches.flatMap((match) => match.ids))]
  if (ids.length === 0) return new Map()
  const rows = await db.selectFrom('rating').select(NEWS_FIELDS).where('id', 'in', ids).execute()
  return new Map(rows.map((row) => [row.id, row]))
}

async function selectSums(
  db: Kysely<Tables>,
  symbols: NewsQuery['symbols'],
  at: number,
): Promise<News['sums']> {
  if (symbols.length === 0) return []
  const keys = sql.join(symbols.map(({ symbol }) => sql`${symbol}`))
  const befores = sql.join(symbols.map(({ before }) => sql.lit(before)))
  const asked = sql<{ place: number; key: string; before: number }>`(
    select unnest(range(0, ${sql.lit(symbols.length)})) as place, unnest([${keys}]) as key,
      unnest([${befores}]::bigint[]) as before)`
  const wasActive = sql<boolean>`created_at <= before and effective_until > before`
  const rows = await db
    .selectFrom('rating')
    .innerJoin(asked.as('asked'), 'asked.key', 'rating.symbol_key')
    .select((eb) => [
      'place',
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      eb.fn.sum<number | null>('rating.rating').filterWhere(isActive(at)).as('sum'),
      eb.fn.countAll<number>().filterWhere(wasActive).as('active_before'),
      eb.fn.sum<number | null>('rating.rating').filterWhere(wasActive).as('sum_before'),
    ])
    .groupBy('place')
    .execute()
  const byPlace = new Map(rows.map((row) => [row.place, row]))
  return symbols.map((_, place) => {
    const row = byPlace.get(place)
    return {
      now: { active: row?.active ?? 0, sum: row?.sum ?? null },
      before: { active: row?.active_before ?? 0, sum: row?.sum_before ?? null },
    }
  })
}
