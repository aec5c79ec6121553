import { type Kysely, sql } from 'kysely'
import type { Tables } from '#lib/archive/engine/tables.ts'
import type { ArchiveReader, ReadOptions, Rows } from '#lib/archive/reader.ts'
import type { Call, CommunityRecord, Priced, Track } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import { HORIZONS, type Horizon } from '#lib/contract/horizons.ts'
import { toDateText } from '#lib/contract/instant-text.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { type CallSet, type CallsChoice, callOrder, selectPlaced, selectSet } from './calls.ts'
import { selectFollowedConsensus } from './followed-consensus.ts'
import { NO_STANDING, toCoinShare, toLuck } from './ranked-users.ts'
import type { Everybody } from './scores.ts'
import { NO_TALLY, selectCalibration, selectTallies, selectTally, toDecimal } from './tallies.ts'

/** Reads after the calls of these horizons are scored. */
async function readScored<T>(
  reader: ArchiveReader,
  { horizons, signal }: { horizons: readonly Horizon[]; signal: AbortSignal | undefined },
  work: (db: Kysely<Tables>) => Promise<T>,
): Promise<T> {
  for (const horizon of horizons) await reader.scores.score(horizon, signal)
  return await reader.read(work, signal)
}

const isPriced = (reader: ArchiveReader) => reader.prices().prices > 0

/** A user's record. Null where the user had not rated. */
export async function selectTrack(
  reader: ArchiveReader,
  { userId, horizon }: { userId: number; horizon: Horizon },
  { at, signal }: ReadOptions,
): Promise<Track | null> {
  if (!isPriced(reader)) {
    const counted = await reader.read(async (db) => await countRatings(db, userId, at), signal)
    const prices = selectPriced(reader)
    return counted.calls === 0 ? null : toUnpricedTrack(counted, { horizon, prices })
  }
  return await readScored(reader, { horizons: [horizon], signal }, async (db) => {
    const everybody = await reader.scores.rank(db, { horizon, at })
    const beside = { everybody, prices: selectPriced(reader) }
    return await selectUserTrack(db, { userId, horizon, at, users: [userId] }, beside)
  })
}

/** How many users are ranked, and the standing of each user. */
export type Standings = { ranked: number; of: (userId: number) => Standing }

/** What leagues say of each user; null where there are no prices. */
export async function selectStandings(
  reader: ArchiveReader,
  horizon: Horizon,
  { at, signal }: ReadOptions,
): Promise<Standings | null> {
  if (!isPriced(reader)) return null
  return await readScored(reader, { horizons: [horizon], signal }, async (db) => {
    const { ranked, standings } = await reader.scores.rank(db, { horizon, at })
    return { ranked: ranked.length, of: (userId) => standings.get(userId) ?? NO_STANDING }
  })
}

/** The record of all users together. */
export async function selectCommunity(
  reader: ArchiveReader,
  horizon: Horizon,
  { at, signal }: ReadOptions,
): Promise<CommunityRecord> {
  if (!isPriced(reader)) {
    const counted = await reader.read(async (db) => await countRatings(db, null, at), signal)
    return toUnpricedCommunity(counted, { horizon, prices: selectPriced(reader) })
  }
  const set = { horizon, at }
  await reader.scores.scoreMonths(horizon, signal)
  return await readScored(reader, { horizons: HORIZONS, signal }, async (db) => {
    const everybody = await reader.scores.rank(db, set)
    return await selectRecord(db, set, { everybody, prices: selectPriced(reader) })
  })
}

/** `page` from 1. */
export type CallsQuery = CallsChoice & { page: number; perPage: number }

export async function selectCalls(
  reader: ArchiveReader,
  { page, perPage, ...choice }: CallsQuery,
  { at, signal }: ReadOptions,
): Promise<Rows<Call>> {
  const set = { ...choice, at }
  return await readScored(
    reader,
    { horizons: [choice.horizon], signal },
    async (db) => await selectCallsPage(db, set, { page, perPage }),
  )
}

