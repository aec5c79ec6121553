import { type AppError, toAppError } from '#lib/contract/faults.ts'
import { type FailureStreak, isDiskFull } from '#lib/sync/failure-memory.ts'
import type { AlarmKeeper } from '#lib/sync/planning/alarms.ts'
import { selectRequestedSeconds, selectRetrySeconds } from '#lib/sync/planning/budget.ts'
import type { Schedule } from '#lib/sync/planning/schedule.ts'
import type { Heartbeat } from '#lib/sync/sync.ts'
import type { SyncStatus } from '#lib/sync/sync-status.ts'
import type { EventReporter } from './event-log.ts'
import type { Pass } from './pass.ts'

/** Somebody who asks may cut a wait short, but not below this. */
const ASKED_RETRY_SECONDS = 5
/** How often a key that was refused is tried again. */
const PROBE_SECONDS = 3600
/** After what should never have been thrown. */
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
  /** Open from when a run is asked for until it begins. */
  request: { isOpen: boolean }
  /** Whether the last pass failed because its follow did. */
  isFollow: (error: unknown) => boolean
  /** After each pass, whatever became of it; never throws. */
  afterPass: () => Promise<void>
}

/**
 * Passes and rests until it is told to stop, whatever is thrown meanwhile. Never rejects: what breaks the loop itself is
 * told of and waited out.
 */
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

/** Nothing in it may throw: it is what is left. */
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
    // There was nothing to do, or a dump failed as well: nothing says that the rest would succeed now.
    status.set({ state: before.state, reason: before.reason, next_at: at })
  }
  await loop.afterPass()
  await wait.until(at, { signal, earliest: now() })
}

/** A key that is refused is left alone for an hour; for the rest, as the service says or with growing patience. */
async function waitAfter(loop: Loop, thrown: unknown, signal: AbortSignal): Promise<void> {
  const { schedule, status, wait, now, reporter, failureStreak } = loop
  const error = toAppError(thrown)
  const failures = failureStreak.note(error)
  const isRefused = error.fault === 'upstream_refused'
  const told = isRefused ? PROBE_SECONDS : error.retryAfterSeconds
  const seconds = toSeconds(loop, failures, told)
  const reason = toReason(error)
  reporter.waits(error, { reason, detail: toDetail(error), seconds })
  const until = now() + seconds
  const askedFrom = told === undefined ? now() + toAskedSeconds(loop, seconds) : null
  let at = until
  if (loop.isFollow(thrown) && !isRefused) {
    // Only follows wait: the dumps have a clock of their own.
    schedule.holdFollow(until, askedFrom ?? until)
    at = Math.min(until, Math.max(now() + 1, schedule.nextAt(false)))
  }
  status.enter(isRefused ? 'stopped' : 'waiting')
  status.set({ reason, next_at: at })
  await loop.afterPass()
  await wait.until(at, { signal, earliest: askedFrom })
}

function toSeconds({ schedule, random }: Loop, failures: number, told: number | undefined): number {
  const backoff = selectRetrySeconds(failures, schedule.spending()) * (0.9 + random() * 0.2)
  return Math.max(1, Math.round(told ?? backoff))
}

/** Where requests are counted by the month, a thousand clicks on a service that is down cost no more than one. */
function toAskedSeconds({ schedule }: Loop, seconds: number): number {
  const { limit } = schedule.spending().budget.month
  if (limit === null) return ASKED_RETRY_SECONDS
  const planned = schedule.followSeconds()
  return planned === null ? seconds : Math.min(seconds, selectRequestedSeconds(limit, planned))
}

function toReason(error: AppError): string {
  if (isDiskFull(error)) return 'The disk is full: free some space. It is tried again.'
  const isOurs = error.fault === 'internal'
  return isOurs ? 'The last run failed on our side. It is tried again.' : error.message
}

/** For the log, where an error nobody foresaw must be seen. */
function toDetail({ fault, message, cause }: AppError): string {
  return fault === 'internal' && cause instanceof Error
    ? `${cause.name}: ${cause.message}`
    : message
}

