import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Expression, expressionBuilder, type Kysely, type SqlBool, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { EVERY_ROW, type GivenRows } from '#lib/archive/lists/given-rows.ts'
import { distanceInNanos } from '#lib/archive/query/consensus.ts'
import { isActive } from '#lib/archive/query/rating-conditions.ts'
import { roundedQuotient, wilsonLow } from '#lib/archive/query/statistics.ts'
import type { ArchiveReader, ReadOptions, Rows } from '#lib/archive/reader.ts'
import { NO_LUCK, type Standings, selectStandings } from '#lib/archive/record/record.ts'
import { ACTIVITY_WEEK_SECONDS, ACTIVITY_WEEKS } from '#lib/contract/answers/limits.ts'
import type { Luck } from '#lib/contract/answers/track.ts'
import type { Standing, UserRow } from '#lib/contract/answers/users.ts'
import { toHorizon } from '#lib/contract/horizons.ts'
import type { NearUsersQuery, UserSort } from '#lib/contract/lists/users.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toWilsonLow } from '#lib/statistics/exact.ts'
import { OTHERS_MIN, toMeanDistance } from '#lib/timeline/others.ts'
import { selectCompared } from './closeness.ts'

const ROWS_A_TURN = 1000

const RECENT_SECONDS = 90 * 86_400

const UNBIASED = 10

/** `ids` null: any; `standings` null: no prices. */
type NarrowedUsersQuery = NearUsersQuery & {
  ids: readonly number[] | null
  standings: Standings | null
}

export async function narrowUsers(
  reader: ArchiveReader,
  query: NearUsersQuery,
  options: ReadOptions,
): Promise<NarrowedUsersQuery> {
  const ids = await selectCompared(reader, query, options)
  const standings = await selectStandings(reader, toHorizon(query.horizon), options)
  return { ...query, ids, standings }
}

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

const toStanding = ({ standings }: NarrowedUsersQuery, userId: number): Standing =>
  standings?.of(userId) ?? UNPRICED

/** `q` is an id prefix; `like` sorts by edit distance. Nulls last, ties by id. */
export async function selectUsers(
  reader: ArchiveReader,
  query: NearUsersQuery,
  options: ReadOptions,
): Promise<Rows<UserRow> & { luck: Luck }> {
  const narrowed = await narrowUsers(reader, query, options)
  const { rows, total } = await selectUserFigures(reader, narrowed, options)
  const activity = await selectWeeks(
    reader,
    rows.map((row) => row.user_id),
    options,
  )
  return {
    rows: rows.map((row) => ({ ...row, activity: activity(row.user_id) })),
    total,
    luck: narrowed.standings?.luck ?? NO_LUCK,
  }
}

export async function userRows(
  reader: ArchiveReader,
  query: NearUsersQuery,
  options: ReadOptions,
): Promise<GivenRows> {
  const narrowed = await narrowUsers(reader, query, options)
  return {
    select: async (snapshot) =>
      await selectUserFigures(snapshot, { ...narrowed, ...EVERY_ROW }, options),
  }
}

