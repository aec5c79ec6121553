import type { AppError, Fault } from '#lib/contract/faults.ts'
import { type GateState, markKey, type Span, toSecondsLeft } from './gate-file.ts'

const SECOND_MS = 1000
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
/** Calls in a row that found no service, after which it is left alone. */
const FAILURES_TO_OPEN = 3

/** Why nothing is sent, each until `atMs` by a clock that never jumps; behind that, one request may go to find out. */
export type Bars = {
  paused: { atMs: number } | null
  refused: { atMs: number; salt: string; mark: string } | null
  breaker: (Failing & { atMs: number }) | null
}

/** Failed calls in a row, and the last one's fault and reason. */
type Failing = { failures: number; fault: BreakerFault; reason: string }
type BreakerFault = 'upstream_unavailable' | 'upstream_timeout'

/** A bar as whoever is turned away hears of it. */
export type Standing = { atMs: number; fault: Fault; message: string }

export const NO_BARS: Bars = { paused: null, refused: null, breaker: null }

export const isBreakerOpen = ({ breaker }: Bars): boolean =>
  breaker !== null && breaker.failures >= FAILURES_TO_OPEN

/** The bars that stand at `nowMs`, the most serious first. */
export function selectStanding(bars: Bars, nowMs: number): Standing[] {
  const { paused, refused, breaker } = bars
  const standing: Standing[] = []
  if (refused) {
    const message = 'The service does not accept the key.'
    standing.push({ atMs: refused.atMs, fault: 'upstream_refused', message })
  }
  if (paused) {
    const message = 'The service asked for a pause.'
    standing.push({ atMs: paused.atMs, fault: 'upstream_unavailable', message })
  }
  if (breaker && isBreakerOpen(bars)) {
    const { atMs, fault, reason } = breaker
    const message = `The service failed time after time and is left alone for now. ${reason}`
    standing.push({ atMs, fault, message })
  }
  return standing.filter(({ atMs }) => atMs > nowMs)
}

export const toRefusedAtMs = (nowMs: number): number => nowMs + HOUR_MS

/** One more call found no service. A minute without requests after the third in a row, doubling to an hour. */
export function addFailure({ breaker }: Bars, error: AppError, nowMs: number): Bars['breaker'] {
  const failures = (breaker?.failures ?? 0) + 1
  const fault = error.fault === 'upstream_timeout' ? error.fault : 'upstream_unavailable'
  return { failures, fault, reason: error.message, atMs: toProbeAtMs(failures, nowMs) }
}

/** When the next probe may go, after so many failures. */
export function toProbeAtMs(failures: number, nowMs: number): number {
  if (failures < FAILURES_TO_OPEN) return nowMs
  return nowMs + Math.min(MINUTE_MS * 2 ** (failures - FAILURES_TO_OPEN), HOUR_MS)
}

type At = { now: number; nowMs: number }

/** Instants by the clock on the wall, for a file. A second is added for what whole seconds cut off. */
export function toState(
  bars: Bars,
  { now, nowMs }: At,
): Omit<GateState, 'service' | 'skew_seconds'> {
  const toSpan = (atMs: number): Span => {
    const left = Math.ceil((atMs - nowMs) / SECOND_MS)
    return { from: now, until: left > 0 ? now + left + 1 : now }
  }
  const { paused, refused, breaker } = bars
  return {
    paused: paused && paused.atMs > nowMs ? toSpan(paused.atMs) : null,
    refused: refused && { ...toSpan(refused.atMs), salt: refused.salt, mark: refused.mark },
    breaker: breaker && {
      ...toSpan(breaker.atMs),
      failures: breaker.failures,
      fault: breaker.fault,
      reason: breaker.reason,
    },
  }
}

/** The bars that a file tells of. What was said of another key is forgotten. */
export function toBars(state: GateState, { now, nowMs, key }: At & { key: string }): Bars {
  const toAtMs = (span: Span) => nowMs + toSecondsLeft(span, now) * SECOND_MS
  const { paused, refused, breaker } = state
  const isSameKey = refused !== null && markKey(key, refused.salt).mark === refused.mark
  return {
    paused: paused && { atMs: toAtMs(paused) },
    refused: isSameKey ? { atMs: toAtMs(refused), salt: refused.salt, mark: refused.mark } : null,
    breaker: breaker && {
      atMs: toAtMs(breaker),
      failures: breaker.failures,
      fault: breaker.fault,
      reason: breaker.reason,
    },
  }
}