const LOOK_SECONDS = 60

/** Does `run` every so many seconds. Gives what ends it. */
export type Every = (seconds: number, run: () => void) => () => void

/** The loop, and who looks after it: a run that hangs is broken off and the loop begun anew; never two at once. */
export type Watchdog = { start(): void; stop(): Promise<void> }

type Running = { abort: AbortController; ended: Promise<void>; hasEnded: boolean }

export function createWatchdog(deps: {
  loop: Loop
  alarms: AlarmKeeper
  every: Every | undefined
}): Watchdog {
  const { loop, alarms, every } = deps
  let running: Running | null = null
  let isStopped = true
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
  /** Where what hangs does not even end when it is told to, there is no second loop beside it: the alarm stands. */
  const beginAnew = async (hanging: Running) => {
    hanging.abort.abort()
    await hanging.ended
    if (!isStopped && running === hanging) begin()
  }
  const look = async () => {
    if (loop.heartbeat.look() && running && !running.abort.signal.aborted) {
      loop.reporter.restarted('no sign of life')
      loop.heartbeat.restarted()
      void beginAnew(running)
    }
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

/** While all is well the loop turns, rests a slice, or a step gets on: so many slices without any say that it stands. */
const MISSED = 3
/** A look that comes this late says that the machine slept or its clock was set, not that the loop stands. */
const HEARTBEAT_SECONDS = 300

/** Whether the loop still turns, by its signs of life. */
type HeartbeatMonitor = {
  beat(): void
  restarted(): void
  /** Looks, as it should every minute: true where the loop has stood still for too long. */
  look(): boolean
  read(): Heartbeat
}

/** `now` in seconds since 1970. `step`: what the step that runs says of itself; where that changes it gets on. */
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

  const isStalled = () => Math.abs(now() - at) > MISSED * SLICE_SECONDS
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

/** However long it is to wait, the clock is looked at this often: machines sleep, and clocks are set. */
const SLICE_SECONDS = 900

export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** Waiting that can be called off. */
type Wait = {
  /** Waits until an instant, or until woken: then not before `earliest`; where that is null it sleeps on. */
  until(at: number, options: { signal: AbortSignal; earliest: number | null }): Promise<void>
  wake(): void
  /** Waits so many seconds, without a look at the clock, even where sleeping fails. */
  pause(seconds: number, signal: AbortSignal): Promise<void>
}

/**
 * `now` in seconds since 1970. A clock that stands still, or a sleep that is cut short, ends no rest too late. `onSlice`
 * is told each time it looks at the clock.
 */
export function createWait(deps: { sleep: Sleep; now: () => number; onSlice?: () => void }): Wait {
  const { sleep, now, onSlice = () => undefined } = deps
  let wakeUp: () => void = () => undefined

  /** True where it was woken. */
  const sleepOnce = async (seconds: number, signal: AbortSignal): Promise<boolean> => {
    const sleeping = new AbortController()
    const end = () => sleeping.abort()
    let isWoken = false
    wakeUp = () => {
      isWoken = true
      end()
    }
    signal.addEventListener('abort', end, { once: true })
    try {
      await sleep(seconds * 1000, sleeping.signal)
    } catch {
      // A sleep that was called off rejects; there is nothing else that it could tell.
    } finally {
      signal.removeEventListener('abort', end)
      wakeUp = () => undefined
    }
    return isWoken
  }

  return {
    async until(at, { signal, earliest }) {
      let target = at
      let left = target - now()
      while (left > 0 && !signal.aborted) {
        onSlice()
        const seconds = Math.min(left, SLICE_SECONDS)
        const isWoken = await sleepOnce(seconds, signal)
        if (isWoken && earliest !== null) target = Math.min(target, Math.max(earliest, now()))
        left = isWoken ? target - now() : Math.min(target - now(), left - seconds)
      }
    },
    wake: () => wakeUp(),
    async pause(seconds, signal) {
      await sleepOnce(seconds, signal)
    },
  }
}
