/** When a request is sent again, and how long after. Only GET is ever sent, so a second one does no harm. */
export const RETRY_RULES = {
  /** Requests sent for one call, the first included. */
  attempts: 3,
  statuses: [429, 500, 502, 503, 504],
  backoffBaseMs: 500,
  backoffCapMs: 8_000,
  /** A wait that the service asks for and that is longer than this is left to the planner. */
  patienceSeconds: 30,
  /**
   * What a 429 that does not say how long is taken to mean: a minute's limit. Sent again sooner, it would only
   * burn the month's.
   */
  unsaidSeconds: 60,
  /** No service means more than this; it also keeps the number small. */
  longestSeconds: 31 * 86_400,
} as const

const SECONDS = /^\d+$/
const HTTP_DATE = /^[A-Z][a-z]{2,8}, \d{2}[ -][A-Z][a-z]{2}[ -]\d{2,4} \d{2}:\d{2}:\d{2} GMT$/

/**
 * A `Retry-After` as whole seconds from `now` (seconds since 1970), at least 1: what lies in the past is over.
 * Null where it is absent or neither a number of seconds nor an HTTP date.
 */
export function parseRetryAfter(text: string | null, now: number): number | null {
  const value = text?.trim() ?? ''
  if (SECONDS.test(value)) return within(Number(value))
  if (!HTTP_DATE.test(value)) return null
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : within(Math.ceil(at / 1000 - now))
}

const within = (seconds: number) => Math.min(Math.max(seconds, 1), RETRY_RULES.longestSeconds)

/** Full jitter: anything up to a bound that doubles. `attempt` counts from 1, `random` gives [0, 1). */
export function backoffMs(attempt: number, random: () => number): number {
  const { backoffBaseMs, backoffCapMs } = RETRY_RULES
  return random() * Math.min(backoffCapMs, backoffBaseMs * 2 ** (attempt - 1))
}

/** Whether an answer with this status, or an envelope with this code, may be another one next time. */
export const isRetryStatus = (status: number): boolean =>
  RETRY_RULES.statuses.some((one) => one === status)
