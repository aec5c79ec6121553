import type { SyncRun } from '#lib/contract/answers/sync-runs.ts'
import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'
import { nextMonthAt } from '#lib/upstream/ledger-lines.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { createDumpClock, type DumpClock } from './dump-clock.ts'
import {
  QUICK_RETRIES,
  type Spending,
  selectFollowSeconds,
  selectPeoplesLeft,
  selectRequestedSeconds,
} from './planner.ts'
import type { EditionStore, SyncArchive } from './sync.ts'

/** How fast the mean cost of a follow forgets. */
const COST_WEIGHT = 0.3

export type ScheduleDeps = {
  archive: SyncArchive
  upstream: Upstream
  editions: EditionStore
  /** What ran before, the newest first. */
  runLog: { list(): SyncRun[] }
  now: () => number
  random: () => number
  /** Seconds from one follow to the next where they are not to be planned. */
  followSeconds: number | null
}

/** When what is due. All instants in seconds since 1970. */
export type Schedule = {
  /** null: no request of this month is left to follow with. `asked`: somebody waits for it. */
  followAt(asked: boolean): number | null
  followSeconds(): number | null
  dumps: Record<DumpKind, DumpClock>
  /** When there is next something to do. */
  nextAt(asked: boolean): number
  spending(): Spending
  noteFollow(startedAt: number, requests: number): void
  /** A follow failed: none before that instant, for who asks none before `asked`. */
  holdFollow(until: number, asked: number): void
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
  let held: Hold = { until: 0, asked: 0, at: 0 }

  const spending = () => ({ budget: upstream.budget(), at: now(), requestsPerFollow })
  const followSeconds = () => deps.followSeconds ?? selectFollowSeconds(spending())
  const followAt = (asked: boolean): number | null => {
    const seconds = followSeconds()
    if (seconds === null) return null
    const { limit } = upstream.budget().month
    const before = limit === null ? null : (ranAt ?? archive.state().completeTo)
    const last = followedAt ?? before
    // A clock that was set back: what lies in the future counts from now on, or it would never be due.
    if (last !== null && last > now()) followedAt = now()
    if (held.at > now()) held = moveTo(now(), held)
    // Once people have had their share, who asks waits for the plan.
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
      held = { until: 0, asked: 0, at: 0 }
      requestsPerFollow += (requests - requestsPerFollow) * COST_WEIGHT
      requestsPerFollow = Math.max(1, requestsPerFollow)
      jitter = 0.9 + random() * 0.2
    },
    holdFollow(until, asked) {
      held = { until, asked, at: now() }
    },
  }
}

/**
 * When the last follow took place, or the last of some that failed: a restart spends no request of a month's that was
 * just spent. undefined where none did.
 */
function selectRanAt(runs: readonly SyncRun[]): number | undefined {
  const follows = runs.filter(({ move }) => move === 'follow')
  const done = follows.findIndex(({ outcome }) => outcome === 'done')
  const since = done < 0 ? follows.length : done
  return (since > QUICK_RETRIES ? follows[0] : follows[done])?.started_at
}

type Hold = { until: number; asked: number; at: number }

const moveTo = (now: number, { until, asked, at }: Hold): Hold => ({
  until: now + until - at,
  asked: now + asked - at,
  at: now,
})
