import type { StepProgress } from '#lib/contract/answers/status.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { type FetchFailures, isBudgetSpent } from '#lib/sync/failure-memory.ts'
import type { KeptEdition, Log } from '#lib/sync/sync.ts'
import type { Purpose, Upstream } from '#lib/upstream/upstream.ts'
import type { EditionFolder } from './edition-folder.ts'
import { fetchEdition } from './fetch-edition.ts'
import type { KeptEditions } from './kept-editions.ts'

type SharedFetch = {
  progress(): StepProgress | null
  /**
   * Throws AppError if the fetch fails, or the result is held back and no other edition is kept.
   */
  join(purpose: Purpose): Promise<KeptEdition>
  stop(): Promise<void>
  close(): Promise<void>
}

type SharedFetchOptions = {
  kind: DumpKind
  upstream: Upstream
  folder: EditionFolder
  content: KeptEditions
  failures: FetchFailures
  now: () => number
  log: Log
}

type InFlight = { outcome: Promise<KeptEdition>; progress: StepProgress; purpose: Purpose }

const BEGINNING: StepProgress = { step: 'fetching', done: 0, total: null, unit: 'bytes' }

export function createSharedFetch(options: SharedFetchOptions): SharedFetch {
  let ending = new AbortController()
  let inFlight: InFlight | null = null

  const begin = (purpose: Purpose): InFlight => {
    const begun = { purpose, progress: BEGINNING }
    const onProgress = (progress: StepProgress) => {
      begun.progress = progress
    }
    const { signal } = ending
    const outcome = Promise.resolve()
      .then(async () => await fetchAndKeep({ ...options, purpose, signal, onProgress }))
      .finally(() => {
        inFlight = null
      })
    // Prevents an unhandled rejection.
    outcome.catch(() => undefined)
    inFlight = Object.assign(begun, { outcome })
    return inFlight
  }
  const end = async () => {
    ending.abort()
    await inFlight?.outcome.catch(() => undefined)
  }
  return {
    progress: () => inFlight?.progress ?? null,
    async join(purpose) {
      const joined = inFlight ?? begin(purpose)
      try {
        return await joined.outcome
      } catch (error) {
        // Users' exhausted budget must not fail the sync.
        const isTheirs = joined.purpose === 'people' && purpose !== 'people' && isBudgetSpent(error)
        if (!isTheirs) throw error
        return await (inFlight ?? begin(purpose)).outcome
      }
    },
    async stop() {
      await end()
      ending = new AbortController()
    },
    close: end,
  }
}

type FetchAttempt = SharedFetchOptions & {
  purpose: Purpose
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
}

async function fetchAndKeep(attempt: FetchAttempt): Promise<KeptEdition> {
  const { kind, content, failures, log, now, purpose } = attempt
  try {
    const held = { previous: content.current(), heldBack: content.heldBack() }
    const edition = await fetchEdition({ ...attempt, ...held })
    await content.add(edition)
    await attempt.folder.refused[kind].drop()
    failures.clear()
    const { rows, reason } = edition
    log('a dump was fetched', { kind, edition: edition.edition, rows, aside: reason })
  } catch (thrown) {
    const error = toAppError(thrown)
    const seconds = failures.note(error, purpose)
    const { fault, message: reason } = error
    if (!attempt.signal.aborted) {
      log('a dump could not be fetched', { kind, fault, reason, seconds })
    }
    throw error
  }
  const current = content.current()
  if (current) return current
  throw selectHeldBackProblem(content.heldBack(), now()) ?? toAppError(null)
}

export function selectHeldBackProblem(heldBack: KeptEdition | null, at: number): AppError | null {
  if (!heldBack?.reason || heldBack.next_due_at <= at) return null
  const retryAfterSeconds = heldBack.next_due_at - at
  return new AppError('upstream_contract', heldBack.reason, { retryAfterSeconds })
}
