import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { nextMonthAt, selectReserved, toPeoplesShare, toReserve } from '#lib/upstream/ledger.ts'
import type { Budget } from '#lib/upstream/upstream.ts'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
const MONTH_SECONDS = 30.4 * DAY_SECONDS
/** Without a monthly limit. */
const FOLLOW_SECONDS = 60
const REQUESTED_SECONDS = 5
const HURRY = 4

const DUMPS_PER_WEEK = 2
/** One part in this many is reserved for retries. */
const RETRIES_OF_MONTH = 20

const RETRY_FIRST_SECONDS = 5
const RETRY_LAST_SECONDS = 600
const SCARCE_RETRY_SECONDS = 900
export const QUICK_RETRIES = 1

export type Spending = {
  budget: Budget
  /** Unix seconds. */
  at: number
  /** Moving average, at least 1. */
  requestsPerFollow: number
}

/** Spreads the remaining requests evenly over the month. Null if none is left. */
export function selectFollowSeconds(spending: Spending): number | null {
  const { budget, at, requestsPerFollow } = spending
  const { limit } = budget.month
  if (limit === null) return FOLLOW_SECONDS
  if (selectLeft(budget, at) < 1) return null
  const monthLeftSeconds = nextMonthAt(at) - at
  const people = selectPeoplesPace(budget, at) * monthLeftSeconds
  const left = selectFollowable(budget, limit, at)
  const toFollow = Math.max(1, left - Math.min(people, selectPeoplesLeft(budget) ?? 0))
  const even = (MONTH_SECONDS * requestsPerFollow) / (limit - toReserve(limit, MONTH_SECONDS))
  const spread = (monthLeftSeconds * requestsPerFollow) / toFollow
  return Math.max(FOLLOW_SECONDS, Math.round(even / HURRY), Math.round(spread))
}

/** Counting whole weeks would make the pace jump. */
function selectFollowable({ month }: Budget, limit: number, at: number): number {
  const dumps = toReserve(limit, 1) + countSundays(at) * DUMPS_PER_WEEK
  const retries = Math.floor(limit / RETRIES_OF_MONTH)
  return limit - month.used - Math.min(dumps + retries, Math.floor(limit / 2))
}

/** Time zone arithmetic is slow. */
let counted = { from: 0, until: 0, sundays: 0 }

export function countSundays(at: number): number {
  if (at >= counted.from && at < counted.until) return counted.sundays
  const end = nextMonthAt(at)
  const next = nextEditionAt(at)
  let sundays = 0
  for (let sunday = next; sunday < end; sunday = nextEditionAt(sunday)) sundays += 1
  counted = { from: at, until: Math.min(next, end), sundays }
  return sundays
}

/** Minus the reserve for dumps; may be negative. */
export const selectLeft = ({ month: { limit, used } }: Budget, at: number): number =>
  limit === null ? Number.POSITIVE_INFINITY : limit - used - selectReserved(limit, at)

export const selectPeoplesLeft = ({ month: { limit }, spent }: Budget): number | null =>
  limit === null ? null : Math.max(0, toPeoplesShare(limit) - spent.people)

/** Per second. The first week counts as complete. */
const selectPeoplesPace = ({ spent }: Budget, at: number): number =>
  spent.people / Math.max(WEEK_SECONDS, at - monthAt(at))

export const selectRequestedSeconds = (limit: number | null, followSeconds: number): number =>
  limit === null ? REQUESTED_SECONDS : Math.max(FOLLOW_SECONDS, Math.round(followSeconds / HURRY))

/** 5 s doubling to 10 min. With a monthly limit, one early retry, then the planned interval. */
export function selectRetrySeconds(failures: number, spending: Spending): number {
  const backoff = Math.min(RETRY_FIRST_SECONDS * 2 ** (failures - 1), RETRY_LAST_SECONDS)
  if (spending.budget.month.limit === null) return backoff
  const spread = selectFollowSeconds(spending) ?? DAY_SECONDS
  return failures <= QUICK_RETRIES ? Math.min(SCARCE_RETRY_SECONDS, spread) : spread
}

/** Unix seconds; null if the requests last. */
export function selectRunsOutAt(spending: Spending): number | null {
  const { budget, at, requestsPerFollow } = spending
  if (budget.month.limit === null) return null
  const seconds = selectFollowSeconds(spending)
  if (seconds === null) return at
  const pace = requestsPerFollow / seconds + selectPeoplesPace(budget, at)
  const out = at + selectLeft(budget, at) / pace
  return out >= nextMonthAt(at) - seconds ? null : Math.round(out)
}

function monthAt(at: number): number {
  const date = new Date(at * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000
}
