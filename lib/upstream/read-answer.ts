import { toStatusFailure } from './attempt-failure.ts'
import type { EchoWatch } from './key-echo.ts'
import type { TimeLimits } from './time-limits.ts'

/** Bytes, decoded. */
export type SizeLimits = {
  pageBytes: number
  dumpBytes: number
  /** How much is read of what came where a dump should. */
  errorBytes: number
}

/** How answers are read, of one client. */
export type Reading = {
  now: () => number
  nowMs: () => number
  timeLimits: TimeLimits
  sizeLimits: SizeLimits
  watchForKey: () => EchoWatch
}

/** Throws `AttemptFailure` for an answer with a status other than 200. */
export function assertOk(response: Response, now: number): void {
  if (response.status !== 200) throw toStatusFailure(response.status, response.headers, now)
}

/** What is taken of an answer that is of no use, where asking for the whole without conditions may bring one that is. */
export const AGAIN = Symbol('again')
