import type { Move, SyncRun } from '#lib/contract/answers/status.ts'
import { type AppError, toAppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'
import { isBudgetSpent } from '#lib/sync/failure-memory.ts'
import type { Schedule } from '#lib/sync/planning/schedule.ts'
import type { Discovering, PageFollower } from '#lib/sync/reading/follow.ts'
import type { EditionStore } from '#lib/sync/sync.ts'
import type { SyncArchive } from '#lib/sync/sync-archive.ts'
import type { SyncStatus } from '#lib/sync/sync-status.ts'
import type { Budget, Upstream } from '#lib/upstream/upstream.ts'
import type { EventReporter } from './event-log.ts'
import { type Filled, type Filling, isImportDue } from './reconcile.ts'
import type { RunLog } from './run-log.ts'

const SPENT = 'This month’s requests are used up, except those reserved for the weekly dumps.'

/** `isServed`: a follow took place. `isSpent`: none is left this month. */
type PassResult = {
  reason: string | null
  isServed: boolean
  isSpent: boolean
  hasSucceeded: boolean
}

/** Throws AppError. */
export type Pass = (signal: AbortSignal, asked: boolean) => Promise<PassResult>

type PassDeps = {
  archive: SyncArchive
  editions: EditionStore
  upstream: Upstream
  now: () => number
  schedule: Schedule
  filling: Filling
  following: PageFollower
  runner: Runner
  reporter: EventReporter
  forPeople: (isForPeople: boolean) => void
  discovering: Discovering | null
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
    reasons[kind] =
      failure && `The ${kind} dump of this week could not be fetched: ${failure.message}`
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
    if (!due && !isImportDue(deps)) return false
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

const STOPPED = 'The process was stopped during the run.'

type MoveEnd = Pick<SyncRun, 'rows' | 'reason'> & { failed?: string }

type Runner = {
  run(
    move: Move,
    signal: AbortSignal,
    work: (requests: () => number) => Promise<MoveEnd>,
  ): Promise<boolean>
}

type RunnerDeps = {
  upstream: Upstream
  editions: EditionStore
  status: SyncStatus
  runLog: RunLog
  reporter: EventReporter
  sentForPeople: () => number
}

export function createRunner(deps: RunnerDeps): Runner {
  const { upstream, status, runLog, reporter, sentForPeople } = deps
  const tellDumps = createDumpPoll(deps)

  return {
    async run(move, signal, work) {
      let before = toSent(upstream.budget())
      const peoplesBefore = sentForPeople()
      const requests = () => {
        const sent = toSent(upstream.budget())
        // A new month resets the counter.
        if (sent < before) before = 0
        return sent - before + sentForPeople() - peoplesBefore
      }
      const run = runLog.begin(move)
      const leave = status.onChange(() => run.word(requests()))
      status.set({ move })
      try {
        const { failed, rows, reason } = await work(requests)
        const outcome = failed === undefined ? 'done' : 'failed'
        run.end({ outcome, requests: requests(), rows, reason: failed ?? reason })
        if (rows && move !== 'follow') reporter.imported(move, rows)
        return failed === undefined
      } catch (error) {
        const reason = signal.aborted ? STOPPED : toAppError(error).message
        const outcome = signal.aborted ? 'interrupted' : 'failed'
        run.end({ outcome, requests: requests(), rows: null, reason })
        throw error
      } finally {
        leave()
        status.set({ move: null, progress: null })
        tellDumps()
      }
    },
  }
}

const toSent = ({ spent }: Budget) => spent.dump + spent.follow

function createDumpPoll({ editions, reporter }: RunnerDeps): () => void {
  const select = () =>
    DUMP_KINDS.map((kind) => ({
      kind,
      current: editions.current(kind),
      heldBack: editions.list(kind).find(({ state }) => state === 'aside') ?? null,
    }))
  let seen = select()
  return () => {
    const before = seen
    seen = select()
    for (const [index, { kind, current, heldBack }] of seen.entries()) {
      const was = before[index]
      const isNew = current && current.fetched_at !== was?.current?.fetched_at
      if (isNew && current.fetched_at > (was?.current?.fetched_at ?? 0)) reporter.dumpCame(current)
      const isFresh = heldBack && heldBack.sha256 !== was?.heldBack?.sha256
      if (isFresh && heldBack.reason) reporter.dumpHeldBack(kind, heldBack.reason)
    }
  }
}
