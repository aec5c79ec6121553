import type { AppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { isBudgetSpent } from './budget-spent.ts'
import type { Chronicle } from './chronicle.ts'
import type { Discovering } from './discover.ts'
import { isOutstanding } from './outstanding.ts'
import type { Runner } from './run-move.ts'
import type { EditionStore, SyncArchive } from './sync.ts'
import type { Filled, Filling } from './sync-fill.ts'
import type { Following } from './sync-follow.ts'
import type { Schedule } from './sync-schedule.ts'

const SPENT =
  'The requests of this month are spent, but for those that are kept for the weekly dumps.'

/**
 * `isServed`: a follow took place. `isSpent`: there can be none before the next month. `hasSucceeded`: whether anything was
 * due and went well.
 */
export type PassResult = {
  reason: string | null
  isServed: boolean
  isSpent: boolean
  hasSucceeded: boolean
}

/** Does once whatever is due. Throws AppError, as of a service that is down or a key that is refused. */
export type Pass = (signal: AbortSignal, asked: boolean) => Promise<PassResult>

export type PassDeps = {
  archive: SyncArchive
  editions: EditionStore
  upstream: Upstream
  now: () => number
  schedule: Schedule
  filling: Filling
  following: Following
  runner: Runner
  reporter: Chronicle
  /** Whether what is read next is read for people. */
  forPeople: (isForPeople: boolean) => void
  /** Without it, nothing is asked only to find out how the service lists its ratings. */
  discovering: Discovering | null
  /** Told when a follow failed. */
  onFollowFailed: (error: unknown) => void
}

export function createPass(deps: PassDeps): Pass {
  const { archive, now, schedule, filling, runner } = deps
  const reasons: Record<DumpKind | 'follow', string | null> = {
    posts: null,
    lookups: null,
    follow: null,
  }
  const fetchDump = async (kind: DumpKind, signal: AbortSignal): Promise<AppError | null> => {
    const { why } = schedule.dumps[kind].due()
    const failure = await filling.fetchDump(kind, signal, why === 'again')
    schedule.dumps[kind].note(failure)
    reasons[kind] = failure && `The ${kind} dump of this week could not be had: ${failure.message}`
    if (failure) deps.reporter.dumpFailed(kind, failure)
    if (failure?.fault === 'upstream_refused') throw failure
    return failure
  }
  const isDue = (kind: DumpKind) => schedule.dumps[kind].due().at <= now()

  const bootstrapIfDue = async (signal: AbortSignal) => {
    if (archive.state().completeTo !== null) return false
    return await runner.run('bootstrap', signal, async () => {
      return toEnd(await filling.bootstrap(signal))
    })
  }
  const reconcileIfDue = async (signal: AbortSignal) => {
    const due = isDue('posts')
    if (!due && !isOutstanding(deps)) return false
    return await runner.run('reconcile', signal, async () => {
      const failure = due ? await fetchDump('posts', signal) : null
      const filled = await filling.reconcile(signal)
      return { ...toEnd(filled), failed: failure?.message }
    })
  }
  const fetchLookupsIfDue = async (signal: AbortSignal) => {
    if (!isDue('lookups')) return false
    return await runner.run('lookups', signal, async () => {
      const failure = await fetchDump('lookups', signal)
      return { ...toEnd(null), failed: failure?.message }
    })
  }
  const discoverIfDue = async (signal: AbortSignal) => {
    const { discovering } = deps
    const at = discovering?.dueAt() ?? null
    if (!discovering || at === null || at > now()) return false
    return await runner.run('discover', signal, async () => await discovering.discover(signal))
  }
  const followIfDue = createFollow(deps, (reason) => {
    reasons.follow = reason
  })
  return async (signal, asked) => {
    const filled = await bootstrapIfDue(signal)
    const reconciled = await reconcileIfDue(signal)
    const { isServed, isSpent } = await followIfDue(signal, asked)
    const fetched = await fetchLookupsIfDue(signal)
    const discovered = await discoverIfDue(signal)
    const given = [reasons.follow, ...DUMP_KINDS.map((kind) => reasons[kind])]
    const reason = isSpent ? SPENT : (given.find((text) => text !== null) ?? null)
    return {
      reason,
      isServed,
      isSpent,
      hasSucceeded: filled || reconciled || isServed || fetched || discovered,
    }
  }
}

const toEnd = (filled: Filled | null) => ({
  rows: filled?.rows ?? null,
  reason: filled?.reason ?? null,
})

function createFollow(deps: PassDeps, onReason: (reason: string | null) => void) {
  const { upstream, now, schedule, following, runner, forPeople } = deps
  return async (signal: AbortSignal, asked: boolean) => {
    const startedAt = now()
    const at = schedule.followAt(asked)
    if (at === null || at > startedAt) return { isServed: false, isSpent: at === null }
    const planned = schedule.followAt(false)
    const { limit } = upstream.budget().month
    const isEarly = limit !== null && planned !== null && planned > startedAt
    forPeople(isEarly)
    try {
      await runner.run('follow', signal, async (requests) => {
        const followed = await following.follow(signal, limit !== null)
        onReason(followed.reason)
        schedule.noteFollow(startedAt, Math.max(1, requests()))
        deps.reporter.followed(followed.rows)
        return followed
      })
    } catch (error) {
      // People had spent their share meanwhile: whoever asked waits for the plan.
      if (isEarly && isBudgetSpent(error) && !signal.aborted)
        return { isServed: false, isSpent: false }
      deps.onFollowFailed(error)
      throw error
    } finally {
      forPeople(false)
    }
    return { isServed: true, isSpent: schedule.followAt(false) === null }
  }
}
