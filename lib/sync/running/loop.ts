import { isDiskFull } from '#lib/contract/disk-faults.ts'
import { type AppError, toAppError } from '#lib/contract/faults.ts'
import { type FailureStreak, isDelayOfService, toWaitSeconds } from '#lib/sync/failure-memory.ts'
import type { AlarmKeeper } from '#lib/sync/planning/alarms.ts'
import { selectRequestedSeconds, selectRetrySeconds } from '#lib/sync/planning/budget.ts'
import type { Schedule } from '#lib/sync/planning/schedule.ts'
import type { Heartbeat } from '#lib/sync/sync.ts'
import type { SyncStatus } from '#lib/sync/sync-status.ts'
import type { EventReporter } from './event-log.ts'
import type { Pass } from './pass.ts'

const ASKED_RETRY_SECONDS = 5
const PROBE_SECONDS = 3600
const BROKEN_SECONDS = 60

export type Loop = {
  pass: Pass
  schedule: Schedule
  status: SyncStatus
  wait: Wait
  random: () => number
  now: () => number
  reporter: EventReporter
  failureStreak: FailureStreak
  heartbeat: HeartbeatMonitor
  request: RequestedPass
  isFollow: (error: unknown) => boolean
  /** Never throws. */
  afterPass: () => Promise<void>
}

/** `from`: when a request is served at the earliest, Unix seconds. */
type RequestedPass = { isOpen: boolean; from: number }

/** Never rejects. */
async function runLoop(loop: Loop, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await turn(loop, signal)
    } catch (error) {
      if (signal.aborted) return
      await mend(loop, error, signal)
    }
  }
}

async function turn(loop: Loop, signal: AbortSignal): Promise<void> {
  loop.heartbeat.beat()
  try {
    await passAndIdle(loop, signal)
  } catch (error) {
    if (signal.aborted) return
    await waitAfter(loop, error, signal)
  }
}

/** Must not throw: the last resort. */
async function mend(loop: Loop, error: unknown, signal: AbortSignal): Promise<void> {
  try {
    loop.reporter.restarted(error instanceof Error ? `${error.name}: ${error.message}` : '')
    loop.heartbeat.restarted()
    const at = loop.now() + BROKEN_SECONDS
    await loop.wait.until(at, { signal, earliest: null })
  } catch {
    await loop.wait.pause(BROKEN_SECONDS, signal)
  }
}

async function passAndIdle(loop: Loop, signal: AbortSignal): Promise<void> {
  const { pass, schedule, status, wait, request, now, failureStreak } = loop
  const asked = request.isOpen
  request.isOpen = false
  const before = status.read()
  const { reason, isServed, isSpent, hasSucceeded } = await pass(signal, asked)
  if (asked && !isServed) request.isOpen = true
  const at = Math.max(schedule.nextAt(request.isOpen), now() + 1)
  if (hasSucceeded || !failureStreak.read()) {
    const failures = failureStreak.end()
    if (failures > 0) loop.reporter.goesOn(failures)
    status.enter(isSpent ? 'waiting' : 'idle')
    status.set({ reason, next_at: at })
  } else {
    status.set({ state: before.state, reason: before.reason, next_at: at })
  }
  request.from = now()
  await loop.afterPass()
  await wait.until(at, { signal, earliest: now() })
}

async function waitAfter(loop: Loop, thrown: unknown, signal: AbortSignal): Promise<void> {
  const { schedule, status, wait, now, reporter, failureStreak } = loop
  const error = toAppError(thrown)
  const failures = failureStreak.note(error)
  const isRefused = error.fault === 'upstream_refused'
  const seconds = isRefused ? PROBE_SECONDS : toSeconds(loop, failures, error)
  const reason = toReason(error)
  reporter.waits(error, { reason, detail: toDetail(error), seconds })
  const until = now() + seconds
  const askedFrom = toAskedFrom(loop, seconds, error)
  let at = until
  if (loop.isFollow(thrown) && !isRefused) {
    schedule.holdFollow(until, askedFrom ?? until)
    at = Math.min(until, Math.max(now() + 1, schedule.nextAt(false)))
  }
  status.enter(isRefused ? 'stopped' : 'waiting')
  status.set({ reason, next_at: at })
  loop.request.from = askedFrom ?? at
  await loop.afterPass()
  await wait.until(at, { signal, earliest: askedFrom })
}

function toSeconds({ schedule, random }: Loop, failures: number, error: AppError): number {
  const backoff = selectRetrySeconds(failures, schedule.spending()) * (0.9 + random() * 0.2)
  return Math.max(1, Math.round(toWaitSeconds(error, backoff)))
}

/** Null: no request shortens the wait. */
function toAskedFrom(loop: Loop, seconds: number, error: AppError): number | null {
  const { fault, retryAfterSeconds: told } = error
  const isOurs = told !== undefined && !isDelayOfService(error)
  if (fault === 'upstream_refused' || isOurs) return null
  return loop.now() + Math.max(told ?? 0, toAskedSeconds(loop, seconds))
}

/** With a monthly limit, repeated clicks cost one request. */
function toAskedSeconds({ schedule }: Loop, seconds: number): number {
  const { limit } = schedule.spending().budget.month
  if (limit === null) return ASKED_RETRY_SECONDS
  const planned = schedule.followSeconds()
  return planned === null ? seconds : Math.min(seconds, selectRequestedSeconds(limit, planned))
}

function toReason(error: AppError): string {
  if (isDiskFull(error)) return 'The disk is full. Free some space. The sync will retry.'
  const isOurs = error.fault === 'internal'
  return isOurs ? 'The last run failed with an internal error. The sync will retry.' : error.message
}

