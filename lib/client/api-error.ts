import type { Failure } from '#lib/contract/answers/envelope.ts'
import type { Issue } from '#lib/contract/faults.ts'

/** `offline`: no response. */
export class ApiError extends Error {
  readonly type: Failure['error']['type'] | 'offline'
  readonly status: number
  readonly issues: readonly Issue[]
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
