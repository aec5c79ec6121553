import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Dump, EditionEntry, StepProgress } from '#lib/contract/answers/status.ts'
import { AppError, toAppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { createKeptFile, type Disk, nodeDisk, onDisk } from '#lib/sync/disk.ts'
import { createFetchFailures, type FetchFailures, isBudgetSpent } from '#lib/sync/failure-memory.ts'
import type { EditionStore, Imported, KeptEdition, Log } from '#lib/sync/sync.ts'
import { createPace } from '#lib/sync/sync-status.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'
import type { Purpose, Upstream } from '#lib/upstream/upstream.ts'
import { createEditionChecks } from './edition-checks.ts'
import { type EditionFolder, openEditionFolder } from './edition-folder.ts'
import { fetchEdition } from './fetch-edition.ts'
import {
  createKeptEditions,
  isFresh,
  type KeptEditions,
  toCard,
  toEditionEntry,
} from './kept-editions.ts'

const KEEP_DEFAULT = 5
const IMPORTED_FILE = 'imported.json'

export type EditionsOptions = {
  dir: string
  upstream: Upstream
  /** Seconds since 1970. */
  now: () => number
  /** How many editions of each kind stay on disk. */
  keep?: number
  log?: Log
  disk?: Disk
}

/** The store, and when nothing goes on behind it any more: for whoever wants to see what was worked out. */
export type OpenEditions = EditionStore & { settled(): Promise<void> }

/** Opens the folder of editions as it was left; nothing is fetched before somebody asks. */
export async function openEditions(options: EditionsOptions): Promise<OpenEditions> {
  const { dir, upstream, now, keep = KEEP_DEFAULT } = options
  const { log = () => undefined, disk = nodeDisk } = options
  const { folder, kept } = await openEditionFolder(dir, disk)
  const openStore = (kind: DumpKind) =>
    createKindStore({
      kind,
      upstream,
      folder,
      kept: kept.filter((edition) => edition.kind === kind),
      keep,
      now,
      log,
    })
  const stores: Record<DumpKind, KindStore> = {
    posts: openStore('posts'),
    lookups: openStore('lookups'),
  }
  const imported = await openImported(createKeptFile(join(dir, IMPORTED_FILE), disk))
  return {
    ...imported,
    current: (kind) => stores[kind].current(),
    ensure: (kind, ensureOptions) => stores[kind].ensure(ensureOptions),
    card: (kind) => stores[kind].card(),
    failure: (kind) => stores[kind].failure(),
    forgetFailures() {
      stores.posts.forgetFailures()
      stores.lookups.forgetFailures()
    },
    fetching: (kind) => stores[kind].fetching(),
    list: (kind) => stores[kind].list(),
    async file(fileName) {
      const found = (await stores.posts.find(fileName)) ?? (await stores.lookups.find(fileName))
      return found && { path: found.path, sha256: found.sha256, fetchedAt: found.fetched_at }
    },
    holdBack: (kind, reason) => onDisk(() => stores[kind].holdBack(reason)),
    isConfirmed: (kind) => stores[kind].current()?.confirms ?? false,
    accept: (kind) => onDisk(() => stores[kind].accept()),
    async settled() {
      await Promise.all([stores.posts.settled(), stores.lookups.settled()])
    },
    async close() {
      await Promise.all([stores.posts.close(), stores.lookups.close()])
    },
  }
}

const importedMark = z.object({
  sha256: z.string(),
  edition: z._default(z.nullable(z.string()), null),
  generation: z.int(),
})

export type ImportedMark = Pick<EditionStore, 'imported' | 'markImported'>

/** Which edition the archive was made equal to, as it is kept. Throws what loading throws. */
export async function openImported(kept: KeptText): Promise<ImportedMark> {
  let imported = parseImported(await kept.load())
  return {
    imported: () => imported,
    async markImported(next) {
      imported = next
      await onDisk(() => kept.save(JSON.stringify(next)))
    },
  }
}

/** null where it was never written or is damaged: then an edition is imported again, which changes nothing. */
function parseImported(text: string | null): Imported | null {
  try {
    const parsed = importedMark.safeParse(JSON.parse(text ?? ''))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

type EnsureOptions = Parameters<EditionStore['ensure']>[1]

/** The editions of one kind: at most one fetch at a time, and a failed one remembered for everybody. */
type KindStore = {
  forgetFailures(): void
  current(): KeptEdition | null
  ensure(options?: EnsureOptions): Promise<KeptEdition>
  card(): Dump
  list(): EditionEntry[]
  /** What is on disk under a name; null where it is not there in full. */
  find(fileName: string): Promise<KeptEdition | null>
  failure(): AppError | null
  fetching(): StepProgress | null
  holdBack(reason: string): Promise<void>
  accept(): Promise<KeptEdition | null>
  /** Resolves when nothing is done in the background any more. */
  settled(): Promise<void>
  close(): Promise<void>
}

export type KindStoreOptions = {
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

/** What was there already is verified and compared in the background, from now on. */
function createKindStore(options: KindStoreOptions): KindStore {
  const { kind, now, folder } = options
  const content = createKeptEditions(options)
  const spillPath = join(folder.dir, `${kind}.comparing`)
  const checks = createEditionChecks({ content, spillPath, log: options.log })
  const failures = createFetchFailures(now)
  const fetches = createSharedFetch({ ...options, content, failures, onFetched: checks.compare })
  const pace = createPace(now)
  checks.verify()
  checks.compare()

  const heldBackProblem = () => selectHeldBackProblem(content.heldBack(), now())
  const failure = () => heldBackProblem() ?? failures.last()
  return {
    current: content.current,
    async ensure({ signal, pressing = false, again = false, purpose = 'dump' } = {}) {
      const older = content.current() && (await selectThere(options, content))
      if (older && isFresh(older, now()) && !again) return older
      if (!fetches.progress()) {
        if (older && purpose === 'people') return older
        const refusal = (again ? null : heldBackProblem()) ?? failures.standing(purpose, pressing)
        if (refusal && older) return older
        if (refusal) throw refusal
      }
      const joined = fetches.join(purpose)
      // Whoever waits hears of it; where nobody waits any more it must not end the process.
      joined.catch(() => undefined)
      return await untilAborted(older ? joined.catch(() => older) : joined, signal)
    },
    card() {
      const fetching = fetches.progress()
      const progress = pace.see(fetching ?? checks.progress())
      const reason = (failure() ?? failures.lastOfPeople())?.message ?? null
      const { current, heldBack } = content
      const isFetching = fetching !== null
      const held = { edition: current(), heldBack: heldBack() }
      return toCard({ kind, at: now(), ...held, isFetching, progress, reason })
    },
    list: () => content.all().map((kept) => toEditionEntry(kept, content.current())),
    async find(fileName) {
      const found = content.all().find((kept) => kept.fileName === fileName)
      return found && (await folder.holds(found)) ? found : null
    },
    failure,
    forgetFailures: failures.clear,
    fetching: fetches.progress,
    holdBack: content.holdBack,
    accept: content.accept,
    settled: checks.settled,
    async close() {
      await Promise.all([fetches.close(), checks.close()])
    },
  }
}

/** The newest whose file is still there: somebody may have tidied up. */
async function selectThere(
  { folder, log }: KindStoreOptions,
  content: KeptEditions,
): Promise<KeptEdition | null> {
  for (;;) {
    const newest = content.current()
    if (!newest || (await folder.holds(newest))) return newest
    log('an edition is gone from its folder', { file: newest.fileName })
    await content.forget(newest, { remove: false })
  }
}

/** The fetches of one dump, of which there is at most one at a time, however many wait for it. */
export type SharedFetch = {
  /** How far the one in progress is; null where there is none. */
  progress(): StepProgress | null
  /**
   * Waits for the fetch in progress, or begins one. Gives the edition that is then current. Throws AppError where it
   * fails, or where what came was set aside and nothing else is kept.
   */
  join(purpose: Purpose): Promise<KeptEdition>
  close(): Promise<void>
}

export type SharedFetchOptions = {
  kind: DumpKind
  upstream: Upstream
  folder: EditionFolder
  content: KeptEditions
  failures: FetchFailures
  now: () => number
  log: Log
  /** Called when an edition has come. */
  onFetched: () => void
}

type InFlight = { outcome: Promise<KeptEdition>; progress: StepProgress; purpose: Purpose }

const BEGINNING: StepProgress = { step: 'fetching', done: 0, total: null, unit: 'bytes' }

function createSharedFetch(options: SharedFetchOptions): SharedFetch {
  const closing = new AbortController()
  const openEnded = { sha256: null }
  let inFlight: InFlight | null = null

  const begin = (purpose: Purpose): InFlight => {
    const begun = { purpose, progress: BEGINNING }
    const onProgress = (progress: StepProgress) => {
      begun.progress = progress
    }
    const { signal } = closing
    const outcome = Promise.resolve()
      .then(async () => await fetchAndKeep({ ...options, openEnded, purpose, signal, onProgress }))
      .finally(() => {
        inFlight = null
      })
    // Whoever waits hears of it; where nobody waits any more it must not end the process.
    outcome.catch(() => undefined)
    inFlight = Object.assign(begun, { outcome })
    return inFlight
  }
  return {
    progress: () => inFlight?.progress ?? null,
    async join(purpose) {
      const joined = inFlight ?? begin(purpose)
      try {
        return await joined.outcome
      } catch (error) {
        // What people may not spend is no reason for the sync not to.
        const isTheirs = joined.purpose === 'people' && purpose !== 'people' && isBudgetSpent(error)
        if (!isTheirs) throw error
        return await (inFlight ?? begin(purpose)).outcome
      }
    },
    async close() {
      closing.abort()
      await inFlight?.outcome.catch(() => undefined)
    },
  }
}

type FetchAttempt = SharedFetchOptions & {
  openEnded: { sha256: string | null }
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
    failures.clear()
    const { rows, reason } = edition
    log('a dump was fetched', { kind, edition: edition.edition, rows, aside: reason })
    attempt.onFetched()
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

/** What is told as long as the edition of the week is aside: there is no other before the next. */
function selectHeldBackProblem(heldBack: KeptEdition | null, at: number): AppError | null {
  if (!heldBack?.reason || heldBack.next_due_at <= at) return null
  const retryAfterSeconds = heldBack.next_due_at - at
  return new AppError('upstream_contract', heldBack.reason, { retryAfterSeconds })
}

/** Who goes away leaves the work to the others. Throws AppError `busy` where the signal is aborted first. */
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

/**
 * Makes the edition that waits aside the current one, in a folder that no process has open; null where none waits. What
 * it lost is then believed when it is imported. Throws what the file system says.
 */
export async function acceptHeldBack(dir: string, kind: DumpKind): Promise<KeptEdition | null> {
  const { folder, kept } = await openEditionFolder(dir)
  const ofKind = kept.filter((edition) => edition.kind === kind)
  const keep = ofKind.length
  return await createKeptEditions({ folder, kept: ofKind, keep, log: () => undefined }).accept()
}
