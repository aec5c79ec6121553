import { DateTime } from 'luxon'
import type { BudgetReport, PlannedMove } from '#lib/contract/answers/status.ts'
import { type DumpKind, EDITION_ZONE } from '#lib/contract/weekly-clock.ts'
import type { FailureStreak } from '#lib/sync/failure-memory.ts'
import type { Discovering } from '#lib/sync/reading/follow.ts'
import type { SyncState } from '#lib/sync/sync.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import { nextMonthAt } from '#lib/upstream/ledger.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { selectRunsOutAt } from './budget.ts'
import type { DumpDue, Schedule } from './schedule.ts'

const MINUTE = 60
const HOUR = 3600
const DAY = 86_400

type PlanDeps = {
  archive: SyncArchive
  upstream: Upstream
  schedule: Schedule
  state: () => SyncState
  failureStreak: FailureStreak
  discovering: Discovering | null
  now: () => number
}

/** Soonest first; moves not due this month last. */
export function toPlan(deps: PlanDeps): PlannedMove[] {
  const isEmpty = deps.archive.state().completeTo === null
  const moves = isEmpty
    ? [toBootstrap(deps)]
    : [toFollow(deps), toDump('posts', deps), toDump('lookups', deps), ...toDiscover(deps)]
  return moves.sort((a, b) => (a.at ?? Infinity) - (b.at ?? Infinity))
}

function toDelayed(at: number, { state, failureStreak, upstream, now }: PlanDeps) {
  const pausedUntil = upstream.budget().pausedUntil ?? 0
  const waitsUntil = failureStreak.read() ? (state().next_at ?? 0) : 0
  const held = Math.max(at, now(), pausedUntil, waitsUntil)
  return { held, isHeld: held > Math.max(at, now()) }
}

function toDiscover(deps: PlanDeps): PlannedMove[] {
  const { discovering } = deps
  if (!discovering) return []
  const why =
    'Once a month, the sync checks how the service numbers its pages and what follows the last one.'
  const at = discovering.dueAt()
  return [
    {
      move: 'discover',
      at: at === null ? null : toDelayed(at, deps).held,
      cost: discovering.cost,
      why,
    },
  ]
}

function toBootstrap(deps: PlanDeps): PlannedMove {
  const { held, isHeld } = toDelayed(deps.now(), deps)
  const why =
    'The archive is empty. It is filled from this week’s dump, or from all pages if there is none.'
  return { move: 'bootstrap', at: held, cost: 1, why: isHeld ? `${why} ${toHold(deps)}` : why }
}

function toFollow(deps: PlanDeps): PlannedMove {
  const { schedule, upstream, now } = deps
  const cost = selectFollowCost(schedule)
  const at = schedule.followAt(false)
  const seconds = schedule.followSeconds()
  const { limit } = upstream.budget().month
  if (at === null || seconds === null) {
    const { reserved } = upstream.budget()
    const kept = reserved > 0 ? ` except ${reserved} reserved for the weekly dumps` : ''
    return { move: 'follow', at: null, cost, why: `This month’s requests are used up${kept}.` }
  }
  const { held, isHeld } = toDelayed(at, deps)
  const why =
    limit === null
      ? `The newest pages are read every ${toLength(seconds)}: the key has no monthly limit.`
      : `Every ${toLength(seconds)}, so that this month’s requests last, including those reserved for dumps.`
  const isThisMonth = held < nextMonthAt(now())
  return {
    move: 'follow',
    at: isThisMonth || limit === null ? held : null,
    cost,
    why: isHeld ? toHold(deps) : why,
  }
}

function toDump(kind: DumpKind, deps: PlanDeps): PlannedMove {
  const clock = deps.schedule.dumps[kind]
  const due = clock.due()
  const move = kind === 'posts' ? 'reconcile' : 'lookups'
  if (due.why === 'spared') {
    const reason = 'The remaining requests of this month are reserved for the posts dump.'
    return { move, at: null, cost: 1, why: reason }
  }
  const { held, isHeld } = toDelayed(due.at, deps)
  const why = isHeld ? toHold(deps) : toDumpReason(due, clock.settleSeconds, deps.now())
  return { move, at: held, cost: 1, why }
}

function toDumpReason({ at, why }: DumpDue, settleSeconds: number, now: number): string {
  if (why === 'retry') return 'The last attempt failed. It will be retried.'
  if (why === 'again') {
    return 'The dump seems to be last week’s. The service is checked for a newer one.'
  }
  if (at <= now) return 'This week’s dump has not arrived yet.'
  const sunday = DateTime.fromSeconds(at - settleSeconds, { zone: EDITION_ZONE, locale: 'en' })
  const made = `The service creates its next dump on ${sunday.toFormat("cccc, LLLL d, 'at' HH:mm")} in New York`
  const minutes = Math.round(settleSeconds / MINUTE)
  return minutes === 0 ? `${made}.` : `${made}; fetched ${minutes} minutes later, when it is ready.`
}

const toHold = ({ failureStreak, upstream }: PlanDeps) =>
  failureStreak.read() || upstream.budget().pausedUntil === null
    ? 'The last attempt failed. The next one is then.'
    : 'The service asked for a pause until then.'

function toLength(seconds: number): string {
  const [unit, name] =
    seconds >= 2 * DAY ? [DAY, 'day'] : seconds >= HOUR ? [HOUR, 'hour'] : [MINUTE, 'minute']
  const number = Math.max(1, Math.round(seconds / unit))
  return number === 1 ? name : `${number} ${name}s`
}

export const selectFollowCost = (schedule: Schedule): number =>
  Math.max(1, Math.round(schedule.spending().requestsPerFollow))

export function toBudgetReport(
  deps: Pick<PlanDeps, 'upstream' | 'schedule' | 'now'>,
): BudgetReport {
  const { upstream, schedule, now } = deps
  const { minute, month, spent, reserved, pausedUntil } = upstream.budget()
  return {
    minute,
    month,
    spent,
    reserved,
    resets_at: nextMonthAt(now()),
    runs_out_at: selectRunsOutAt(schedule.spending()),
    paused_until: pausedUntil,
    follow_seconds: schedule.followSeconds(),
    costs: { sync: selectFollowCost(schedule), dump: 1, page: 1 },
  }
}