function toDetail({ fault, message, cause }: AppError): string {
  return fault === 'internal' && cause instanceof Error
    ? `${cause.name}: ${cause.message}`
    : message
}

const LOOK_SECONDS = 60

export type SetRepeating = (seconds: number, run: () => void) => () => void

/** Never runs two loops at once. */
type Watchdog = { start(): void; stop(): Promise<void> }

type Running = { abort: AbortController; ended: Promise<void>; hasEnded: boolean }

export function createWatchdog(deps: {
  loop: Loop
  alarms: AlarmKeeper
  every: SetRepeating | undefined
}): Watchdog {
  const { loop, alarms, every } = deps
  let running: Running | null = null
  let isStopped = true
  let interruptedAt = 0
  let callOff = () => {}

  const begin = () => {
    const abort = new AbortController()
    const begun: Running = { abort, hasEnded: false, ended: Promise.resolve() }
    begun.ended = runLoop(loop, abort.signal)
      .catch(() => undefined)
      .then(() => {
        begun.hasEnded = true
      })
    loop.heartbeat.beat()
    running = begun
  }
  /** No second loop starts while the aborted one hangs. */
  const beginAnew = async (hanging: Running) => {
    hanging.abort.abort()
    await hanging.ended
    if (!isStopped && running === hanging) begin()
  }
  /** A run that ignores its abort counts again and again, so that the liveness probe fails. */
  const interrupt = (hanging: Running) => {
    const isDeaf = hanging.abort.signal.aborted
    if (isDeaf && Math.abs(loop.now() - interruptedAt) <= STALLED_SECONDS) return
    interruptedAt = loop.now()
    loop.heartbeat.restarted()
    if (isDeaf) return
    loop.reporter.restarted('no response')
    void beginAnew(hanging)
  }
  const look = async () => {
    if (loop.heartbeat.look() && running) interrupt(running)
    if (!isStopped && running?.hasEnded) begin()
    await alarms.look()
  }
  return {
    start() {
      if (!isStopped) return
      isStopped = false
      begin()
      callOff = every?.(LOOK_SECONDS, () => void look().catch(() => undefined)) ?? (() => {})
    },
    async stop() {
      isStopped = true
      callOff()
      running?.abort.abort()
      await running?.ended
      running = null
    },
  }
}

/** A longer interval between checks means that the machine slept or its clock was set. */
const HEARTBEAT_SECONDS = 300

type HeartbeatMonitor = {
  beat(): void
  restarted(): void
  look(): boolean
  read(): Heartbeat
}

export function createHeartbeatMonitor({
  now,
  step,
}: {
  now: () => number
  step: () => unknown
}): HeartbeatMonitor {
  let at = now()
  let lookedAt = now()
  let restarts = 0
  let seen = ''

  const isStalled = () => Math.abs(now() - at) > STALLED_SECONDS
  const beat = () => {
    at = now()
  }
  return {
    beat,
    restarted() {
      restarts += 1
    },
    look() {
      const before = seen
      seen = JSON.stringify(step())
      if (Math.abs(now() - lookedAt) > HEARTBEAT_SECONDS || seen !== before) beat()
      lookedAt = now()
      return isStalled()
    },
    read: () => ({ at, stalled: isStalled(), restarts }),
  }
}

/** Longest sleep without checking the clock: machines sleep and clocks are set. */
const SLICE_SECONDS = 900
const STALLED_SECONDS = 3 * SLICE_SECONDS

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

type Wait = {
  /** `earliest`: when a wake-up may end the wait; null ignores those that are not urgent. */
  until(at: number, options: { signal: AbortSignal; earliest: number | null }): Promise<void>
  wake(isUrgent?: boolean): void
  /** Waits even if `sleep` fails. */
  pause(seconds: number, signal: AbortSignal): Promise<void>
}

type WakeUp = 'request' | 'urgent' | null

/** `now` in Unix seconds. */
export function createWait(deps: { sleep: Sleep; now: () => number; onSlice?: () => void }): Wait {
  const { sleep, now, onSlice = () => undefined } = deps
  let wakeUp: (isUrgent: boolean) => void = () => undefined

  const sleepOnce = async (seconds: number, signal: AbortSignal): Promise<WakeUp> => {
    const sleeping = new AbortController()
    const end = () => sleeping.abort()
    let wokenBy: WakeUp = null
    wakeUp = (isUrgent) => {
      wokenBy = isUrgent ? 'urgent' : 'request'
      end()
    }
    signal.addEventListener('abort', end, { once: true })
    try {
      await sleep(seconds * 1000, sleeping.signal)
    } catch {
    } finally {
      signal.removeEventListener('abort', end)
      wakeUp = () => undefined
    }
    return wokenBy
  }

  return {
    async until(at, { signal, earliest }) {
      let target = at
      let left = target - now()
      while (left > 0 && !signal.aborted) {
        onSlice()
        const seconds = Math.min(left, SLICE_SECONDS)
        const wokenBy = await sleepOnce(seconds, signal)
        const from = wokenBy === 'urgent' ? now() : wokenBy === 'request' ? earliest : null
        if (from !== null) target = Math.min(target, Math.max(from, now()))
        left = wokenBy ? target - now() : Math.min(target - now(), left - seconds)
      }
    },
    wake: (isUrgent = false) => wakeUp(isUrgent),
    async pause(seconds, signal) {
      await sleepOnce(seconds, signal)
    },
  }
}
