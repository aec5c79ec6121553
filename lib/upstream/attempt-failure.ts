import { AppError, type Fault } from '#lib/contract/faults.ts'
import { isRetryStatus, parseRetryAfter, RETRY_RULES } from './retry-rules.ts'
import { parseDate } from './service-clock.ts'
import { TransportFailure } from './transport-failure.ts'

type Detail = { isWorthRetrying?: boolean; retryAfterSeconds?: number | undefined; status?: number }

/** Why one attempt failed: the error that leaves if it was the last, and whether another makes sense. */
export class AttemptFailure extends Error {
  readonly error: AppError
  readonly isWorthRetrying: boolean
  /** The status of the answer, or the code of an envelope that came with 200. */
  readonly status: number | undefined
  /** Whether there was no service to speak of: no connection, no answer in time, or one that says it is out of order. */
  readonly isOutage: boolean

  constructor(fault: Fault, message: string, detail: Detail = {}) {
    super(message)
    this.name = 'AttemptFailure'
    this.error = new AppError(fault, message, { retryAfterSeconds: detail.retryAfterSeconds })
    this.isWorthRetrying = detail.isWorthRetrying ?? false
    this.status = detail.status
    const isAway = fault === 'upstream_unavailable' || fault === 'upstream_timeout'
    this.isOutage = isAway && detail.status !== 429
  }
}

/** An answer that the specification does not allow. Asking again would bring the same. */
export const contractFailure = (message: string): AttemptFailure =>
  new AttemptFailure('upstream_contract', message)

export const timeoutFailure = (message: string): AttemptFailure =>
  new AttemptFailure('upstream_timeout', message, { isWorthRetrying: true })

export const brokenOffFailure = (
  message = 'The answer of the service ended early.',
): AttemptFailure => new AttemptFailure('upstream_unavailable', message, { isWorthRetrying: true })

/** What leaves this room for what was thrown inside: the AppError of a failed attempt, anything else as it is. */
export const toThrown = (error: unknown): unknown =>
  error instanceof AttemptFailure ? error.error : error

/** What a transport or a body threw. What is not recognised may hold anything, so nothing of it is kept. */
export function toAttemptFailure(error: unknown): AttemptFailure {
  if (error instanceof AttemptFailure) return error
  if (!(error instanceof TransportFailure)) {
    return new AttemptFailure('upstream_unavailable', 'The service could not be asked.')
  }
  if (error.kind === 'timeout') return timeoutFailure(error.message)
  if (error.kind === 'protocol') return contractFailure(error.message)
  return new AttemptFailure('upstream_unavailable', error.message, {
    isWorthRetrying: error.kind === 'network',
  })
}

/**
 * An answer that is no success, by its HTTP status or by the code in its envelope. `now` in seconds since 1970.
 * Its text is never used: it may repeat the key.
 */
export function toStatusFailure(status: number, headers: Headers, now: number): AttemptFailure {
  if (status === 401 || status === 403) {
    return new AttemptFailure('upstream_refused', 'The service does not accept the key.', {
      status,
    })
  }
  if (status === 429 || isRetryStatus(status) || status >= 500) {
    return toUnavailable(status, headers, now)
  }
  return new AttemptFailure('upstream_contract', toContractMessage(status), { status })
}

function toUnavailable(status: number, headers: Headers, now: number): AttemptFailure {
  // A date is meant by the clock of who wrote it.
  const said = parseRetryAfter(headers.get('retry-after'), parseDate(headers) ?? now) ?? undefined
  if (status !== 429) {
    return new AttemptFailure('upstream_unavailable', 'The service is out of order.', {
      status,
      isWorthRetrying: isRetryStatus(status),
      retryAfterSeconds: said,
    })
  }
  return new AttemptFailure('upstream_unavailable', 'The service asks for fewer requests.', {
    status,
    isWorthRetrying: true,
    retryAfterSeconds: said ?? RETRY_RULES.unsaidSeconds,
  })
}

function toContractMessage(status: number): string {
  if (status === 304) return 'The service says that nothing changed, without having been asked.'
  if (status >= 300 && status < 400) {
    return 'The service redirects, which is not followed: check its address.'
  }
  if (status === 404) return 'The service has nothing at this address: check it.'
  return 'The service answered with a status that the specification does not know.'
}
