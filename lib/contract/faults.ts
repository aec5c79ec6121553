import { selectDiskFault } from './disk-faults.ts'

export const FAULT_STATUS = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  length_required: 411,
  precondition_failed: 412,
  payload_too_large: 413,
  uri_too_long: 414,
  range_not_satisfiable: 416,
  misdirected: 421,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  upstream_contract: 502,
  upstream_refused: 502,
  upstream_unavailable: 503,
  budget_spent: 503,
  not_ready: 503,
  busy: 503,
  upstream_timeout: 504,
  http_version_not_supported: 505,
} as const

export type Fault = keyof typeof FAULT_STATUS

export type Issue = { parameter: string; message: string }

type FaultDetail = { issues?: readonly Issue[]; retryAfterSeconds?: number; cause?: unknown }

// The framework loads this module several times per process; `instanceof` must work across copies.
const BRAND = Symbol.for('bellwether.AppError')

/** The message is sent to clients: no text from outside. */
export class AppError extends Error {
  readonly [BRAND] = true
  readonly fault: Fault
  readonly issues: readonly Issue[] | undefined
  readonly retryAfterSeconds: number | undefined

  constructor(fault: Fault, message: string, detail: FaultDetail = {}) {
    super(message, { cause: detail.cause })
    this.name = 'AppError'
    this.fault = fault
    this.issues = detail.issues
    this.retryAfterSeconds = detail.retryAfterSeconds
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value
  }

  get status(): number {
    return FAULT_STATUS[this.fault]
  }
}

/** Whether an error is no answer that was meant for the client, and is logged. */
export const isUnforeseen = (error: unknown): boolean =>
  !(error instanceof AppError) || error.fault === 'internal'

export const toWithdrawn = (cause?: unknown): AppError =>
  new AppError('busy', 'The request was canceled before it was answered.', { cause })

/**
 * A write that failed for the disk becomes `not_ready` with its reason, other unknown errors
 * `internal` without their message.
 */
export function toAppError(error: unknown): AppError {
  const known = error instanceof AppError ? error : null
  if (known && known.fault !== 'internal') return known
  const disk = selectDiskFault(error)
  if (disk) return new AppError('not_ready', disk.reason, { cause: error })
  if (known) return known
  return new AppError('internal', 'Something went wrong on our side.', { cause: error })
}
