import type { Failure } from '#lib/contract/answers/envelope.ts'
import type { Issue } from '#lib/contract/faults.ts'

/** What our API said instead of an answer, or `offline` where it could not be reached at all. */
export class ApiError extends Error {
  readonly type: Failure['error']['type'] | 'offline'
  readonly status: number
  readonly issues: readonly Issue[]
  /** How long it asks to be left alone; null where it does not say. */
  readonly retryAfterSeconds: number | null

  constructor(
    type: ApiError['type'],
    status: number,
    message: string,
    issues: readonly Issue[],
    retryAfterSeconds: number | null = null,
  ) {
    super(message)
    this.name = 'ApiError'
    this.type = type
    this.status = status
    this.issues = issues
    this.retryAfterSeconds = retryAfterSeconds
  }
}
