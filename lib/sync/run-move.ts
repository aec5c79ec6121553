import type { Move, SyncRun } from '#lib/contract/answers/sync-runs.ts'
import { toAppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS } from '#lib/contract/weekly-clock.ts'
import type { Budget, Upstream } from '#lib/upstream/upstream.ts'
import type { Chronicle } from './chronicle.ts'
import type { RunLog } from './run-log.ts'
import type { EditionStore } from './sync.ts'
import type { SyncStatus } from './sync-status.ts'

const STOPPED = 'The process was stopped while it ran.'

/** How a move went: `failed` where it did not do what it was for, without that being the end of everything. */
export type MoveEnd = Pick<SyncRun, 'rows' | 'reason'> & { failed?: string }

/** Runs moves, and keeps book of them: the state, the log of runs, the event log. */
export type Runner = {
  /** Gives whether it did what it was for. `requests`: how many were sent for it so far. Throws what `work` throws. */
  run(
    move: Move,
    signal: AbortSignal,
    work: (requests: () => number) => Promise<MoveEnd>,
  ): Promise<boolean>
}

export type RunnerDeps = {
  upstream: Upstream
  editions: EditionStore
  status: SyncStatus
  runLog: RunLog
  reporter: Chronicle
  /** Requests that the sync has sent on people's account. */
  sentForPeople: () => number
}

export function createRunner(deps: RunnerDeps): Runner {
  const { upstream, status, runLog, reporter, sentForPeople } = deps
  const tellDumps = createDumpWatch(deps)

  return {
    async run(move, signal, work) {
      let before = toSent(upstream.budget())
      const peoplesBefore = sentForPeople()
      const requests = () => {
        const sent = toSent(upstream.budget())
        // A new month counts from nothing.
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

/** Tells of each dump that came or was set aside, whoever had it fetched, once. */
function createDumpWatch({ editions, reporter }: RunnerDeps): () => void {
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
