import { nextMonthAt } from './ledger-lines.ts'
import type { Purpose } from './upstream.ts'

/** The limits of a key; null is none. */
export type RequestLimits = { perMinute: number | null; perMonth: number | null }

const WEEK_SECONDS = 7 * 86_400
const DUMPS_PER_WEEK = 2
/** What people may spend of a month, as a part of it; one request at the least. */
const PEOPLE_OF_MONTH = 10
/** What people leave of a minute, as a part of it. */
const LEFT_OF_MINUTE = 4

/** Requests kept back for the dumps of so many seconds to come: two a week, never more than half of all. */
export const toReserve = (limit: number, secondsToCome: number): number =>
  Math.min(Math.ceil(secondsToCome / WEEK_SECONDS) * DUMPS_PER_WEEK, Math.floor(limit / 2))

/** Requests kept back for the dumps of what is left of the month at `at` (seconds since 1970). Without a limit none. */
export const selectReserved = (limit: number | null, at: number): number =>
  limit === null ? 0 : toReserve(limit, nextMonthAt(at) - at)

/** Of a month with a limit: requests spent in all and by people, at an instant in seconds since 1970. */
export type MonthSpent = { limit: number; used: number; people: number; at: number }

/**
 * Why a purpose may spend no more of a month, and how many seconds that holds; null where it may. A dump may take all
 * there is. A follow leaves what is kept back for dumps: less is, week by week. People leave that as well, and have a
 * tenth of the month to themselves and no more.
 */
export function selectMonthBar(
  purpose: Purpose,
  { limit, used, people, at }: MonthSpent,
): { seconds: number; why: string } | null {
  const left = limit - used
  const monthLeftSeconds = nextMonthAt(at) - at
  if (left < 1) {
    return { seconds: monthLeftSeconds, why: 'The requests of this month are spent.' }
  }
  if (purpose === 'dump') return null
  if (purpose === 'people' && people >= toPeoplesShare(limit)) {
    const why = 'What people may spend this month is spent: the rest is kept for the sync.'
    return { seconds: monthLeftSeconds, why }
  }
  if (left > toReserve(limit, monthLeftSeconds)) return null
  // So many weeks before the month ends, one more than what is kept back then is left.
  const weeks = Math.floor((left - 1) / DUMPS_PER_WEEK)
  const why = 'What is left of the requests of this month is kept for the weekly dumps.'
  return { seconds: monthLeftSeconds - weeks * WEEK_SECONDS, why }
}

/** Requests of a month that people may spend. */
export const toPeoplesShare = (limit: number): number =>
  Math.max(1, Math.floor(limit / PEOPLE_OF_MONTH))

/** Requests of a minute that a purpose may find spent and still spend one, plus one: people leave a quarter. */
export const toMinuteShare = (purpose: Purpose, limit: number): number =>
  purpose === 'people' ? limit - Math.floor(limit / LEFT_OF_MINUTE) : limit