async function selectCallsPage(
  db: Kysely<Tables>,
  set: CallSet,
  { page, perPage }: { page: number; perPage: number },
): Promise<Rows<Call>> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from ${selectSet(set)} as calls`.execute(db)
  const offset = (page - 1) * perPage
  const listed = sql`(
    select *, row_number() over (order by ${callOrder(set.sort)}) as place
    from ${selectSet(set)} as calls
    order by place limit ${sql.lit(perPage)} offset ${sql.lit(offset)})`
  return { rows: await selectPlaced(db, listed), total: rows[0]?.total ?? 0 }
}

type Unpriced = { horizon: Horizon; prices: Priced }

/** Without prices nothing has to be scored to know that nothing was. */
const toNothing = ({ calls }: RatingCount, prices: Priced) => ({
  ...NO_TALLY,
  calls,
  no_price: calls,
  calibration: { calls: 0, zero: 0, error: null, slope: null, groups: [] },
  prices,
})

const toUnpricedTrack = (counted: RatingCount, { horizon, prices }: Unpriced): Track => ({
  horizon,
  ...toNothing(counted, prices),
  rank: null,
  ranked: 0,
  luck: null,
  everybody: null,
})

const toUnpricedCommunity = (
  counted: RatingCount,
  { horizon, prices }: Unpriced,
): CommunityRecord => ({
  horizon,
  ...toNothing(counted, prices),
  by_label: [],
  by_horizon: [],
  by_year: [],
  luck: toLuck([]),
  followed: { ...NO_TALLY, symbols: 0, months: 0, buy: NO_TALLY, sell: NO_TALLY },
  users: counted.users,
})

type RatingCount = { calls: number; users: number }

/** Of one user, or of everybody. */
async function countRatings(
  db: Kysely<Tables>,
  userId: number | null,
  at: number,
): Promise<RatingCount> {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.countAll<number>().as('calls'),
      eb.fn.count<number>('user_id').distinct().as('users'),
    ])
    .where('created_at', '<=', at)
    .$if(userId !== null, (found) => found.where('user_id', '=', userId))
    .executeTakeFirstOrThrow()
}

/** The prices that calls are scored by now. */
export function selectPriced(reader: ArchiveReader): Priced {
  const { symbols, firstDay, lastDay } = reader.prices()
  const { benchmark } = reader.scores
  const toText = (day: number | null) =>
    day === null ? null : toDateText(day * DAY_SECONDS).slice(0, 10)
  return { symbols, first_day: toText(firstDay), last_day: toText(lastDay), benchmark }
}

const DAY_SECONDS = 86_400

type Beside = { everybody: Everybody; prices: Priced }

async function selectUserTrack(
  db: Kysely<Tables>,
  { userId, ...set }: CallSet & { userId: number },
  { everybody, prices }: Beside,
): Promise<Track | null> {
  const tally = await selectTally(db, set)
  if (tally.calls === 0) return null
  const { ranked } = everybody
  const place = ranked.findIndex((one) => one.userId === userId)
  const own = ranked[place]
  return {
    horizon: set.horizon,
    ...tally,
    rank: own ? place + 1 : null,
    ranked: ranked.length,
    luck: own ? toDecimal(toCoinShare(own)) : null,
    everybody: everybody.hitRate,
    calibration: await selectCalibration(db, set),
    prices,
  }
}

async function selectRecord(
  db: Kysely<Tables>,
  set: CallSet,
  { everybody, prices }: Beside,
): Promise<CommunityRecord> {
  const labels = await selectTallies(db, set, { by: sql`rating`, cluster: 'label_cluster' })
  const year = sql`cast(extract(year from make_timestamp(created_at * 1000000)) as integer)`
  const years = await selectTallies(db, set, { by: year, cluster: 'cluster' })
  const own = await selectTally(db, set)
  const horizons = []
  for (const horizon of HORIZONS) {
    const isAsked = horizon === set.horizon
    horizons.push({ horizon, ...(isAsked ? own : await selectTally(db, { ...set, horizon })) })
  }
  const users = await sql<{ users: number }>`
    select count(distinct user_id) as users from ${selectSet(set)} as calls`.execute(db)
  return {
    horizon: set.horizon,
    ...own,
    by_label: labels.map(({ group, tally }) => ({
      rating: group,
      label: ratingLabel(group),
      ...tally,
    })),
    by_horizon: horizons,
    by_year: years.map(({ group, tally }) => ({ year: group, ...tally })),
    calibration: await selectCalibration(db, set),
    luck: toLuck(everybody.ranked),
    followed: await selectFollowedConsensus(db, set),
    users: users.rows[0]?.users ?? 0,
    prices,
  }
}
