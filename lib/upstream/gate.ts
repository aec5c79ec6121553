import { AppError } from '#lib/contract/faults.ts'

const PROBE_EVERY_MS = 3_600_000

/** Whether a request may be sent at all, by what the service said last. */
export type Gate = {
  /** Throws AppError where nothing may be sent now. `probe`: one request may, to see whether the key is accepted. */
  admit(): 'open' | 'probe'
  /** The key was not accepted: nothing is sent but one probe an hour. */
  refuse(): void
  /** The key was accepted. */
  accept(): void
  /** The service asked for this long without requests. */
  pause(seconds: number): void
}

/** `nowMs` is a clock that never jumps. */
export function createGate(nowMs: () => number): Gate {
  let probeAtMs: number | null = null
  let pausedUntilMs = Number.NEGATIVE_INFINITY
  const secondsUntil = (ms: number) => Math.max(1, Math.ceil((ms - nowMs()) / 1000))
  return {
    admit() {
      if (pausedUntilMs > nowMs()) {
        throw new AppError('upstream_unavailable', 'The service asked for a pause.', {
          retryAfterSeconds: secondsUntil(pausedUntilMs),
        })
      }
      if (probeAtMs === null) return 'open'
      if (probeAtMs > nowMs()) {
        throw new AppError('upstream_refused', 'The service does not accept the key.', {
          retryAfterSeconds: secondsUntil(probeAtMs),
        })
      }
      probeAtMs = nowMs() + PROBE_EVERY_MS
      return 'probe'
    },
    refuse() {
      probeAtMs = nowMs() + PROBE_EVERY_MS
    },
    accept() {
      probeAtMs = null
    },
    pause(seconds) {
      pausedUntilMs = Math.max(pausedUntilMs, nowMs() + seconds * 1000)
    },
  }
}
