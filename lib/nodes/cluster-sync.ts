import type { Alarm, BudgetReport } from '#lib/contract/answers/status.ts'
import { UNKNOWN_DISCOVERY } from '#lib/sync/reading/discovery.ts'
import type { EventLog, Sync, SyncState } from '#lib/sync/sync.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import type { PublishedStatus } from './published-status.ts'

type ClusterSyncDeps = {
  /** Null unless this node leads. */
  led: () => Sync | null
  published: () => PublishedStatus | null
  isAway: () => boolean
  ownAlarms: () => Alarm[]
  wish: () => void
  eventLog: EventLog
  /** Unix seconds. */
  now: () => number
  start: () => void
  stop: () => Promise<void>
}

export type ClusterSync = Sync & {
  tell(): void
}

export function createClusterSync(deps: ClusterSyncDeps): ClusterSync {
  const { led, published, eventLog, now } = deps
  const listeners = new Set<() => void>()
  const alarms = () => [...deps.ownAlarms(), ...(led()?.alarms() ?? published()?.alarms ?? [])]
  return {
    start: deps.start,
    stop: deps.stop,
    requestRun() {
      const own = led()
      if (own) return own.requestRun()
      deps.wish()
      return toRequested(published()?.budget ?? toUnknownBudget(now()), now())
    },
    retry: () => led()?.retry(),
    state() {
      const known = led()?.state() ?? published()?.sync ?? STARTING
      return deps.isAway() ? { ...known, ...AWAY } : known
    },
    heartbeat: () => led()?.heartbeat() ?? { at: now(), stalled: false, restarts: 0 },
    plan: () => led()?.plan() ?? published()?.plan ?? [],
    runs: () => led()?.runs() ?? published()?.runs ?? [],
    days: () => led()?.days() ?? published()?.days ?? [],
    budget: () => led()?.budget() ?? published()?.budget ?? toUnknownBudget(now()),
    discovery: () => led()?.discovery() ?? published()?.discovery ?? UNKNOWN_DISCOVERY,
    alarms,
    events: eventLog.latest,
    onChange(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    onEvent: eventLog.onAppend,
    tell() {
      for (const listener of listeners) {
        try {
          listener()
        } catch {
          // Listeners handle their own errors.
        }
      }
    },
  }
}

function toRequested(budget: BudgetReport, at: number) {
  const { paused_until: pausedUntil, follow_seconds: followSeconds, costs } = budget
  return { at: followSeconds === null ? null : Math.max(at, pausedUntil ?? at), cost: costs.sync }
}

/** Shown while the shared database is unreachable. */
const AWAY: Partial<SyncState> = {
  state: 'waiting',
  reason: 'The shared database cannot be reached.',
  move: null,
  progress: null,
  next_at: null,
}

const STARTING: SyncState = {
  state: 'starting',
  reason: null,
  move: null,
  progress: null,
  checked_at: null,
  next_at: null,
}

const toUnknownBudget = (now: number): BudgetReport => ({
  minute: { limit: null, used: 0 },
  month: { limit: null, used: 0 },
  spent: { dump: 0, follow: 0, people: 0 },
  reserved: 0,
  resets_at: nextMonthAt(now),
  runs_out_at: null,
  paused_until: null,
  follow_seconds: 0,
  costs: { sync: 1, dump: 1, page: 1 },
})
