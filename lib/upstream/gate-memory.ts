import { type Bars, NO_BARS, type Standing, selectStanding, toBars, toState } from './gate-bars.ts'
import type { GateState } from './gate-file.ts'
import { createServiceClock, type ServiceClock } from './service-clock.ts'
import { toPlainUrl } from './service-request.ts'

export type GateDeps = {
  baseUrl: URL
  key: string
  /** Seconds since 1970, by a clock that may be set. */
  now: () => number
  /** Milliseconds by a clock that never jumps. */
  nowMs: () => number
}

/** What is on disk, and how it gets there. */
export type GateKeeping = { state: GateState | null; save: (state: GateState) => Promise<void> }

/** What a gate knows, kept so that it is known after a restart. */
export type GateMemory = {
  bars(): Bars
  /** On disk when it resolves, if the disk takes it. */
  change(next: Partial<Bars>): Promise<void>
  /** The bars that stand now. */
  standing(): Standing[]
  /** An instant of the clock that never jumps, in seconds since 1970 by the other one. */
  toSeconds(atMs: number): number
  noteDate(headers: Headers): void
  clock: ServiceClock
  keep(): Promise<void>
}

/** A timer may end this much before the clock says so. */
const SLACK_MS = 50
/** Our clock was set by this much or more, where a difference is no noise. */
const SET_SECONDS = 5
/** By so much the service's clock must have moved against ours to be noted for a restart. */
const SKEW_NOTED_SECONDS = 60

/**
 * Within a process all waits go by the clock that never jumps, so that setting the other one neither prolongs nor cuts
 * them. The other one counts over a restart only.
 */
export function createGateMemory(deps: GateDeps & GateKeeping): GateMemory {
  const { key, now, nowMs, save } = deps
  const service = toPlainUrl(deps.baseUrl).href
  const state = deps.state?.service === service ? deps.state : null
  const both = () => ({ now: now(), nowMs: nowMs() })
  const clock = createServiceClock({ now, nowMs, skewSeconds: state?.skew_seconds ?? null })
  let bars = state ? toBars(state, { ...both(), key }) : NO_BARS
  let noted = clock.skewSeconds()
  let anchor = both()

  const keep = createKeeper(async () => {
    noted = clock.skewSeconds()
    await save({ service, skew_seconds: noted, ...toState(bars, both()) })
  })
  // A clock that was set back while nothing ran would give the same waits again at each start.
  if (state) void keep()

  return {
    bars: () => bars,
    async change(next) {
      bars = { ...bars, ...next }
      await keep()
    },
    standing() {
      const drift = now() - anchor.now - (nowMs() - anchor.nowMs) / 1000
      if (Math.abs(drift) >= SET_SECONDS) {
        anchor = both()
        void keep()
      }
      return selectStanding(bars, nowMs() + SLACK_MS)
    },
    toSeconds: (atMs) => Math.round(anchor.now + (atMs - anchor.nowMs) / 1000),
    noteDate(headers) {
      clock.note(headers)
      const moved = Math.abs((clock.skewSeconds() ?? 0) - (noted ?? 0))
      if (moved >= SKEW_NOTED_SECONDS) void keep()
    },
    clock,
    keep,
  }
}

/** One write at a time. A disk that takes none is no reason to stop: without its ledger nothing is sent anyway. */
function createKeeper(save: () => Promise<void>): () => Promise<void> {
  let waiting: Promise<void> | null = null
  let turn: Promise<void> = Promise.resolve()
  return () => {
    if (waiting) return waiting
    turn = turn.then(() => {
      waiting = null
      return save().catch(() => {})
    })
    waiting = turn
    return turn
  }
}
