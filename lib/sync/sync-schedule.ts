import type { AppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import {
  nextMonthAt,
  PROBE_SECONDS,
  type Spending,
  selectFollowSeconds,
  selectRequestedSeconds,
} from './planner.ts'
import type { EditionStore, SyncArchive } from './sync.ts'

const DUMP_RETRY_FIRST_SECONDS = 60
/** How fast the mean cost of a follow forgets. */
const COST_WEIGHT = 0.3
/** A remote service gets this long after its Sunday to have made its dump, and up to as much again by chance. */
const SETTLE_SECONDS = 600

export type ScheduleDeps = {
  archive: SyncArchive
  upstream: Upstream
  editions: EditionStore
  now: () => number
  random: () => number
  /** Seconds from one follow to the next where they are not to be planned. */
  followSeconds: number | null
}

/** When what is due. All instants in seconds since 1970. */
export type Schedule = {
  /** null: no request of this month is left to follow with. */
  followAt(asked: boolean): number | null
  dumpAt(kind: DumpKind): number
  /** When there is next something to do. */
  nextAt(asked: boolean): number
  spending(): Spending
  noteFollow(startedAt: number, requests: number): void
  noteDump(kind: DumpKind, failure: AppError | null): void
}

export function createSchedule(deps: ScheduleDeps): Schedule {
  const { archive, upstream, editions, now, random } = deps
  const isRemote = upstream.service.kind === 'remote'
  const settleSeconds = isRemote ? Math.round(SETTLE_SECONDS * (1 + random())) : 0
  const retries = { posts: { at: 0, failures: 0 }, lookups: { at: 0, failures: 0 } }
  let jitter = 0.9 + random() * 0.2
  let followedAt: number | null = null
  let requestsPerFollow = 1

  const spending = () => ({ budget: upstream.budget(), at: now(), requestsPerFollow })

  const followAt = (asked: boolean): number | null => {
    const seconds = deps.followSeconds ?? selectFollowSeconds(spending())
    if (seconds === null) return null
    const { limit } = upstream.budget().month
    // A restart does not spend a request of a month's that was just spent.
    const last = followedAt ?? (limit === null ? null : archive.state().completeTo)
    if (last === null) return now()
    const wait = asked ? selectRequestedSeconds(limit, seconds) : seconds * jitter
    return Math.min(last, now()) + Math.round(wait)
  }
  const dumpAt = (kind: DumpKind): number => {
    const kept = editions.current(kind)
    return Math.max(retries[kind].at, kept ? kept.next_due_at + settleSeconds : 0)
  }
  return {
    followAt,
    dumpAt,
    nextAt(asked) {
      const follow = followAt(asked) ?? nextMonthAt(now())
      return Math.min(follow, ...DUMP_KINDS.map(dumpAt))
    },
    spending,
    noteFollow(startedAt, requests) {
      followedAt = startedAt
      requestsPerFollow += (requests - requestsPerFollow) * COST_WEIGHT
      requestsPerFollow = Math.max(1, requestsPerFollow)
      jitter = 0.9 + random() * 0.2
    },
    noteDump(kind, failure) {
      const failures = failure ? retries[kind].failures + 1 : 0
      const backoff = Math.min(DUMP_RETRY_FIRST_SECONDS * 2 ** failures, PROBE_SECONDS)
      const scarce = upstream.budget().month.limit === null ? 1 : 24
      const seconds = Math.max(failure?.retryAfterSeconds ?? 0, backoff * scarce)
      retries[kind] = { at: failure ? now() + seconds : 0, failures }
    },
  }
}
