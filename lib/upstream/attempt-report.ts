import type { Endpoint } from './service-request.ts'
import type { Purpose } from './upstream.ts'

/** What a log is told of each attempt: nothing in it came from outside. */
export type AttemptReport = {
  endpoint: 'page' | 'posts' | 'lookups'
  /** null where no page was asked for by number. */
  page: number | null
  purpose: Purpose
  attempt: number
  elapsedMs: number
  /** `ok`, or the message of the failure. */
  outcome: string
  status: number | null
}

type Reported = {
  purpose: Purpose
  attempt: number
  outcome: string
  status: number | undefined
  elapsedMs: number
}

export function toAttemptReport(endpoint: Endpoint, reported: Reported): AttemptReport {
  const { purpose, attempt, outcome, status, elapsedMs } = reported
  const isPage = endpoint.kind === 'page'
  return {
    endpoint: isPage ? 'page' : endpoint.dump,
    page: isPage && endpoint.page !== 'default' ? endpoint.page : null,
    purpose,
    attempt,
    elapsedMs: Math.round(elapsedMs),
    outcome,
    status: status ?? null,
  }
}
