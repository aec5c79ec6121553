import { type AppError, toAppError } from '#lib/contract/faults.ts'
import type { Chronicle } from './chronicle.ts'
import type { Pulse } from './heartbeat.ts'
import { selectRequestedSeconds, selectRetrySeconds } from './planner.ts'
import type { Rest } from './rest.ts'
import type { Pass } from './sync-pass.ts'
import type { Schedule } from './sync-schedule.ts'
import type { SyncStatus } from './sync-status.ts'
import { isDiskFull, type Trouble } from './trouble.ts'

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
  wait: Rest
  random: () => number
  now: () => number
  reporter: Chronicle
  failureStreak: Trouble
  heartbeat: Pulse
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
export async function runLoop(loop: Loop, signal: AbortSignal): Promise<void> {
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
