import type { Budget } from '#lib/upstream/upstream.ts'

const DAY_SECONDS = 86_400
const WEEK_SECONDS = 7 * DAY_SECONDS
const MONTH_SECONDS = 30.4 * DAY_SECONDS
const DUMPS_PER_WEEK = 2
/** Without a monthly limit. */
const FOLLOW_SECONDS = 60
const REQUESTED_SECONDS = 5
/** A plan that lags, a retry, or somebody who asks may spend the month's requests this many times as fast. */
const HURRY = 4

const RETRY_FIRST_SECONDS = 5
const RETRY_LAST_SECONDS = 600
const QUICK_RETRIES = 5
/** How often a key that was refused is tried again. */
export const PROBE_SECONDS = 3600

export type Spending = {
  budget: Budget
  /** Seconds since 1970. */
  at: number
  /** What the last follows cost on average; at least 1. */
  requestsPerFollow: number
}

/**
 * Seconds from one follow to the next: a minute, or what spreads the month's requests evenly over what is left of the
 * month once two dumps a week are paid for. null where no request is left to follow with before the next month.
 */
export function selectFollowSeconds(spending: Spending): number | null {
  const { budget, at, requestsPerFollow } = spending
  const { limit, used } = budget.month
  if (limit === null) return FOLLOW_SECONDS
  const monthLeftSeconds = nextMonthAt(at) - at
  const left = limit - used - toReserve(limit, monthLeftSeconds)
  if (left < 1) return null
  const even = (MONTH_SECONDS * requestsPerFollow) / (limit - toReserve(limit, MONTH_SECONDS))
  const spread = (monthLeftSeconds * requestsPerFollow) / left
  return Math.max(FOLLOW_SECONDS, Math.round(even / HURRY), Math.round(spread))
}

/** Requests kept back for the dumps of so many seconds, never more than half of all. */
const toReserve = (limit: number, seconds: number) =>
  Math.min(Math.ceil(seconds / WEEK_SECONDS) * DUMPS_PER_WEEK, Math.floor(limit / 2))

/** Seconds since the last follow after which somebody who asks gets another one. */
export const selectRequestedSeconds = (limit: number | null, followSeconds: number): number =>
  limit === null ? REQUESTED_SECONDS : Math.max(FOLLOW_SECONDS, Math.round(followSeconds / HURRY))

/**
 * Seconds to wait after so many failures in a row: 5 s doubling to 10 min. Where requests are counted by the month,
 * only the first few are that quick.
 */
export function selectRetrySeconds(failures: number, spending: Spending): number {
  const backoff = Math.min(RETRY_FIRST_SECONDS * 2 ** (failures - 1), RETRY_LAST_SECONDS)
  if (spending.budget.month.limit === null || failures <= QUICK_RETRIES) return backoff
  const spread = selectFollowSeconds(spending) ?? DAY_SECONDS
  return Math.max(backoff, Math.round(spread / HURRY))
}

/** The first second of the next month, UTC. */
export function nextMonthAt(at: number): number {
  const date = new Date(at * 1000)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000
}
