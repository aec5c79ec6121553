import type { Dump, Edition, Progress } from '#lib/contract/answers/state.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import { type DumpKind, nextEditionAt } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { type EditionFolder, newestFirst } from './edition-folder.ts'
import { createFailureMemory } from './failure-memory.ts'
import { fetchEdition } from './fetch-edition.ts'
import type { EditionStore, KeptEdition, Log } from './sync.ts'

/** The editions of one kind: at most one fetch at a time, and a failed one remembered for everybody. */
export type Shelf = {
  current(): KeptEdition | null
  ensure(options?: { signal?: AbortSignal; pressing?: boolean }): ReturnType<EditionStore['ensure']>
  card(): Dump
  failure(): AppError | null
  close(): Promise<void>
}

export type ShelfOptions = {
  kind: DumpKind
  upstream: Upstream
  folder: EditionFolder
  /** Newest first. */
  kept: KeptEdition[]
  /** How many stay. */
  keep: number
  now: () => number
  log: Log
}

type Flight = { landed: Promise<KeptEdition>; progress: { now: Progress | null } }

export function createShelf(options: ShelfOptions): Shelf {
  const { kind, now, log } = options
  const closing = new AbortController()
  const failures = createFailureMemory(now)
  const openEnded = { sha256: null }
  let kept = options.kept
  let flight: Flight | null = null

  const current = () => kept[0] ?? null
  const isFresh = () => (current()?.next_due_at ?? 0) > now()

  /** The newest whose file is still there: somebody may have tidied up. */
  const selectThere = async (): Promise<KeptEdition | null> => {
    const newest = current()
    if (!newest || (await options.folder.holds(newest))) return newest
    log('an edition is gone from its folder', { file: newest.fileName })
    kept = kept.filter((edition) => edition !== newest)
    return await selectThere()
  }
  const fetchNow = async (flown: Flight['progress']): Promise<KeptEdition> => {
    const { signal } = closing
    const onProgress = (progress: Progress) => {
      flown.now = progress
    }
    try {
      const previous = current()
      const edition = await fetchEdition({ ...options, previous, openEnded, signal, onProgress })
      failures.clear()
      kept = await prune(options, [edition, ...kept.filter(({ path }) => path !== edition.path)])
      log('a dump was fetched', { kind, edition: edition.edition, rows: edition.rows })
      return edition
    } catch (thrown) {
      const error = toAppError(thrown)
      const seconds = failures.note(error)
      const { fault, message: reason } = error
      if (!signal.aborted) log('a dump could not be fetched', { kind, fault, reason, seconds })
      throw error
    } finally {
      flight = null
    }
  }
  const fly = (): Flight => {
    const progress: Flight['progress'] = { now: null }
    const landed = Promise.resolve().then(() => fetchNow(progress))
    // Whoever waits hears of it; where nobody waits any more it must not end the process.
    landed.catch(() => undefined)
    flight = { landed, progress }
    return flight
  }

  return {
    current,
    async ensure({ signal, pressing = false } = {}) {
      const older = current() && (await selectThere())
      if (older && isFresh()) return older
      const refusal = flight ? null : failures.standing(pressing)
      if (refusal && older) return older
      if (refusal) throw refusal
      const { landed } = flight ?? fly()
      return await untilAborted(older ? landed.catch(() => older) : landed, signal)
    },
    card: () => toCard({ kind, at: now(), edition: current(), flight, failure: failures.last() }),
    failure: failures.last,
    async close() {
      closing.abort()
      await flight?.landed.catch(() => undefined)
    },
  }
}

/** The newest `keep`. Who is sending an older one goes on: its bytes stay until the file is closed. */
async function prune({ folder, keep, log }: ShelfOptions, kept: KeptEdition[]) {
  const sorted = [...kept].sort(newestFirst)
  for (const old of sorted.slice(keep)) {
    await folder
      .remove(old)
      .catch(() => log('an old edition cannot be removed', { file: old.fileName }))
  }
  return sorted.slice(0, keep)
}

type Shown = {
  kind: DumpKind
  at: number
  edition: KeptEdition | null
  flight: Flight | null
  failure: AppError | null
}

function toCard({ kind, at, edition, flight, failure }: Shown): Dump {
  const isFresh = (edition?.next_due_at ?? 0) > at
  const kept = isFresh ? 'ready' : 'stale'
  const missing = failure ? 'failed' : 'absent'
  return {
    kind,
    state: flight ? 'fetching' : edition ? kept : missing,
    reason: flight || isFresh ? null : (failure?.message ?? null),
    progress: flight?.progress.now ?? null,
    file_name: edition?.fileName ?? null,
    edition: edition && toEdition(edition),
    columns: edition?.columns ?? [],
    first_rows: edition?.firstRows ?? [],
    next_due_at: nextEditionAt(at),
  }
}

function toEdition(kept: KeptEdition): Edition {
  const { edition, rows, bytes, sha256, fetched_at, next_due_at } = kept
  return { edition, rows, bytes, sha256, fetched_at, next_due_at }
}

/** Who goes away leaves the work to the others. */
async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return await work
  const gone = () => new AppError('busy', 'The request was given up.')
  if (signal.aborted) throw gone()
  let leave = () => {}
  const left = new Promise<never>((_, reject) => {
    leave = () => reject(gone())
  })
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([work, left])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}
