import { type Kysely, sql } from 'kysely'
import type {
  HistoryItem,
  RatingDetail,
  RatingHistory,
  RatingRow,
} from '#lib/contract/answers/ratings.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { toEnded, toState } from '#lib/timeline/standing.ts'
import { NEVER, type RatingTable, type Tables } from '../engine/tables.ts'
import { toListConditions, toListOrder } from '../lists/select-list.ts'
import { vanishedAt } from '../query/rating-conditions.ts'
import type { ArchiveReader, ReadOptions, Rows } from '../reader.ts'
import { type QueryAt, toConditions, toRatingSelection } from './rating-source.ts'

const ROW_FIELDS = [
  ...RATING_FIELDS,
  'previous_rating',
  'previous_prediction',
  'effective_until',
] as const

type StoredRow = Pick<RatingTable, (typeof ROW_FIELDS)[number] | 'vanished_at'>

const toRowFields = ({ query, at }: Page) =>
  [...ROW_FIELDS, vanishedAt(query.asof ?? at).as('vanished_at')] as const

const DEEP_OFFSET = 500

export async function selectRatings(
  reader: ArchiveReader,
  query: RatingsQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<RatingRow>> {
  const offset = (query.page - 1) * query.per_page
  const counting = reader.keptRows
    .select((db) => toCount(db, query, at), signal)
    .then((counted) => counted[0]?.total ?? 0)
  const paging =
    offset < DEEP_OFFSET
      ? reader.read((db) => selectNearPage(db, { query, at, offset }), signal)
      : counting.then((total) =>
          reader.read((db) => selectDeepPage(db, { query, at, offset }, total), signal),
        )
  const [total, rows] = await Promise.all([counting, paging])
  return { rows: rows.map((row) => toRatingRow(row, query.asof ?? at)), total }
}

const toCount = (db: Kysely<Tables>, query: RatingsQuery, at: number) =>
  db
    .selectFrom('rating')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where(toConditions({ query, at }))

type Page = { query: RatingsQuery; at: number; offset: number }

const selectNearPage = async (db: Kysely<Tables>, page: Page): Promise<StoredRow[]> =>
  await orderRatings(db, page)
    .limit(page.query.per_page)
    .offset(page.offset)
    .select(toRowFields(page))
    .execute()

/** The engine retains every row it skips: count from the nearer end. */
async function selectDeepPage(
  db: Kysely<Tables>,
  { query, at, offset }: Page,
  total: number,
): Promise<StoredRow[]> {
  const size = Math.min(query.per_page, total - offset)
  if (size <= 0) return []
  const behind = total - offset - size
  const page =
    behind < offset
      ? orderRatings(db, { query, at }, 'backwards').limit(size).offset(behind)
      : orderRatings(db, { query, at }).limit(size).offset(offset)
  return await db
    .selectFrom('rating')
    .select(toRowFields({ query, at, offset }))
    .where('id', 'in', page.select('id'))
    .orderBy(toListOrder(toRatingSelection({ query, at })))
    .execute()
}

/** Ties by id in the same direction, nulls last. */
export function orderRatings(
  db: Kysely<Tables>,
  asked: QueryAt,
  way: 'forwards' | 'backwards' = 'forwards',
) {
  const selection = toRatingSelection(asked)
  return db
    .selectFrom('rating')
    .where(toListConditions(selection))
    .orderBy(toListOrder(selection, way))
}

function toRatingRow({ effective_until, vanished_at, ...row }: StoredRow, at: number): RatingRow {
  const state = toState({ created_at: row.created_at, effective_until }, at)
  const ended = toEnded({ expired_at: row.expired_at, effective_until, vanished_at }, at)
  return { ...row, state, vanished_at, ended }
}

const HISTORY = 200

type RatingWithHistory = { rating: RatingDetail; history: RatingHistory }

/** At most 200 surrounding ratings. Null if the id does not exist. `asof` in seconds. */
export async function selectRating(
  reader: ArchiveReader,
  { id, asof }: { id: number; asof: number | null },
  { at, signal }: ReadOptions,
): Promise<RatingWithHistory | null> {
  // A commit must not separate the rating from its history.
  const read = async (db: Kysely<Tables>) =>
    await db.transaction().execute(async (snapshot) => {
      const row = await selectRow(snapshot, id, { asof, at })
      return row && { row, items: await selectItems(snapshot, row, asof) }
    })
  const found = await reader.read(read, signal)
  if (!found) return null
  return {
    rating: toDetail(found.row, { asof, at }),
    history: toHistory(found.items, asof ?? at),
  }
}

async function selectRow(db: Kysely<Tables>, id: number, { asof, at }: Instants) {
  return await db
    .selectFrom('rating')
    .select([
      ...RATING_FIELDS,
      'previous_rating',
      'previous_prediction',
      'effective_until',
      'extra',
      'symbol_key',
      vanishedAt(asof ?? at).as('vanished_at'),
    ])
    .where('id', '=', id)
    .$if(asof !== null, (query) => query.where('created_at', '<=', asof))
    .executeTakeFirst()
}

type Row = NonNullable<Awaited<ReturnType<typeof selectRow>>>

async function selectItems(db: Kysely<Tables>, { id, ...of }: Row, asof: number | null) {
  const own = db
    .selectFrom('rating')
    .select([
      ...USER_RATING_FIELDS,
      sql<number>`row_number() over (order by created_at, id)`.as('place'),
      sql<number>`count(*) over ()`.as('total'),
    ])
    .where('user_id', '=', of.user_id)
    .where('symbol_key', '=', of.symbol_key)
    .$if(asof !== null, (query) => query.where('created_at', '<=', asof))
  return await db
    .with('own', () => own)
    .with('here', (rest) => rest.selectFrom('own').select('place as centre').where('id', '=', id))
    .selectFrom(['own', 'here'])
    .select([...USER_RATING_FIELDS, 'place', 'total'])
    .where(
      'place',
      '>',
      sql<number>`greatest(0, least(centre - ${sql.lit(HISTORY / 2)}, total - ${sql.lit(HISTORY)}))`,
    )
    .orderBy('place')
    .limit(HISTORY)
    .execute()
}

type Item = Awaited<ReturnType<typeof selectItems>>[number]

function toHistory(items: readonly Item[], at: number): RatingHistory {
  const [first] = items
  const ratings = items.map(
    ({ effective_until, place: _place, total: _total, ...item }): HistoryItem => ({
      ...item,
      state: toState({ created_at: item.created_at, effective_until }, at),
    }),
  )
  return { total: first?.total ?? 0, before: (first?.place ?? 1) - 1, ratings }
}

type Instants = { asof: number | null; at: number }

function toDetail(
  { symbol_key: _key, extra, effective_until, vanished_at, ...row }: Row,
  when: Instants,
): RatingDetail {
  const at = when.asof ?? when.at
  return {
    ...row,
    state: toState({ created_at: row.created_at, effective_until }, at),
    vanished_at,
    ended: toEnded({ expired_at: row.expired_at, effective_until, vanished_at }, at),
    effective_until: toEnd({ expired_at: row.expired_at, effective_until }, when.asof),
    extra: extra === null ? null : (JSON.parse(extra) as Record<string, unknown>),
  }
}

/** Ignores ratings posted after `asof`. */
function toEnd(
  { expired_at, effective_until }: Pick<RatingTable, 'expired_at' | 'effective_until'>,
  asof: number | null,
): number | null {
  if (asof !== null && effective_until > asof) return expired_at || null
  return effective_until === NEVER ? null : effective_until
}

const IDS_PER_QUERY = 1000

/** Returns the ids that exist. Content is not compared. */
export async function selectKnownIds(
  reader: ArchiveReader,
  ids: readonly number[],
): Promise<Set<number>> {
  const known = new Set<number>()
  await reader.read(async (db) => {
    for (let start = 0; start < ids.length; start += IDS_PER_QUERY) {
      const rows = await db
        .selectFrom('rating')
        .select('id')
        .where('id', 'in', ids.slice(start, start + IDS_PER_QUERY))
        .execute()
      for (const row of rows) known.add(row.id)
    }
  })
  return known
}

const USER_RATING_FIELDS = [
  'id',
  'created_at',
  'rating',
  'rating_label',
  'action',
  'action_label',
  'prediction',
  'expired_at',
  'effective_until',
] as const
