import type { CallDeps } from './call-service.ts'
import { createGate, type Gate } from './gate.ts'
import { createEchoWatches } from './key-echo.ts'
import type { SizeLimits } from './read-answer.ts'
import { type Access, assertSendable, toPlainUrl } from './service-request.ts'
import { TIME_LIMITS, type TimeLimits } from './time-limits.ts'
import type { Upstream } from './upstream.ts'
import { createCalls } from './upstream-calls.ts'

const MEBIBYTE = 1024 * 1024

const SIZE_LIMITS: SizeLimits = {
  pageBytes: 8 * MEBIBYTE,
  dumpBytes: 8 * 1024 * MEBIBYTE,
  errorBytes: 65_536,
}

export type UpstreamDeps = Access &
  Omit<CallDeps, 'access' | 'gate' | 'timeLimits'> & {
    kind: 'embedded' | 'remote'
    /** Seconds since 1970. */
    now: () => number
    /** One that knows nothing after a restart where it is not given. */
    gate?: Gate
    timeLimits?: Partial<TimeLimits>
    sizeLimits?: Partial<SizeLimits>
  }

/** The client of a service. Throws AppError `internal` for a key that cannot be sent. */
export function createUpstream(deps: UpstreamDeps): Upstream {
  const { baseUrl, key, keyIn, kind, ledger, limits, gate = createGate(deps) } = deps
  const access = { baseUrl: toPlainUrl(baseUrl), key, keyIn }
  assertSendable(access)
  const timeLimits = { ...TIME_LIMITS, ...deps.timeLimits }
  const sizeLimits = { ...SIZE_LIMITS, ...deps.sizeLimits }
  const reading = { ...deps, timeLimits, sizeLimits, watchForKey: createEchoWatches(key) }
  const calls = createCalls({ ...deps, access, gate, timeLimits }, reading)
  return {
    ...calls,
    budget: () => ({
      ...ledger.budget(limits, gate.clock.clocks()),
      pausedUntil: gate.pausedUntil(),
      clockSkewSeconds: gate.clock.skewSeconds(),
    }),
    service: { kind, address: toAddress(access.baseUrl, kind) },
  }
}

/** A service of ours has no address that anybody could open: its path says enough. */
function toAddress(baseUrl: URL, kind: 'embedded' | 'remote'): string {
  return kind === 'embedded' ? baseUrl.pathname : baseUrl.href
}
