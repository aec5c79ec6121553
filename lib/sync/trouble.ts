import type { AppError, Fault } from '#lib/contract/faults.ts'

/** The engine says it in words, the file system in a code that stands in its words. */
const NO_SPACE = /no space left|ENOSPC|EDQUOT/i
const CAUSES_MAX = 5

const OF_SERVICE: readonly Fault[] = [
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_contract',
]

/** Failures in a row: since when, how many, what the last one was. */
export type TroubleState = {
  since: number
  failures: number
  reason: string
  isDisk: boolean
  isService: boolean
  isRefused: boolean
}

export type Trouble = {
  read(): TroubleState | null
  /** Gives how many there are in a row. */
  note(error: AppError): number
  /** Something succeeded. Gives how many had failed before. */
  end(): number
}

/** `now` in seconds since 1970. */
export function createTrouble(now: () => number): Trouble {
  let state: TroubleState | null = null
  return {
    read: () => state,
    note(error) {
      const isRefused = error.fault === 'upstream_refused'
      // A key that is refused is another trouble than a service that was down before.
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