export async function selectUserFigures(
  reader: Pick<ArchiveReader, 'read'>,
  query: NarrowedUsersQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<Omit<UserRow, 'activity'>>> {
  const [total, rows] = await Promise.all([
    reader.read((db) => countUsers(db, query, at), signal),
    reader.read((db) => selectAnyPage(db, query, at), signal),
  ])
  const figures: Omit<UserRow, 'activity'>[] = []
  for (const [place, { bias_nanos, ...row }] of rows.entries()) {
    if (place > 0 && place % ROWS_A_TURN === 0) await nextTurn()
    figures.push({
      ...row,
      agreement_low: toWilsonLow(row.agree, row.agree + row.disagree),
      bias: bias_nanos === null ? null : toMeanDistance(BigInt(bias_nanos), row.bias_n),
      ...toStanding(query, row.user_id),
    })
  }
  return { rows: figures, total }
}

const eb = expressionBuilder<Tables, 'rating'>()

const distanceTo = (like: string, userId: 'user_id' | 'tally.user_id') =>
  sql<number>`damerau_levenshtein(cast(${like} as text), cast(${sql.ref(userId)} as text))`

/** Two digits would match far too many ids. */
const FARTHEST = 1

type UserSearch = Pick<NarrowedUsersQuery, 'q' | 'like' | 'ids'>

function isOfLeague({ q, like = '', ids }: UserSearch, at: number): Expression<SqlBool> {
  return eb.and([
    eb('created_at', '<=', at),
    ...(q === '' ? [] : [sql<boolean>`position(cast(${q} as text) in cast(user_id as text)) = 1`]),
    ...(like === '' ? [] : [eb(distanceTo(like, 'user_id'), '<=', FARTHEST)]),
    ...(ids === null
      ? []
      : [
          sql<boolean>`user_id in (select unnest(cast(cast(${`[${ids.join()}]`} as text) as bigint[])))`,
        ]),
  ])
}

async function countUsers(db: Kysely<Tables>, query: UserSearch, at: number): Promise<number> {
  const row = await db
    .selectFrom('rating')
    .select((eb) => eb.fn.count<number>('user_id').distinct().as('total'))
    .where(isOfLeague(query, at))
    .executeTakeFirstOrThrow()
  return row.total
}

const selectTally = (db: Kysely<Tables>, query: UserSearch, at: number) =>
  db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      eb.fn.countAll<number>().as('ratings'),
      eb.fn.countAll<number>().filterWhere(isActive(at)).as('active'),
      eb.fn.countAll<number>().filterWhere('previous_rating', 'is', null).as('symbols'),
      eb.fn
        .countAll<number>()
        .filterWhere('created_at', '>', at - RECENT_SECONDS)
        .as('recent'),
      eb.fn.sum<number>('tally_agree').as('agree'),
      eb.fn.sum<number>('tally_disagree').as('disagree'),
      eb.fn.max('created_at').as('last_created_at'),
    ])
    .where(isOfLeague(query, at))
    .groupBy('user_id')

/** A user has at most one active rating on a symbol. */
const selectBias = (db: Kysely<Tables>, at: number) =>
  db
    .with('standing', (rest) =>
      rest.selectFrom('rating').select(['user_id', 'symbol_key', 'rating']).where(isActive(at)),
    )
    .with('crowd', (rest) =>
      rest
        .selectFrom('standing')
        .select((eb) => [
          'symbol_key',
          eb.fn.countAll<number>().as('size'),
          eb.fn.sum<number>('rating').as('rating_sum'),
        ])
        .groupBy('symbol_key')
        .having((eb) => eb(eb.fn.countAll<number>(), '>', OTHERS_MIN)),
    )
    .selectFrom('standing')
    .innerJoin('crowd', 'crowd.symbol_key', 'standing.symbol_key')
    .select((eb) => {
      const others = {
        count: sql<number>`(${eb.ref('size')} - 1)`,
        sum: sql<number>`(${eb.ref('rating_sum')} - ${eb.ref('rating')})`,
      }
      return [
        'user_id',
        eb.fn.countAll<number>().as('bias_n'),
        sql<number>`sum(${distanceInNanos(eb.ref('rating'), others)})`.as('bias_nanos'),
      ]
    })
    .groupBy('user_id')

async function selectAnyPage(db: Kysely<Tables>, query: NarrowedUsersQuery, at: number) {
  const { column, direction } = query.sort
  if (!isOfRecord(column)) {
    return await selectPage(db, { ...query, sort: { column, direction } }, at)
  }
  const ids = await selectPageByRecord(db, query, { column, direction, at })
  const asked = { ...query, ids, q: '', like: '', page: 1, per_page: Math.max(1, ids.length) }
  const rows = await selectPage(db, { ...asked, sort: { column: 'user_id', direction: 'asc' } }, at)
  const byId = new Map(rows.map((row) => [row.user_id, row]))
  return ids.flatMap((id) => byId.get(id) ?? [])
}

const RECORD_SORTS = ['record', 'clusters', 'excess'] as const
type RecordSort = (typeof RECORD_SORTS)[number]
type PlainSort = Exclude<UserSort, RecordSort>

const isOfRecord = (column: UserSort): column is RecordSort =>
  RECORD_SORTS.some((name) => name === column)

/** Higher is better; nulls last in both directions. */
const toRecordValue = (column: RecordSort, { rank, clusters, excess }: Standing) => {
  if (column === 'record') return rank === null ? null : -rank
  return column === 'clusters' ? clusters : excess === null ? null : Number(excess)
}

