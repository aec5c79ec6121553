import { DUMP_KINDS } from '#lib/contract/weekly-clock.ts'
import { createFailureStreak } from '#lib/sync/failure-memory.ts'
import {
  type BackupFailure,
  createAlarmFacts,
  createAlarmKeeper,
} from '#lib/sync/planning/alarms.ts'
import { selectFollowCost, toBudgetReport, toPlan } from '#lib/sync/planning/plan.ts'
import { createSchedule } from '#lib/sync/planning/schedule.ts'
import { createForgetfulDiscovery, type KeptDiscovery } from '#lib/sync/reading/discovery.ts'
import { createDiscovering, createFollowing } from '#lib/sync/reading/follow.ts'
import { createReadings } from '#lib/sync/reading/page-reader.ts'
import type { EditionStore, EventLog, Log, Sync } from '#lib/sync/sync.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import { createSyncStatus, type SyncStatus } from '#lib/sync/sync-status.ts'
import { hasValidator } from '#lib/upstream/answer-headers.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { createEventMemory, createEventReporter } from './event-log.ts'
import {
  createHeartbeatMonitor,
  createWait,
  createWatchdog,
  type Loop,
  type SetRepeating,
  type Sleep,
} from './loop.ts'
import { createPass, createRunner } from './pass.ts'
import { createFilling } from './reconcile.ts'
import { createRunLog, type RunLog } from './run-log.ts'

export type SyncDeps = {
  archive: SyncArchive
  upstream: Upstream
  editions: EditionStore
  /** Unix seconds. */
  now: () => number
  /** Milliseconds. May reject when aborted. */
  sleep: Sleep
  /** In [0, 1), for jitter. */
  random?: () => number
  followSeconds?: number
  log?: Log
  discovery?: KeptDiscovery
  eventLog?: EventLog
  runLog?: RunLog
  every?: SetRepeating
  expectsNew?: boolean
  /** Unix seconds. */
  rebuiltAt?: number | null
  backupFailure?: () => BackupFailure | null
  emptyImports?: () => readonly string[]
}

export function createSync(deps: SyncDeps): Sync {
  const parts = createParts(deps)
  const { status, schedule, wait, runLog, discovery, eventLog, alarms, heartbeat, request } = parts
  const watchdog = createWatchdog({ loop: parts.loop, alarms, every: deps.every })
  const planDeps = { ...parts, state: status.read }

  const retry = () => {
    deps.editions.forgetFailures()
    schedule.releaseFollow()
    request.from = deps.now()
    wait.wake(true)
  }

  return {
    start: watchdog.start,
    stop: watchdog.stop,
    requestRun() {
      request.isOpen = true
      if (deps.upstream.allowProbe()) retry()
      else wait.wake()
      const at = schedule.followAt(true)
      const isThisMonth = at !== null && at < nextMonthAt(deps.now())
      const from = Math.max(request.from, deps.now())
      return { at: isThisMonth ? Math.max(at, from) : at, cost: selectFollowCost(schedule) }
    },
    retry,
    state: status.read,
    heartbeat: heartbeat.read,
    plan: () => toPlan(planDeps),
    runs: runLog.list,
    days: runLog.days,
    budget: () => toBudgetReport(parts),
    discovery: () => ({ ...discovery.read(), dump_validators: hasDumpValidators(deps.editions) }),
    alarms: alarms.list,
    events: eventLog.latest,
    onChange: status.onChange,
    onEvent: eventLog.onAppend,
  }
}

function createParts(deps: SyncDeps) {
  const { now, random = () => 0.5, followSeconds = null } = deps
  const log = toSafeLog(deps.log)
  const { expectsNew = true, rebuiltAt = null, backupFailure = () => null } = deps
  const { emptyImports = () => [] } = deps
  const discovery = deps.discovery ?? createForgetfulDiscovery()
  const eventLog = deps.eventLog ?? createEventMemory(now)
  const runLog = deps.runLog ?? createRunLog(now)
  const status: SyncStatus = createSyncStatus(now, () => heartbeat.beat())
  const heartbeat = createHeartbeatMonitor({ now, step: status.step })
  const wait = createWait({ ...deps, onSlice: heartbeat.beat })
  const failureStreak = createFailureStreak(now)
  const reporter = createEventReporter({ eventLog, log, now })
  const base = { ...deps, log, random, followSeconds, discovery, eventLog, runLog, status, wait }
  const shared = {
    ...base,
    heartbeat,
    failureStreak,
    reporter,
    expectsNew,
    rebuiltAt,
    backupFailure,
    emptyImports,
    state: status.read,
  }
  const schedule = createSchedule(shared)
  const readings = createReadings(shared)
  const reading = { ...shared, newReading: readings.newReading }
  const { observer } = readings
  const discovering = deps.discovery ? createDiscovering({ ...reading, observer }) : null
  const loadFacts = createAlarmFacts({ ...shared, schedule })
  const onProblem = () => log('alarms could not be evaluated')
  const alarms = createAlarmKeeper({
    ...shared,
    loadFacts,
    onChange: status.tell,
    onProblem,
  })
  const failed: { follow: unknown } = { follow: null }
  const pass = createPass({
    ...shared,
    schedule,
    filling: createFilling(reading),
    following: createFollowing(reading),
    runner: createRunner({ ...shared, sentForPeople: readings.sentForPeople }),
    forPeople: readings.forPeople,
    discovering,
    onFollowFailed(error) {
      failed.follow = error
    },
  })
  const request = { isOpen: false, from: now() }
  const isFollow = (error: unknown) => error === failed.follow
  const loop: Loop = { ...shared, pass, schedule, request, isFollow, afterPass: alarms.look }
  return { ...shared, schedule, alarms, request, loop, discovering }
}

function hasDumpValidators(editions: EditionStore): boolean | null {
  const kept = DUMP_KINDS.flatMap((kind) => editions.current(kind)?.validators ?? [])
  if (kept.length === 0) return null
  return kept.some(hasValidator)
}

/** A failing log must not stop the sync. */
const toSafeLog =
  (log: Log = () => undefined): Log =>
  (message, fields) => {
    try {
      log(message, fields)
    } catch {
      // There is nowhere left to report it.
    }
  }
