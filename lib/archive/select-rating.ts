import { type Kysely, sql } from 'kysely'
import type {
  HistoryItem,
  RatingDetail,
  RatingHistory,
} from '#lib/contract/answers/rating-detail.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { ReadOptions } from './archive.ts'
import { CALL_FIELDS } from './call-fields.ts'
import type { Engine } from './duckdb-engine.ts'
import { qualityAt, toQualities } from './quality-bits.ts'
import { toState, vanishedAt } from './rating-conditions.ts'
import { NEVER, type RatingTable, type Tables } from './tables.ts'

/** How many of the member's ratings on the symbol are listed: this one, those around it. */
const HISTORY = 200

type Found = { rating: RatingDetail; history: RatingHistory }

/** One rating by its id, and the member's ratings on the symbol. `asof` leaves only what existed then. */
export async function selectRating(
  engine: Engine,
  { id, asof }: { id: number; asof: number | null },
  { at, signal }: ReadOptions,
): Promise<Found | null> {
  // One transaction: a commit between the two reads would part the rating from its own history.
  const read = async (db: Kysely<Tables>) =>
    await db.transaction().execute(async (snapshot) => {
      const row = await selectRow(snapshot, id, { asof, at })
      return row && { row, items: await selectItems(snapshot, row, asof) }
    })
  const found = await engine.read(read, signal)
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
      qualityAt(asof ?? at).as('quality'),
      vanishedAt(asof ?? at).as('vanished_at'),
    ])
    .where('id', '=', id)
    .$if(asof !== null, (query) => query.where('created_at', '<=', asof))
    .executeTakeFirst()
}

type Row = NonNullable<Awaited<ReturnType<typeof selectRow>>>

/** The listed ones in their order, each with its place among all of them, from 1. */
async function selectItems(db: Kysely<Tables>, { id, ...of }: Row, asof: number | null) {
  const own = db
    .selectFrom('rating')
    .select([
      ...CALL_FIELDS,
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
    .select([...CALL_FIELDS, 'place', 'total'])
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
  { symbol_key: _key, extra, effective_until, quality, vanished_at, ...row }: Row,
  when: Instants,
): RatingDetail {
  return {
    ...row,
    state: toState({ created_at: row.created_at, effective_until }, when.asof ?? when.at),
    vanished_at,
    effective_until: toEnd({ expired_at: row.expired_at, effective_until }, when.asof),
    quality: toQualities(quality),
    extra: extra === null ? null : (JSON.parse(extra) as Record<string, unknown>),
  }
}

/** When it ends as far as was known at `asof`: a rating that came later had not ended it yet. */
function toEnd(
  { expired_at, effective_until }: Pick<RatingTable, 'expired_at' | 'effective_until'>,
  asof: number | null,
): number | null {
  if (asof !== null && effective_until > asof) return expired_at || null
  return effective_until === NEVER ? null : effective_until
}
