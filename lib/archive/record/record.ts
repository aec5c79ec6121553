import type { Kysely } from 'kysely'
import type { CommunityRecord, Luck, Priced, Track } from '#lib/contract/answers/track.ts'
import type { Standing } from '#lib/contract/answers/users.ts'
import type { Horizon } from '#lib/contract/horizons.ts'
import { toDayText } from '#lib/contract/instant-text.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { postedBy } from '#lib/timeline/user.ts'
import type { Tables } from '../engine/tables.ts'
import type { ArchiveReader, ReadOptions } from '../reader.ts'
import { toUserCalls } from './calls.ts'
import { toLuck, toStanding } from './scores.ts'
import { surveyBriefly } from './survey.ts'
import { NO_TALLY, toTally } from './tallies.ts'

const isPriced = (reader: ArchiveReader) => reader.prices().prices > 0

/** Null if the user had no ratings. */
export async function selectTrack(
  reader: ArchiveReader,
  { userId, horizon }: { userId: number; horizon: Horizon },
  { at, signal }: ReadOptions,
): Promise<Track | null> {
  const timeline = await reader.userTimelines.load(String(userId), signal)
  const posted = timeline ? postedBy(timeline, at).length : 0
  if (!timeline || posted === 0) return null
  if (!isPriced(reader)) {
    return toUnpricedTrack(posted, { horizon, prices: selectPriced(reader) })
  }
  const [everybody, market] = await Promise.all([
    reader.scores.rank({ horizon, at }, signal),
    reader.scores.market(signal),
  ])
  const calls = await toUserCalls(timeline, market)
  const { own } = await surveyBriefly(calls, market, { horizon, at })
  return {
    horizon,
    ...toTally(own),
    rank: everybody.ranks.get(userId) ?? null,
    ranked: everybody.ranked.length,
    prices: selectPriced(reader),
  }
}

export type Standings = { luck: Luck; of: (userId: number) => Standing }

export const NO_LUCK: Luck = toLuck([])

/** Null without prices. */
export async function selectStandings(
  reader: ArchiveReader,
  horizon: Horizon,
  { at, signal }: ReadOptions,
): Promise<Standings | null> {
  if (!isPriced(reader)) return null
  const { ranked, ranks, users } = await reader.scores.rank({ horizon, at }, signal)
  return {
    luck: toLuck(ranked),
    of: (userId) => toStanding(users.get(userId), ranks.get(userId)),
  }
}

export async function selectCommunity(
  reader: ArchiveReader,
  horizon: Horizon,
  { at, signal }: ReadOptions,
): Promise<CommunityRecord> {
  if (!isPriced(reader)) {
    const counted = await reader.read(async (db) => await countRatings(db, at), signal)
    return toUnpricedCommunity(counted, { horizon, prices: selectPriced(reader) })
  }
  const all = await reader.scores.summarize({ horizon, at }, signal)
  return {
    horizon,
    ...toTally(all.own),
    by_label: [...all.labels].map(([rating, group]) => ({
      rating,
      label: ratingLabel(rating),
      ...toTally(group),
    })),
    by_year: [...all.years].map(([year, group]) => ({ year, ...toTally(group) })),
    calibration: all.calibration,
    users: all.users.size,
    prices: selectPriced(reader),
  }
}

type Unpriced = { horizon: Horizon; prices: Priced }

const toUnpricedTrack = (calls: number, { horizon, prices }: Unpriced): Track => ({
  horizon,
  ...NO_TALLY,
  calls,
  no_price: calls,
  prices,
  rank: null,
  ranked: 0,
})

const toUnpricedCommunity = (
  { calls, users }: RatingCount,
  { horizon, prices }: Unpriced,
): CommunityRecord => ({
  horizon,
  ...NO_TALLY,
  calls,
  no_price: calls,
  calibration: { calls: 0, zero: 0, error: null, slope: null, groups: [] },
  prices,
  by_label: [],
  by_year: [],
  users,
})

type RatingCount = { calls: number; users: number }

async function countRatings(db: Kysely<Tables>, at: number): Promise<RatingCount> {
  return await db
    .selectFrom('rating')
    .select((eb) => [
      eb.fn.countAll<number>().as('calls'),
      eb.fn.count<number>('user_id').distinct().as('users'),
    ])
    .where('created_at', '<=', at)
    .executeTakeFirstOrThrow()
}

export function selectPriced(reader: ArchiveReader): Priced {
  const { symbols, firstDay, lastDay } = reader.prices()
  const { benchmark } = reader.scores
  const toText = (day: number | null) => (day === null ? null : toDayText(day))
  return { symbols, first_day: toText(firstDay), last_day: toText(lastDay), benchmark }
}
