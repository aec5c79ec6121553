import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import {
  OTHERS_MIN,
  toDistanceInNanos,
  toDistanceInSteps,
  toMeanDistance,
} from '#lib/archive/query/consensus.ts'
import { toEnded } from '#lib/archive/query/rating-conditions.ts'
import { USER_RATING_FIELDS } from '#lib/archive/ratings/ratings.ts'
import type { ArchiveReader, ReadOptions } from '#lib/archive/reader.ts'
import {
  LATER_DAYS,
  USER_RATINGS_MAX,
  USER_SYMBOLS_DRAWN_MAX,
} from '#lib/contract/answers/limits.ts'
import {
  JUDGED_MAX,
  type UserRating,
  type UserRatings,
  type UserRecord,
} from '#lib/contract/answers/users.ts'
import { toRatio } from '#lib/statistics/exact.ts'
import { selectCloseness } from './closeness.ts'

const DAY = 86_400
const ACTIVITY_DAYS = 53 * 7

/** What can be judged of a user at `at` without prices, as the contract's `record` defines it; null where the user had not rated. */
export async function selectUserRecord(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<UserRecord | null> {
  const [judged, persistence, activity, closeness] = await Promise.all([
    reader.read((db) => selectJudged(db, userId, at), signal),
    reader.read((db) => selectPersistence(db, userId, at), signal),
    reader.read((db) => selectActivity(db, userId, at), signal),
    selectCloseness(reader, userId, { at }),
  ])
  if (judged.length === 0) return null
  return {
    judged: judged.length,
    distance: toDistance(judged),
    lead: toLead(judged),
    persistence,
    activity,
    closeness,
  }
}

/** How the user's ratings ended. Who renews in the second in which it expires leaves no gap. */
async function selectPersistence(db: Kysely<Tables>, userId: number, at: number) {
  return await db
    .with('own', (rest) =>
      rest
        .selectFrom('rating')
        .select([
          'created_at',
          'effective_until',
          sql<number | null>`nullif(expired_at, 0)`.as('expires'),
          sql<
            number | null
          >`lead(created_at) over (partition by symbol_key order by created_at, id)`.as('next_at'),
        ])
        .where('user_id', '=', userId)
        .where('created_at', '<=', at),
    )
    .with('done', (rest) =>
      rest
        .selectFrom('own')
        .select([
          sql<string>`case
            when expires <= created_at then 'never'
            when next_at is null then 'lapsed'
            when effective_until < next_at then 'returned'
            else 'renewed'
          end`.as('how'),
        ])
        .where('effective_until', '<=', at),
    )
    .selectFrom('done')
    .select((eb) => [
      eb.fn.countAll<number>().as('ended'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'renewed').as('renewed'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'returned').as('returned'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'lapsed').as('lapsed'),
      eb.fn.countAll<number>().filterWhere('how', '=', 'never').as('never'),
    ])
    .executeTakeFirstOrThrow()
}

async function selectActivity(db: Kysely<Tables>, userId: number, at: number) {
  const first = (Math.floor(at / DAY) - ACTIVITY_DAYS + 1) * DAY
  return await db
    .selectFrom('rating')
    .select((eb) => [
      sql<number>`created_at - created_at % ${sql.lit(DAY)}`.as('day'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '>=', first)
    .where('created_at', '<=', at)
    .groupBy('day')
    .orderBy('day')
    .execute()
}

const LEAD_SECONDS = LATER_DAYS * 86_400

/**
 * A user's rating beside the others on its symbol: how many were active before it and what they add up to, and the
 * same 30 days later. Null where there were too few, or where that day is yet to come.
 */
type JudgedRating = {
  rating: number
  before_count: number | null
  before_sum: number | null
  after_count: number | null
  after_sum: number | null
}

/** The latest ratings of a user by `at`, each with the others at its instant and 30 days later. */
async function selectJudged(
  db: Kysely<Tables>,
  userId: number,
  at: number,
): Promise<JudgedRating[]> {
  const toOthers = { count: sql<number>`count(*)`, sum: sql<number>`sum(other.rating)` }
  return await db
    .with('judged', (rest) =>
      rest
        .selectFrom('rating')
        .select(['id', 'symbol_key', 'rating', 'created_at'])
        .where('user_id', '=', userId)
        .where('created_at', '<=', at)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(JUDGED_MAX),
    )
    .with('before', (rest) =>
      rest
        .selectFrom('judged')
        .innerJoin('rating as other', (join) =>
          join
            .onRef('other.symbol_key', '=', 'judged.symbol_key')
            .on('other.user_id', '!=', userId)
            .onRef('other.created_at', '<=', 'judged.created_at')
            .onRef('other.effective_until', '>', 'judged.created_at')
            .on((eb) =>
              eb.or([
                eb('other.created_at', '<', eb.ref('judged.created_at')),
                eb('other.id', '<', eb.ref('judged.id')),
              ]),
            ),
        )
        .select(['judged.id', toOthers.count.as('before_count'), toOthers.sum.as('before_sum')])
        .groupBy('judged.id')
        .having(toOthers.count, '>=', OTHERS_MIN),
    )
    .with('after', (rest) =>
      rest
        .selectFrom('judged')
        .innerJoin('rating as other', (join) =>
          join
            .onRef('other.symbol_key', '=', 'judged.symbol_key')
            .on('other.user_id', '!=', userId)
            .on(sql<boolean>`other.created_at <= judged.created_at + ${sql.lit(LEAD_SECONDS)}`)
            .on(sql<boolean>`other.effective_until > judged.created_at + ${sql.lit(LEAD_SECONDS)}`),
        )
        .select(['judged.id', toOthers.count.as('after_count'), toOthers.sum.as('after_sum')])
        .where('judged.created_at', '<=', at - LEAD_SECONDS)
        .groupBy('judged.id')
        .having(toOthers.count, '>=', OTHERS_MIN),
    )
    .selectFrom('judged')
    .leftJoin('before', 'before.id', 'judged.id')
    .leftJoin('after', 'after.id', 'judged.id')
    .select(['judged.rating', 'before_count', 'before_sum', 'after_count', 'after_sum'])
    .execute()
}

type Others = { count: number; sum: number }

const toOthers = (count: number | null, sum: number | null): Others | null =>
  count === null || sum === null ? null : { count, sum }

/** How far the ratings stood from the others when they were posted. */
function toDistance(judged: readonly JudgedRating[]): UserRecord['distance'] {
  let [n, sum, size] = [0, 0n, 0n]
  const gaps = new Map<number, number>()
  for (const { rating, before_count, before_sum } of judged) {
    const others = toOthers(before_count, before_sum)
    if (others === null) continue
    const nanos = toDistanceInNanos(rating, others)
    const gap = toDistanceInSteps(rating, others)
    n += 1
    sum += nanos
    size += nanos < 0n ? -nanos : nanos
    gaps.set(gap, (gaps.get(gap) ?? 0) + 1)
  }
  return {
    n,
    mean: toMeanDistance(sum, n),
    size: toMeanDistance(size, n),
    gaps: [...gaps].sort(([a], [b]) => a - b).map(([gap, count]) => ({ gap, count })),
  }
}

/** Whether the others came towards the ratings that stood apart from them. */
function toLead(judged: readonly JudgedRating[]): UserRecord['lead'] {
  const lead = { n: 0, towards: 0, away: 0, still: 0 }
  for (const row of judged) {
    const before = toOthers(row.before_count, row.before_sum)
    const after = toOthers(row.after_count, row.after_sum)
    if (before === null || after === null) continue
    const stance = Math.sign(row.rating * before.count - before.sum)
    if (stance === 0) continue
    const move = Math.sign(after.sum * before.count - before.sum * after.count)
    lead.n += 1
    lead[move === 0 ? 'still' : move === stance ? 'towards' : 'away'] += 1
  }
  const moved = lead.towards + lead.away
  return { ...lead, chance: lead.n === 0 ? null : toRatio(moved, 2 * lead.n) }
}

/**
 * The ratings of a user by `at`: the latest {@link USER_RATINGS_MAX} on the {@link USER_SYMBOLS_DRAWN_MAX} symbols most
 * recently rated. A symbol that none of them is on is left out. Null where the user had not rated.
 */
export async function selectUserRatings(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<UserRatings | null> {
  const rows = await reader.read((db) => selectLatest(db, userId, at), signal)
  const [first] = rows
  if (!first) return null
  const symbols = new Map<string, UserRating[]>()
  for (const row of rows) {
    const ratings = symbols.get(row.symbol) ?? []
    if (ratings.length === 0) symbols.set(row.symbol, ratings)
    ratings.unshift(toUserRating(row, at))
  }
  return {
    symbols: [...symbols].map(([symbol, ratings]) => ({ symbol, calls: ratings })),
    symbols_total: first.symbols_total,
    calls_total: first.calls_total,
  }
}

/** The latest first, so that the symbols come in the order of their latest one. Texts are read of the drawn ones alone. */
async function selectLatest(db: Kysely<Tables>, userId: number, at: number) {
  return await db
    .with('own', () => selectOwn(db, userId, at))
    .with('drawn', (rest) =>
      rest
        .selectFrom('own')
        .select('symbol_key')
        .where('back', '=', 1)
        .orderBy('made_at', 'desc')
        .orderBy('own_id', 'desc')
        .limit(USER_SYMBOLS_DRAWN_MAX),
    )
    .with('latest', (rest) =>
      rest
        .selectFrom('own')
        .where('symbol_key', 'in', rest.selectFrom('drawn').select('symbol_key'))
        .select(['own_id', 'calls_total', 'symbols_total'])
        .orderBy('made_at', 'desc')
        .orderBy('own_id', 'desc')
        .limit(USER_RATINGS_MAX),
    )
    .selectFrom('rating')
    .innerJoin('latest', 'own_id', 'rating.id')
    .innerJoin('symbol', 'symbol.symbol_key', 'rating.symbol_key')
    .select([...USER_RATING_FIELDS, 'vanished_at', 'symbol.symbol'])
    .select(['calls_total', 'symbols_total'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

const selectOwn = (db: Kysely<Tables>, userId: number, at: number) =>
  db
    .selectFrom('rating')
    .select((eb) => [
      'id as own_id',
      'symbol_key',
      'created_at as made_at',
      sql<number>`count(*) over ()`.as('calls_total'),
      sql<number>`count(*) filter (${eb('previous_rating', 'is', null)}) over ()`.as(
        'symbols_total',
      ),
      sql<number>`row_number() over (partition by symbol_key order by created_at desc, id desc)`.as(
        'back',
      ),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '<=', at)

type Row = Awaited<ReturnType<typeof selectLatest>>[number]

/** What the user posted after `at` had not ended anything yet. */
function toUserRating(row: Row, at: number): UserRating {
  const { symbol: _symbol, calls_total: _ratings, symbols_total: _symbols, ...rating } = row
  const { expired_at, effective_until, vanished_at, ...fields } = rating
  const ended = toEnded({ expired_at, effective_until, vanished_at }, at)
  return { ...fields, until: ended === null ? expired_at || null : effective_until, ended }
}
