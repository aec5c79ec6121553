import type { Kysely, OrderByItemBuilder } from 'kysely'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { RATING_FIELDS } from '#lib/contract/rating.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { ReadOptions, Rows } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { toConditions, toState } from './rating-conditions.ts'
import type { RatingTable, Tables } from './tables.ts'

const ROW_FIELDS = [
  ...RATING_FIELDS,
  'previous_rating',
  'previous_prediction',
  'effective_until',
] as const

type StoredRow = Pick<RatingTable, (typeof ROW_FIELDS)[number]>

/** From this offset on a page is found by ids alone, and only its rows are fetched whole. */
const DEEP_OFFSET = 500

/** One page of the query's rows, and how many there are on all pages. */
export async function selectRatings(
  engine: Engine,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<RatingRow>> {
  const [total, rows] = await Promise.all([
    engine.read((db) => countRatings(db, query, at), signal),
    engine.read((db) => selectPage(db, query, at), signal),
  ])
  return { rows: rows.map((row) => toRatingRow(row, query.asof ?? at)), total }
}

/** Every row of the query in its order, in the engine's batches (at most 2,048 rows), of one snapshot. */
export async function* streamRatings(
  engine: Engine,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): AsyncGenerator<RatingRow[], void, undefined> {
  const batches = engine.stream((db) => orderRatings(db, query, at).select(ROW_FIELDS), signal)
  for await (const rows of batches) yield rows.map((row) => toRatingRow(row, query.asof ?? at))
}

async function countRatings(db: Kysely<Tables>, query: RatingsQuery, at: number): Promise<number> {
  const row = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(toConditions({ query, at }))
    .executeTakeFirstOrThrow()
  return row.total
}

async function selectPage(
  db: Kysely<Tables>,
  query: RatingsQuery,
  at: number,
): Promise<StoredRow[]> {
  const offset = (query.page - 1) * query.per_page
  const page = orderRatings(db, query, at).limit(query.per_page).offset(offset)
  if (offset < DEEP_OFFSET) return await page.select(ROW_FIELDS).execute()
  return await inOrder(db.selectFrom('rating'), query)
    .select(ROW_FIELDS)
    .where('id', 'in', page.select('id'))
    .execute()
}

const orderRatings = (db: Kysely<Tables>, query: RatingsQuery, at: number) =>
  inOrder(db.selectFrom('rating').where(toConditions({ query, at })), query)

type FromRating = ReturnType<typeof fromRating>
const fromRating = (db: Kysely<Tables>) => db.selectFrom('rating')

/** By the query's column, ties by id in the same direction, what has no value last. */
function inOrder(from: FromRating, { sort }: RatingsQuery): FromRating {
  const column = sort.column === 'prediction' ? 'prediction_value' : sort.column
  const direct = (item: OrderByItemBuilder) =>
    (sort.direction === 'desc' ? item.desc() : item.asc()).nullsLast()
  const ordered = from.orderBy(column, direct)
  return column === 'id' ? ordered : ordered.orderBy('id', direct)
}

function toRatingRow({ effective_until, ...row }: StoredRow, at: number): RatingRow {
  return { ...row, state: toState({ created_at: row.created_at, effective_until }, at) }
}
