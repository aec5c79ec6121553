import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import type { SyncArchive } from './sync.ts'
import type { Filling } from './sync-fill.ts'
import type { Following } from './sync-follow.ts'
import type { Schedule } from './sync-schedule.ts'

const SPENT =
  'The requests of this month are spent, but for those that are kept for the weekly dumps.'

/** `isServed`: a follow took place. `isSpent`: there can be none before the next month. */
export type PassResult = { reason: string | null; isServed: boolean; isSpent: boolean }

/** Does once whatever is due. Throws AppError, as of a service that is down or a key that is refused. */
export type Pass = (signal: AbortSignal, asked: boolean) => Promise<PassResult>

export type PassDeps = {
  archive: SyncArchive
  upstream: Upstream
  now: () => number
  schedule: Schedule
  filling: Filling
  following: Following
}

export function createPass(deps: PassDeps): Pass {
  const { archive, upstream, now, schedule, filling, following } = deps
  const reasons: Record<DumpKind | 'follow', string | null> = {
    posts: null,
    lookups: null,
    follow: null,
  }

  const fetchIfDue = async (kind: DumpKind, signal: AbortSignal) => {
    if (schedule.dumpAt(kind) > now()) return
    const failure = await filling.fetchDump(kind, signal)
    schedule.noteDump(kind, failure)
    if (failure?.fault === 'upstream_refused') throw failure
    reasons[kind] = failure && `The ${kind} dump of this week could not be had: ${failure.message}`
  }
  const followIfDue = async (signal: AbortSignal, asked: boolean) => {
    const startedAt = now()
    const at = schedule.followAt(asked)
    if (at === null || at > startedAt) return { isServed: false, isSpent: at === null }
    const sparing = upstream.budget().month.limit !== null
    const { requests, reason } = await following.follow(signal, sparing)
    schedule.noteFollow(startedAt, requests)
    reasons.follow = reason
    return { isServed: true, isSpent: schedule.followAt(false) === null }
  }
  return async (signal, asked) => {
    if (archive.state().completeTo === null) await filling.bootstrap(signal)
    await fetchIfDue('posts', signal)
    await filling.reconcile(signal)
    const { isServed, isSpent } = await followIfDue(signal, asked)
    await fetchIfDue('lookups', signal)
    const given = [reasons.follow, ...DUMP_KINDS.map((kind) => reasons[kind])]
    const reason = isSpent ? SPENT : (given.find((text) => text !== null) ?? null)
    return { reason, isServed, isSpent }
  }
}
