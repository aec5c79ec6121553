import { AppError } from '#lib/contract/faults.ts'

const RETRY_FIRST_SECONDS = 60
const RETRY_LAST_SECONDS = 3600

/** A failure that everybody who asks again too soon is told of, instead of the service being asked again. */
export type FailureMemory = {
  last(): AppError | null
  /** Gives for how many seconds it stands: a minute doubling to an hour, or what the error says. */
  note(error: AppError): number
  clear(): void
  /** The failure while it stands, with what is left of its time; `pressing` is told only what the service said. */
  standing(pressing: boolean): AppError | null
}

type Failure = { error: AppError; at: number; waitSeconds: number; attempts: number }

/** `now` in seconds since 1970. A clock that is set back does not prolong a failure. */
export function createFailureMemory(now: () => number): FailureMemory {
  let failure: Failure | null = null
  return {
    last: () => failure?.error ?? null,
    note(error) {
      const attempts = (failure?.attempts ?? 0) + 1
      const waitSeconds = toWaitSeconds(error, attempts)
      failure = { error, at: now(), waitSeconds, attempts }
      return waitSeconds
    },
    clear() {
      failure = null
    },
    standing(pressing) {
      if (!failure || (pressing && failure.error.retryAfterSeconds === undefined)) return null
      const { error, at, waitSeconds } = failure
      const ageSeconds = now() - at
      if (ageSeconds < 0 || ageSeconds >= waitSeconds) return null
      const retryAfterSeconds = waitSeconds - ageSeconds
      return new AppError(error.fault, error.message, { retryAfterSeconds, cause: error })
    },
  }
}

function toWaitSeconds({ fault, retryAfterSeconds }: AppError, attempts: number): number {
  if (retryAfterSeconds !== undefined) return retryAfterSeconds
  if (fault === 'upstream_refused') return RETRY_LAST_SECONDS
  return Math.min(RETRY_FIRST_SECONDS * 2 ** (attempts - 1), RETRY_LAST_SECONDS)
}
