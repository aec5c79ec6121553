import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import {
  addFailure,
  type Bars,
  isBreakerOpen,
  type Standing,
  toProbeAtMs,
  toRefusedAtMs,
} from './gate-bars.ts'
import { loadGateState, markKey, saveGateState } from './gate-file.ts'
import { createGateMemory, type GateDeps, type GateKeeping } from './gate-memory.ts'
import type { ServiceClock } from './service-clock.ts'

/** `withdraw`: the request that was admitted is not sent, so a probe is still to be had. */
export type Admission = { isProbe: boolean; withdraw(): void }

/**
 * Whether a request may be sent at all, by what the service said and did last. Whoever is turned away hears why and for
 * how long. What changes is on disk when a call here resolves, if the disk takes it.
 */
export type Gate = {
  /** Throws AppError with retryAfterSeconds where nothing may be sent now. */
  admit(): Promise<Admission>
  /** The key was accepted. */
  accept(): Promise<void>
  /** The key was not accepted: nothing is sent but one probe an hour, until there is another key. */
  refuse(): Promise<void>
  /** The service asked for this long without requests. */
  pause(seconds: number): Promise<void>
  /** The service answered, though with nothing to use. */
  hear(): Promise<void>
  /** A call found no service. After three in a row nothing is sent but one probe now and then. */
  fail(error: AppError, admission: Admission): Promise<void>
  /** Until when nothing is sent, in seconds since 1970; null where requests may be sent. */
  pausedUntil(): number | null
  /** Takes the service's time out of an answer's headers. */
  noteDate(headers: Headers): void
  clock: Pick<ServiceClock, 'clocks' | 'skewSeconds'>
  close(): Promise<void>
}

/** The gate of a service as it was left in the file, which holds the address and a hash of the key. */
export async function openGate({ file, ...deps }: GateDeps & { file: string }): Promise<Gate> {
  await mkdir(dirname(file), { recursive: true })
  const state = await loadGateState(file)
  return createGate({ ...deps, state, save: (fresh) => saveGateState(file, fresh) })
}

const FORGETFUL: GateKeeping = { state: null, save: async () => {} }

/** A gate; without a way to keep anything it knows nothing after a restart. */
export function createGate(deps: GateDeps & Partial<GateKeeping>): Gate {
  const { key, nowMs } = deps
  const memory = createGateMemory({ ...FORGETFUL, ...deps })
  const { bars, change } = memory

  return {
    async admit() {
      const standing = memory.standing()
      if (standing[0]) throw toTurnedAway(standing[0], toLatest(standing) - nowMs())
      const before = bars()
      const isProbe = before.refused !== null || isBreakerOpen(before)
      if (!isProbe) return { isProbe, withdraw: () => {} }
      const probing = toProbing(before, nowMs())
      await change(probing)
      const withdraw = () => {
        if (bars().breaker === probing.breaker && bars().refused === probing.refused) {
          void change({ breaker: before.breaker, refused: before.refused })
        }
      }
      return { isProbe, withdraw }
    },
    async accept() {
      if (bars().refused || bars().breaker) await change({ refused: null, breaker: null })
    },
    async refuse() {
      const { salt, mark } = bars().refused ?? markKey(key)
      const refused = { atMs: toRefusedAtMs(nowMs()), salt, mark }
      await change({ refused, breaker: null })
    },
    async pause(seconds) {
      const atMs = nowMs() + seconds * 1000
      await change({ paused: { atMs: Math.max(bars().paused?.atMs ?? atMs, atMs) } })
    },
    async hear() {
      if (bars().breaker) await change({ breaker: null })
    },
    async fail(error, { isProbe }) {
      // Of many that were under way when the third failed, none is a probe that failed.
      if (isBreakerOpen(bars()) && !isProbe) return
      await change({ breaker: addFailure(bars(), error, nowMs()) })
    },
    pausedUntil() {
      const standing = memory.standing()
      return standing.length === 0 ? null : memory.toSeconds(toLatest(standing))
    },
    noteDate: memory.noteDate,
    clock: memory.clock,
    close: memory.keep,
  }
}

function toTurnedAway({ fault, message }: Standing, waitMs: number): AppError {
  return new AppError(fault, message, { retryAfterSeconds: Math.max(1, Math.ceil(waitMs / 1000)) })
}

const toLatest = (standing: Standing[]) => Math.max(...standing.map(({ atMs }) => atMs))

const toProbing = (
  { refused, breaker }: Bars,
  nowMs: number,
): Pick<Bars, 'refused' | 'breaker'> => ({
  refused: refused && { ...refused, atMs: toRefusedAtMs(nowMs) },
  breaker: breaker && { ...breaker, atMs: toProbeAtMs(breaker.failures, nowMs) },
})
