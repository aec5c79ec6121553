import type { Kysely, OrderByItemBuilder } from 'kysely'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import type { ReadOptions, Rows } from './archive.ts'
import type { Engine } from './duckdb-engine.ts'
import { toConditions, toState, vanishedAt } from './rating-conditions.ts'
import type { RatingTable, Tables } from './tables.ts'

const ROW_FIELDS = [
  ...RATING_FIELDS,
  'previous_rating',
  'previous_prediction',
  'effective_until',
] as const

type StoredRow = Pick<RatingTable, (typeof ROW_FIELDS)[number] | 'vanished_at'>

const toRowFields = ({ query, at }: Page) =>
  [...ROW_FIELDS, vanishedAt(query.asof ?? at).as('vanished_at')] as const

/** From this offset on a page is found by ids alone, and only its rows are fetched whole. */
const DEEP_OFFSET = 500

/** One page of the query's rows, and how many there are on all pages. */
export async function selectRatings(
  engine: Engine,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<RatingRow>> {
  const offset = (query.page - 1) * query.per_page
  const counting = engine.read((db) => countRatings(db, query, at), signal)
  const paging =
    offset < DEEP_OFFSET
      ? engine.read((db) => selectNearPage(db, { query, at, offset }), signal)
      : counting.then((total) =>
          engine.read((db) => selectDeepPage(db, { query, at, offset }, total), signal),
        )
  const [total, rows] = await Promise.all([counting, paging])
  return { rows: rows.map((row) => toRatingRow(row, query.asof ?? at)), total }
}

async function countRatings(db: Kysely<Tables>, query: RatingsQuery, at: number): Promise<number> {
  const row = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(toConditions({ query, at }))
    .executeTakeFirstOrThrow()
  return row.total
}

type Page = { query: RatingsQuery; at: number; offset: number }

const selectNearPage = async (db: Kysely<Tables>, page: Page): Promise<StoredRow[]> =>
  await orderRatings(db, page.query, page.at)
    .limit(page.query.per_page)
    .offset(page.offset)
    .select(toRowFields(page))
    .execute()

/** Counted off from the nearer end: the engine holds on to every row that it has to pass. */
async function selectDeepPage(
  db: Kysely<Tables>,
  { query, at, offset }: Page,
  total: number,
): Promise<StoredRow[]> {
  const size = Math.min(query.per_page, total - offset)
  if (size <= 0) return []
  const behind = total - offset - size
  const passing = db.selectFrom('rating').where(toConditions({ query, at }))
  const page =
    behind < offset
      ? inOrder(passing, query, 'backwards').limit(size).offset(behind)
      : inOrder(passing, query).limit(size).offset(offset)
  return await inOrder(db.selectFrom('rating'), query)
    .select(toRowFields({ query, at, offset }))
    .where('id', 'in', page.select('id'))
    .execute()
}

/** The rows of a query, all of them, in its order. */
export const orderRatings = (db: Kysely<Tables>, query: RatingsQuery, at: number) =>
  inOrder(db.selectFrom('rating').where(toConditions({ query, at })), query)

type FromRating = ReturnType<typeof fromRating>
const fromRating = (db: Kysely<Tables>) => db.selectFrom('rating')

/** By the query's column, ties by id in the same direction, what has no value last; or all of that backwards. */
function inOrder(
  from: FromRating,
  { sort }: RatingsQuery,
  way: 'forwards' | 'backwards' = 'forwards',
): FromRating {
  const column = sort.column === 'prediction' ? 'prediction_value' : sort.column
  const direct = (item: OrderByItemBuilder) => {
    if (way === 'forwards') {
      return (sort.direction === 'desc' ? item.desc() : item.asc()).nullsLast()
    }
    return (sort.direction === 'desc' ? item.asc() : item.desc()).nullsFirst()
  }
  const ordered = from.orderBy(column, direct)
  return column === 'id' ? ordered : ordered.orderBy('id', direct)
}

function toRatingRow({ effective_until, vanished_at, ...row }: StoredRow, at: number): RatingRow {
  const state = toState({ created_at: row.created_at, effective_until }, at)
  return { ...row, state, vanished_at }
}