async function selectPageByRecord(
  db: Kysely<Tables>,
  query: NarrowedUsersQuery,
  { column, direction, at }: { column: RecordSort; direction: 'asc' | 'desc'; at: number },
): Promise<number[]> {
  const { like = '', page, per_page: perPage } = query
  const rows = await db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      eb.fn.countAll<number>().as('ratings'),
      (like === '' ? sql<number>`0` : distanceTo(like, 'user_id')).as('distance'),
    ])
    .where(isOfLeague(query, at))
    .groupBy('user_id')
    .execute()
  const sign = direction === 'desc' ? -1 : 1
  return rows
    .map((row) => ({ ...row, value: toRecordValue(column, toStanding(query, row.user_id)) }))
    .sort(
      (a, b) =>
        a.distance - b.distance ||
        Number(a.value === null) - Number(b.value === null) ||
        sign * ((a.value ?? 0) - (b.value ?? 0)) ||
        b.ratings - a.ratings ||
        a.user_id - b.user_id,
    )
    .slice((page - 1) * perPage, page * perPage)
    .map(({ user_id: userId }) => userId)
}

type PlainQuery = Omit<NarrowedUsersQuery, 'sort'> & { sort: Sort<PlainSort> }

async function selectPage(db: Kysely<Tables>, query: PlainQuery, at: number) {
  const { like = '', sort, page, per_page: perPage } = query
  return await db
    .with('tally', () => selectTally(db, query, at))
    .with('leaning', () => selectBias(db, at))
    .selectFrom('tally')
    .leftJoin('leaning', 'leaning.user_id', 'tally.user_id')
    .select((eb) => [
      'tally.user_id',
      'ratings',
      'active',
      'symbols',
      'recent',
      'agree',
      'disagree',
      sql<string | null>`cast(bias_nanos as text)`.as('bias_nanos'),
      eb.fn.coalesce('bias_n', eb.lit(0)).as('bias_n'),
      'last_created_at',
    ])
    .$if(like !== '', (found) => found.orderBy(distanceTo(like, 'tally.user_id')))
    .orderBy(
      (eb) => {
        if (sort.column === 'agreement')
          return wilsonLow(eb.ref('agree'), sql`(${eb.ref('agree')} + ${eb.ref('disagree')})`)
        if (sort.column === 'bias')
          return roundedQuotient(
            eb.ref('bias_nanos'),
            sql`(${eb.ref('bias_n')} + ${sql.lit(UNBIASED)})`,
          )
        return eb.ref(sort.column === 'user_id' ? 'tally.user_id' : sort.column)
      },
      (item) => (sort.direction === 'desc' ? item.desc() : item.asc()).nullsLast(),
    )
    .orderBy('tally.user_id')
    .limit(perPage)
    .offset((page - 1) * perPage)
    .execute()
}

async function selectWeeks(
  reader: ArchiveReader,
  userIds: readonly number[],
  { at, signal }: ReadOptions,
): Promise<(userId: number) => number[]> {
  if (userIds.length === 0) return () => []
  const counts = await reader.read((db) => selectWeekCounts(db, userIds, at), signal)
  const weeks = new Map(userIds.map((id) => [id, Array.from({ length: ACTIVITY_WEEKS }, () => 0)]))
  for (const { user_id, weeks_ago, count } of counts) {
    const own = weeks.get(user_id)
    if (own) own[ACTIVITY_WEEKS - 1 - weeks_ago] = count
  }
  return (userId) => weeks.get(userId) ?? []
}

async function selectWeekCounts(db: Kysely<Tables>, userIds: readonly number[], at: number) {
  const week = sql.lit(ACTIVITY_WEEK_SECONDS)
  return await db
    .selectFrom('rating')
    .select((eb) => [
      'user_id',
      sql<number>`cast((${sql.lit(at)} - created_at) // ${week} as integer)`.as('weeks_ago'),
      eb.fn.countAll<number>().as('count'),
    ])
    .where('created_at', '>', at - ACTIVITY_WEEKS * ACTIVITY_WEEK_SECONDS)
    .where('created_at', '<=', at)
    .where('user_id', 'in', userIds)
    .groupBy(['user_id', 'weeks_ago'])
    .execute()
}
