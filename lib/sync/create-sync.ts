import { type AppError, toAppError } from '#lib/contract/faults.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { createPageReader } from './page-reader.ts'
import { PROBE_SECONDS, selectRetrySeconds } from './planner.ts'
import { createRest, type Rest, type Sleep } from './rest.ts'
import type { EditionStore, Log, Sync, SyncArchive } from './sync.ts'
import { createFilling } from './sync-fill.ts'
import { createFollowing, type NewReading } from './sync-follow.ts'
import { createPass, type Pass } from './sync-pass.ts'
import { createSchedule, type Schedule } from './sync-schedule.ts'
import { createSyncStatus, type SyncStatus } from './sync-status.ts'

/** Somebody who asks may cut a wait short, but not below this. */
const ASKED_RETRY_SECONDS = 5

export type SyncDeps = {
  archive: SyncArchive
  upstream: Upstream
  editions: EditionStore
  /** Seconds since 1970. */
  now: () => number
  /** Resolves after so many milliseconds; may reject when aborted. */
  sleep: Sleep
  /** [0, 1), for the jitter; without it there is none. */
  random?: () => number
  /** Seconds from one follow to the next; planned from the limits of the key where it is not given. */
  followSeconds?: number
  log?: Log
}

/** The sync of one archive with one service. It goes on until it is stopped, whatever fails meanwhile. */
export function createSync(deps: SyncDeps): Sync & { onChange: SyncStatus['onChange'] } {
  const { now, random = () => 0.5, log = () => undefined, followSeconds = null } = deps
  const status = createSyncStatus()
  const rest = createRest(deps)
  const newReading = createNewReading({ ...deps, status, rest })
  const schedule = createSchedule({ ...deps, random, followSeconds })
  const pass = createPass({
    ...deps,
    schedule,
    filling: createFilling({ ...deps, log, status, newReading }),
    following: createFollowing({ ...deps, status, newReading }),
  })
  const request = { isOpen: false }
  const loop = { pass, schedule, status, rest, random, now, log, request }
  let stopping = new AbortController()
  let running: Promise<void> | null = null

  return {
    start() {
      if (running) return
      stopping = new AbortController()
      running = runLoop(loop, stopping.signal)
    },
    async stop() {
      stopping.abort()
      await running
      running = null
    },
    requestRun() {
      request.isOpen = true
      rest.wake()
    },
    state: status.read,
    onChange: status.onChange,
  }
}

type Loop = {
  pass: Pass
  schedule: Schedule
  status: SyncStatus
  rest: Rest
  random: () => number
  now: () => number
  log: Log
  /** Open from when a run is asked for until it begins. */
  request: { isOpen: boolean }
}

/** Never rejects. */
async function runLoop(loop: Loop, signal: AbortSignal): Promise<void> {
  let failures = 0
  while (!signal.aborted) {
    try {
      await passAndIdle(loop, signal, failures)
      failures = 0
    } catch (error) {
      if (signal.aborted) return
      failures += 1
      await waitAfter(loop, { error: toAppError(error), failures, signal })
    }
  }
}

async function passAndIdle(loop: Loop, signal: AbortSignal, failures: number): Promise<void> {
  const { pass, schedule, status, rest, request, now, log } = loop
  const asked = request.isOpen
  request.isOpen = false
  const { reason, isServed, isSpent } = await pass(signal, asked)
  if (failures > 0) log('the sync goes on', { failures })
  if (asked && !isServed) request.isOpen = true
  const at = Math.max(schedule.nextAt(request.isOpen), now() + 1)
  status.enter(isSpent ? 'waiting' : 'idle')
  status.set({ reason, next_at: at })
  await rest.until(at, { signal, earliest: now() })
}

type Failed = { error: AppError; failures: number; signal: AbortSignal }

/** A key that is refused is left alone for an hour; for the rest, as the service says or with growing patience. */
async function waitAfter(loop: Loop, { error, failures, signal }: Failed): Promise<void> {
  const { schedule, status, rest, random, now, log } = loop
  const isRefused = error.fault === 'upstream_refused'
  const backoff = selectRetrySeconds(failures, schedule.spending()) * (0.9 + random() * 0.2)
  const told = isRefused ? PROBE_SECONDS : error.retryAfterSeconds
  const seconds = Math.max(1, Math.round(told ?? backoff))
  const at = now() + seconds
  log('the sync waits', { fault: error.fault, detail: toDetail(error), seconds })
  status.enter(isRefused ? 'stopped' : 'waiting')
  status.set({ reason: toReason(error), next_at: at })
  const earliest = told === undefined ? now() + ASKED_RETRY_SECONDS : null
  await rest.until(at, { signal, earliest })
}

/** The engine says it in words, the file system in a code that stands in its words. */
const NO_SPACE = /no space left|ENOSPC|EDQUOT/i

function toReason({ fault, message, cause }: AppError): string {
  if (NO_SPACE.test(String(cause))) return 'The disk is full: free some space. It is tried again.'
  return fault === 'internal' ? 'The last run failed on our side. It is tried again.' : message
}

/** For the log, where an error nobody foresaw must be seen. */
function toDetail({ fault, message, cause }: AppError): string {
  return fault === 'internal' && cause instanceof Error
    ? `${cause.name}: ${cause.message}`
    : message
}

function createNewReading(
  deps: Pick<SyncDeps, 'archive' | 'upstream' | 'now'> & { status: SyncStatus; rest: Rest },
): NewReading {
  const { archive, upstream, now, status, rest } = deps
  return (signal) => {
    const pause = async (seconds: number, reason: string) => {
      const { state, progress } = status.read()
      const at = now() + seconds
      status.set({ state: 'waiting', reason, next_at: at })
      await rest.until(at, { signal, earliest: null })
      status.set({ state, progress, reason: null, next_at: null })
    }
    const reader = createPageReader({ upstream, signal, pause })
    const onProgress = status.progress
    return { reader, reading: { archive, readPage: reader.readPage, now, signal, onProgress } }
  }
}
