import { AppError, type Fault } from '#lib/contract/faults.ts'
import type { Purpose } from '#lib/upstream/upstream.ts'

/** The engine says it in words, the file system in a code that stands in its words. */
const NO_SPACE = /no space left|ENOSPC|EDQUOT/i
const CAUSES_MAX = 5

const OF_SERVICE: readonly Fault[] = [
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_contract',
]

/** Failures in a row: since when, how many, what the last one was. */
export type FailureStreakState = {
  since: number
  failures: number
  reason: string
  isDisk: boolean
  isService: boolean
  isRefused: boolean
}

export type FailureStreak = {
  read(): FailureStreakState | null
  /** Gives how many there are in a row. */
  note(error: AppError): number
  /** Something succeeded. Gives how many had failed before. */
  end(): number
}

/** `now` in seconds since 1970. */
export function createFailureStreak(now: () => number): FailureStreak {
  let state: FailureStreakState | null = null
  return {
    read: () => state,
    note(error) {
      const isRefused = error.fault === 'upstream_refused'
      // A key that is refused is another failure than a service that was down before.
      const before = state?.isRefused === isRefused ? state : null
      state = {
        since: before?.since ?? now(),
        failures: (state?.failures ?? 0) + 1,
        reason: error.message,
        isDisk: isDiskFull(error),
        isService: OF_SERVICE.includes(error.fault),
        isRefused,
      }
      return state.failures
    },
    end() {
      const failures = state?.failures ?? 0
      state = null
      return failures
    },
  }
}

/** Whether an error, or what caused it, says that a disk is full. */
export function isDiskFull(error: unknown): boolean {
  let one = error
  for (let depth = 0; depth < CAUSES_MAX && one instanceof Error; depth += 1) {
    if (NO_SPACE.test(`${one.name}: ${one.message}`)) return true
    if ('code' in one && NO_SPACE.test(String(one.code))) return true
    one = one.cause
  }
  return typeof one === 'string' && NO_SPACE.test(one)
}

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
function createFailureMemory(now: () => number): FailureMemory {
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

/** Failures of a fetch that anybody may have asked for. */
export type FetchFailures = {
  last(): AppError | null
  /** Why people were refused what others may have. */
  lastOfPeople(): AppError | null
  note(error: AppError, purpose: Purpose): number
  clear(): void
  standing(purpose: Purpose, pressing: boolean): AppError | null
}

/** A memory for everybody, and one for people: that their share is spent concerns nobody else. */
export function createFetchFailures(now: () => number): FetchFailures {
  const everybody = createFailureMemory(now)
  const people = createFailureMemory(now)
  return {
    last: everybody.last,
    lastOfPeople: people.last,
    note(error, purpose) {
      const isTheirs = purpose === 'people' && error.fault === 'budget_spent'
      return (isTheirs ? people : everybody).note(error)
    },
    clear() {
      everybody.clear()
      people.clear()
    },
    standing(purpose, pressing) {
      const theirs = purpose === 'people' ? people.standing(pressing) : null
      return everybody.standing(pressing) ?? theirs
    },
  }
}

/** Whether a limit kept a request from being sent. */
export const isBudgetSpent = (error: unknown): error is AppError =>
  error instanceof AppError && error.fault === 'budget_spent'
