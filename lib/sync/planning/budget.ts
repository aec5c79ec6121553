import { nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { nextMonthAt, selectReserved, toPeoplesShare, toReserve } from '#lib/upstream/ledger.ts'
import type { Budget } from '#lib/upstream/upstream.ts'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
const MONTH_SECONDS = 30.4 * DAY_SECONDS
/** Without a monthly limit. */
const FOLLOW_SECONDS = 60
const REQUESTED_SECONDS = 5
/** A plan that lags, or somebody who asks, may spend the month's requests this many times as fast. */
const HURRY = 4

const DUMPS_PER_WEEK = 2
/** What is kept of a month for what fails, as a part of it. */
const RETRIES_OF_MONTH = 20

const RETRY_FIRST_SECONDS = 5
const RETRY_LAST_SECONDS = 600
/** Where requests are counted by the month: after one failure, and after how many no more than would be done anyway. */
const SCARCE_RETRY_SECONDS = 900
export const QUICK_RETRIES = 1

export type Spending = {
  budget: Budget
  /** Seconds since 1970. */
  at: number
  /** What the last follows cost on average; at least 1. */
  requestsPerFollow: number
}

/**
 * Seconds from one follow to the next: a minute, or what spreads the month's requests evenly over what is left of the
 * month once two dumps a week and what people are likely to spend are paid for. null where no request is left to follow
 * with before the next month.
 */
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

/**
 * Requests for follows until the month ends. What is kept for dumps by whole weeks leaps as a week begins; by the Sundays
 * to come the pace stays even. Some are kept for what fails and is tried again.
 */
function selectFollowable({ month }: Budget, limit: number, at: number): number {
  const dumps = toReserve(limit, 1) + countSundays(at) * DUMPS_PER_WEEK
  const retries = Math.floor(limit / RETRIES_OF_MONTH)
  return limit - month.used - Math.min(dumps + retries, Math.floor(limit / 2))
}

/** Zones are slow to reckon with, and the plan is asked for often: what was counted holds until the next Sunday. */
let counted = { from: 0, until: 0, sundays: 0 }

/** Sundays, as dumps have them, from `at` to the end of its month. */
export function countSundays(at: number): number {
  if (at >= counted.from && at < counted.until) return counted.sundays
  const end = nextMonthAt(at)
  const next = nextEditionAt(at)
  let sundays = 0
  for (let sunday = next; sunday < end; sunday = nextEditionAt(sunday)) sundays += 1
  counted = { from: at, until: Math.min(next, end), sundays }
  return sundays
}

/** Requests that are left of the month once those kept for its dumps are taken off; may be below 0. */
export const selectLeft = ({ month: { limit, used } }: Budget, at: number): number =>
  limit === null ? Number.POSITIVE_INFINITY : limit - used - selectReserved(limit, at)

/** Requests that people may still spend this month; null where they are not counted. */
export const selectPeoplesLeft = ({ month: { limit }, spent }: Budget): number | null =>
  limit === null ? null : Math.max(0, toPeoplesShare(limit) - spent.people)

/** Requests a second, as people spent them this month; in its first week as if it were over. */
const selectPeoplesPace = ({ spent }: Budget, at: number): number =>
  spent.people / Math.max(WEEK_SECONDS, at - monthAt(at))

/** Seconds since the last follow after which somebody who asks gets another one. */
export const selectRequestedSeconds = (limit: number | null, followSeconds: number): number =>
  limit === null ? REQUESTED_SECONDS : Math.max(FOLLOW_SECONDS, Math.round(followSeconds / HURRY))

/**
 * Seconds to wait after so many failures in a row: 5 s doubling to 10 min. Where requests are counted by the month, a
 * failure is tried again once a quarter of an hour later, and then no more often than it would be done.
 */
export function selectRetrySeconds(failures: number, spending: Spending): number {
  const backoff = Math.min(RETRY_FIRST_SECONDS * 2 ** (failures - 1), RETRY_LAST_SECONDS)
  if (spending.budget.month.limit === null) return backoff
  const spread = selectFollowSeconds(spending) ?? DAY_SECONDS
  return failures <= QUICK_RETRIES ? Math.min(SCARCE_RETRY_SECONDS, spread) : spread
}

/**
 * When the requests of the month that are not kept for dumps are gone, by the plan of the follows and the pace of
 * people: now where they are; null where they last.
 */
export function selectRunsOutAt(spending: Spending): number | null {
  const { budget, at, requestsPerFollow } = spending
  if (budget.month.limit === null) return null
  const seconds = selectFollowSeconds(spending)
  if (seconds === null) return at
  const pace = requestsPerFollow / seconds + selectPeoplesPace(budget, at)
  const out = at + selectLeft(budget, at) / pace
  // What is left over or lacks at the very end is less than one follow.
  return out >= nextMonthAt(at) - seconds ? null : Math.round(out)
}

/** The first second of the month, UTC. */
function monthAt(at: number): number {
  const date = new Date(at * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / 1000
}
