import type { SyncRun } from '#lib/contract/answers/status.ts'
import type { AppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS, type DumpKind, editionAt, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import { isAhead } from '#lib/sync/editions/kept-editions.ts'
import { toWaitSeconds } from '#lib/sync/failure-memory.ts'
import type { EditionStore } from '#lib/sync/sync.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import type { Budget, Upstream } from '#lib/upstream/upstream.ts'
import {
  countSundays,
  QUICK_RETRIES,
  type Spending,
  selectFollowSeconds,
  selectLeft,
  selectPeoplesLeft,
  selectRequestedSeconds,
} from './budget.ts'

const COST_WEIGHT = 0.3

type ScheduleDeps = {
  archive: SyncArchive
  upstream: Upstream
  editions: EditionStore
  runLog: { list(): SyncRun[] }
  now: () => number
  random: () => number
  followSeconds: number | null
}

/** All times in Unix seconds. */
export type Schedule = {
  /** Null if no request is left this month. */
  followAt(asked: boolean): number | null
  followSeconds(): number | null
  dumps: Record<DumpKind, DumpClock>
  nextAt(asked: boolean): number
  spending(): Spending
  noteFollow(startedAt: number, requests: number): void
  holdFollow(until: number, asked: number): void
  releaseFollow(): void
}

export function createSchedule(deps: ScheduleDeps): Schedule {
  const { archive, upstream, now, random, runLog } = deps
  const isRemote = upstream.service.kind === 'remote'
  const runs = runLog.list()
  const budget = upstream.budget
  const toClock = (kind: DumpKind, first?: DumpClock) =>
    createDumpClock({ ...deps, kind, first, budget, isRemote, runs })
  const posts = toClock('posts')
  const dumps = { posts, lookups: toClock('lookups', posts) }
  const ranAt = selectRanAt(runs)
  let jitter = 0.9 + random() * 0.2
  let followedAt: number | null = null
  let requestsPerFollow = 1
  let held = NOT_HELD

  const spending = () => ({ budget: upstream.budget(), at: now(), requestsPerFollow })
  const followSeconds = () => deps.followSeconds ?? selectFollowSeconds(spending())
  const followAt = (asked: boolean): number | null => {
    const seconds = followSeconds()
    if (seconds === null) return null
    const { limit } = upstream.budget().month
    const before = limit === null ? null : (ranAt ?? archive.state().completeTo)
    const last = followedAt ?? before
    // After the clock is set back, these would never be due.
    if (last !== null && last > now()) followedAt = now()
    if (held.at > now()) held = moveTo(now(), held)
    const isAtOnce = asked && selectPeoplesLeft(upstream.budget()) !== 0
    const wait = isAtOnce ? selectRequestedSeconds(limit, seconds) : seconds * jitter
    const at = last === null ? now() : Math.min(last, now()) + Math.round(wait)
    return Math.max(at, isAtOnce ? held.asked : held.until)
  }
  return {
    followAt,
    followSeconds,
    dumps,
    nextAt(asked) {
      const follow = followAt(asked) ?? nextMonthAt(now())
      return Math.min(follow, ...DUMP_KINDS.map((kind) => dumps[kind].due().at))
    },
    spending,
    noteFollow(startedAt, requests) {
      followedAt = startedAt
      held = NOT_HELD
      requestsPerFollow += (requests - requestsPerFollow) * COST_WEIGHT
      requestsPerFollow = Math.max(1, requestsPerFollow)
      jitter = 0.9 + random() * 0.2
    },
    holdFollow(until, asked) {
      held = { until, asked, at: now() }
    },
    releaseFollow() {
      held = NOT_HELD
    },
  }
}

/** Prevents a restart from spending a monthly request that was just spent. */
function selectRanAt(runs: readonly SyncRun[]): number | undefined {
  const follows = runs.filter(({ move }) => move === 'follow')
  const done = follows.findIndex(({ outcome }) => outcome === 'done')
  const since = done < 0 ? follows.length : done
  return (since > QUICK_RETRIES ? follows[0] : follows[done])?.started_at
}

type Backoff = { until: number; asked: number; at: number }

const NOT_HELD: Backoff = { until: 0, asked: 0, at: 0 }

const moveTo = (now: number, { until, asked, at }: Backoff): Backoff => ({
  until: now + until - at,
  asked: now + asked - at,
  at: now,
})

const HOUR_SECONDS = 3600
const RETRY_FIRST_SECONDS = 120
const SETTLE_SECONDS = 600
const AGAIN_HOURS = [1, 6, 24]
/** With a monthly limit; doubles to a day. */
const SCARCE_FIRST_SECONDS = 6 * HOUR_SECONDS
const SCARCE_LAST_SECONDS = 24 * HOUR_SECONDS

/** `again`: the dump may be last week's. `spared`: requests are reserved for posts. */
export type DumpDue = { at: number; why: 'due' | 'retry' | 'again' | 'spared' }

type DumpClock = {
  due(): DumpDue
  note(failure: AppError | null): void
  suspect(isSuspect: boolean): void
  settleSeconds: number
}

type DumpClockDeps = {
  kind: DumpKind
  editions: EditionStore
  budget: () => Budget
  /** Unix seconds. */
  now: () => number
  random: () => number
  isRemote: boolean
  first?: DumpClock
  runs: readonly SyncRun[]
}

function createDumpClock(deps: DumpClockDeps): DumpClock {
  const { kind, editions, budget, now, random, isRemote } = deps
  const settleSeconds = isRemote ? Math.round(SETTLE_SECONDS * (1 + random())) : 0
  let retry = toRetry(deps)
  let askedAt = now()
  let isSuspected = false

  const backoff = (failures: number) => toBackoff(failures, budget().month.limit)
  const dueAt = (): DumpDue => {
    const next = selectNextDue(editions, kind, now())
    if (next > now()) return selectAgain() ?? { at: next + settleSeconds, why: 'due' }
    const at = next === 0 ? 0 : next + settleSeconds
    // After the clock is set back, the retry would never be due.
    if (retry.at > now() + retry.seconds) retry = { ...retry, at: now() + retry.seconds }
    return retry.at > at ? { at: retry.at, why: 'retry' } : { at, why: 'due' }
  }
  const selectAgain = (): DumpDue | null => {
    const kept = editions.current(kind)
    if (!kept || !(kept.unchanged || isSuspected) || selectLeft(budget(), now()) < 1) return null
    if (kind === 'lookups' && budget().month.limit !== null) return null
    const base = editionAt(now()) + settleSeconds
    const hours = AGAIN_HOURS.find((one) => base + one * HOUR_SECONDS > askedAt)
    return hours === undefined ? null : { at: base + hours * HOUR_SECONDS, why: 'again' }
  }
  return {
    settleSeconds,
    due() {
      const due = selectAfter(deps.first?.due() ?? null, dueAt(), budget().month.limit)
      const monthEnd = nextMonthAt(now())
      if (kind === 'posts' || due.at >= monthEnd || isAffordable(editions, budget(), now()))
        return due
      return { at: monthEnd, why: 'spared' }
    },
    note(failure) {
      askedAt = now()
      const failures = failure ? retry.failures + 1 : 0
      const sundaySeconds = nextEditionAt(now()) - now()
      const planned = Math.min(backoff(failures), sundaySeconds)
      const told = failure ? toWaitSeconds(failure, planned) : planned
      const seconds = told + (told >= sundaySeconds ? settleSeconds : 0)
      retry = { at: failure ? now() + seconds : 0, seconds, failures }
    },
    suspect(isSuspect) {
      isSuspected = isSuspect
    },
  }
}

function selectAfter(first: DumpDue | null, due: DumpDue, limit: number | null): DumpDue {
  if (limit === null || first?.why !== 'retry' || first.at <= due.at) return due
  return { at: first.at, why: 'retry' }
}

function selectNextDue(editions: EditionStore, kind: DumpKind, at: number): number {
  const kept = editions.list(kind).filter((edition) => !isAhead(edition, at))
  return Math.max(0, ...kept.map(({ next_due_at }) => next_due_at))
}

function isAffordable(editions: EditionStore, { month }: Budget, at: number): boolean {
  if (month.limit === null) return true
  const outstanding = selectNextDue(editions, 'posts', at) <= at ? 1 : 0
  return month.limit - month.used - 1 >= outstanding + countSundays(at)
}

function toBackoff(failures: number, limit: number | null): number {
  if (limit === null) return Math.min(RETRY_FIRST_SECONDS * 2 ** (failures - 1), HOUR_SECONDS)
  return Math.min(SCARCE_FIRST_SECONDS * 2 ** (failures - 1), SCARCE_LAST_SECONDS)
}

function toRetry({ kind, runs, now, budget }: DumpClockDeps) {
  const move = kind === 'posts' ? 'reconcile' : 'lookups'
  const since = editionAt(now())
  const ran = runs.filter((run) => run.move === move && run.ended_at >= since)
  const succeeded = ran.findIndex(({ outcome }) => outcome === 'done')
  const failed = (succeeded < 0 ? ran : ran.slice(0, succeeded)).filter(
    ({ outcome }) => outcome === 'failed',
  )
  const [last] = failed
  if (!last) return { at: 0, seconds: 0, failures: 0 }
  const seconds = toBackoff(failed.length, budget().month.limit)
  return { at: Math.min(last.ended_at, now()) + seconds, seconds, failures: failed.length }
}
