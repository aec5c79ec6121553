import { isDiskFull } from '#lib/contract/disk-faults.ts'
import { AppError, type Fault } from '#lib/contract/faults.ts'
import type { Purpose } from '#lib/upstream/upstream.ts'

const OF_SERVICE: readonly Fault[] = [
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_contract',
]

type FailureStreakState = {
  since: number
  failures: number
  reason: string
  isDisk: boolean
  isService: boolean
  isRefused: boolean
}

export type FailureStreak = {
  read(): FailureStreakState | null
  note(error: AppError): number
  end(): number
}

export function createFailureStreak(now: () => number): FailureStreak {
  let state: FailureStreakState | null = null
  return {
    read: () => state,
    note(error) {
      const isRefused = error.fault === 'upstream_refused'
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

const RETRY_FIRST_SECONDS = 60
const RETRY_LAST_SECONDS = 3600

type FailureMemory = {
  last(): AppError | null
  /** Returns seconds: 1 minute doubling to 1 hour, unless the error has its own. */
  note(error: AppError): number
  clear(): void
  /** `pressing` callers wait only if the service set a delay. */
  standing(pressing: boolean): AppError | null
}

/** Also in a pause. Delays of our own limits and of the circuit breaker are exact. */
export const isDelayOfService = ({ fault, retryAfterSeconds, cause }: AppError): boolean =>
  retryAfterSeconds !== undefined && fault === 'upstream_unavailable' && cause === undefined

/** A delay that the service asks for is a lower bound: it may be too short to plan with. */
export function toWaitSeconds(error: AppError, planned: number): number {
  const { retryAfterSeconds: told = planned } = error
  return isDelayOfService(error) ? Math.max(told, planned) : told
}

type Failure = { error: AppError; at: number; waitSeconds: number; attempts: number }

/** `now` in Unix seconds. Setting the clock back ends the failure. */
function createFailureMemory(now: () => number): FailureMemory {
  let failure: Failure | null = null
  return {
    last: () => failure?.error ?? null,
    note(error) {
      const attempts = (failure?.attempts ?? 0) + 1
      const waitSeconds = toWaitSeconds(error, toBackoff(error, attempts))
      failure = { error, at: now(), waitSeconds, attempts }
      return waitSeconds
    },
    clear() {
      failure = null
    },
    standing(pressing) {
      if (!failure) return null
      const { error, at } = failure
      const waitSeconds = pressing ? (error.retryAfterSeconds ?? 0) : failure.waitSeconds
      const ageSeconds = now() - at
      if (ageSeconds < 0 || ageSeconds >= waitSeconds) return null
      const retryAfterSeconds = waitSeconds - ageSeconds
      return new AppError(error.fault, error.message, { retryAfterSeconds, cause: error })
    },
  }
}

function toBackoff({ fault }: AppError, attempts: number): number {
  if (fault === 'upstream_refused') return RETRY_LAST_SECONDS
  return Math.min(RETRY_FIRST_SECONDS * 2 ** (attempts - 1), RETRY_LAST_SECONDS)
}

export type FetchFailures = {
  last(): AppError | null
  lastOfPeople(): AppError | null
  note(error: AppError, purpose: Purpose): number
  clear(): void
  standing(purpose: Purpose, pressing: boolean): AppError | null
}

/** Users' exhausted budget must not affect other callers. */
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

export const isBudgetSpent = (error: unknown): error is AppError =>
  error instanceof AppError && error.fault === 'budget_spent'
