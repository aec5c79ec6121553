import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { EVERY_ROW, type GivenRows } from '#lib/archive/lists/given-rows.ts'
import type { ArchiveReader, ReadOptions, Rows } from '#lib/archive/reader.ts'
import { NO_LUCK, type Standings, selectStandings } from '#lib/archive/record/record.ts'
import type { Luck } from '#lib/contract/answers/track.ts'
import type { Standing, User, UserRatings, UserRow } from '#lib/contract/answers/users.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import type { NearUsersQuery, UserSort } from '#lib/contract/lists/users.ts'
import { userOf, userRatingsOf } from '#lib/timeline/user.ts'

const ROWS_A_TURN = 1000

const UNPRICED: Standing = {
  clusters: null,
  hit_rate: null,
  hit_low: null,
  hit_high: null,
  rank: null,
  excess: null,
  excess_low: null,
  excess_high: null,
}

/** `q` is an id prefix; `like` sorts by edit distance. Nulls last, ties by id. */
export async function selectUsers(
  reader: ArchiveReader,
  query: NearUsersQuery,
  options: ReadOptions,
): Promise<Rows<UserRow> & { luck: Luck }> {
  const standings = await selectStandings(reader, toHorizon(query.horizon), options)
  const users = await selectUserFigures(reader, query, { ...options, standings })
  return { ...users, luck: standings?.luck ?? NO_LUCK }
}

export async function userRows(
  reader: ArchiveReader,
  query: NearUsersQuery,
  options: ReadOptions,
): Promise<GivenRows> {
  const standings = await selectStandings(reader, toHorizon(query.horizon), options)
  return {
    select: async (snapshot) =>
      await selectUserFigures(snapshot, { ...query, ...EVERY_ROW }, { ...options, standings }),
  }
}

/** `standings` null: no prices. */
export async function selectUserFigures(
  reader: Pick<ArchiveReader, 'read'>,
  query: NearUsersQuery,
  { at, signal, standings }: ReadOptions & { standings: Standings | null },
): Promise<Rows<UserRow>> {
  const { page, per_page: perPage } = query
  const standingOf = (userId: number) => standings?.of(userId) ?? UNPRICED
  const users = await reader.read((db) => selectTallies(db, query, at), signal)
  const sorted = sortUsers(users, query, standingOf).slice((page - 1) * perPage, page * perPage)
  const rows: UserRow[] = []
  for (const [place, { distance: _, ...tally }] of sorted.entries()) {
    if (place > 0 && place % ROWS_A_TURN === 0) await nextTurn()
    rows.push({ ...tally, ...standingOf(tally.user_id) })
  }
  return { rows, total: users.length }
}

type Tally = Pick<UserRow, 'user_id' | 'ratings' | 'symbols' | 'last_created_at'> & {
  distance: number
}

/** Two digits would match far too many ids. */
const FARTHEST = 1

async function selectTallies(
  db: Kysely<Tables>,
  { q, like = '' }: Pick<NearUsersQuery, 'q' | 'like'>,
  at: number,
): Promise<Tally[]> {
  const distance = sql<number>`damerau_levenshtein(cast(${like} as text), cast(user_id as text))`
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.countAll<number>().filterWhere('previous_rating', 'is', null).as('symbols'),
      eb.fn.max('created_at').as('last_created_at'),
      (like === '' ? sql<number>`0` : distance).as('distance'),
    ])
    .where('created_at', '<=', at)
    .$if(q !== '', (all) =>
      all.where(sql<boolean>`position(cast(${q} as text) in cast(user_id as text)) = 1`),
    )
    .$if(like !== '', (all) => all.where(distance, '<=', FARTHEST))
    .groupBy('user_id')
    .execute()
}

const RECORD_SORTS = ['record', 'clusters', 'excess'] as const
type RecordSort = (typeof RECORD_SORTS)[number]

const isOfRecord = (column: UserSort): column is RecordSort =>
  RECORD_SORTS.some((name) => name === column)

/** Higher is better; nulls last in both directions. */
const toRecordValue = (column: RecordSort, { rank, clusters, excess }: Standing) => {
  if (column === 'record') return rank === null ? null : -rank
  return column === 'clusters' ? clusters : excess === null ? null : Number(excess)
}

function sortUsers(
  users: readonly Tally[],
  { sort: { column, direction } }: Pick<NearUsersQuery, 'sort'>,
  standingOf: (userId: number) => Standing,
): Tally[] {
  const sign = direction === 'desc' ? -1 : 1
  const toValue = (user: Tally) =>
    isOfRecord(column) ? toRecordValue(column, standingOf(user.user_id)) : user[column]
  return users
    .map((user) => ({ user, value: toValue(user) }))
    .sort(
      (a, b) =>
        a.user.distance - b.user.distance ||
        Number(a.value === null) - Number(b.value === null) ||
        sign * ((a.value ?? 0) - (b.value ?? 0)) ||
        (isOfRecord(column) ? b.user.ratings - a.user.ratings : 0) ||
        a.user.user_id - b.user.user_id,
    )
    .map(({ user }) => user)
}

/** Null if there are no ratings by `at`. */
export async function selectUser(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<User | null> {
  const timeline = await reader.userTimelines.load(String(userId), signal)
  return timeline && userOf(timeline, at)
}

export async function selectUserRatings(
  reader: ArchiveReader,
  userId: number,
  { at, signal }: ReadOptions,
): Promise<UserRatings | null> {
  const timeline = await reader.userTimelines.load(String(userId), signal)
  return timeline && userRatingsOf(timeline, at)
}
