import { join } from 'node:path'
import * as z from 'zod/mini'
import type { Dump, EditionEntry, Progress, StepProgress } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { createKeptFile, type Disk, hashFile, nodeDisk, onDisk } from '../disk.ts'
import { createFetchFailures } from '../failure-memory.ts'
import type { EditionStore, Imported, KeptEdition, Log } from '../sync.ts'
import { createPace } from '../sync-status.ts'
import { type EditionFolder, openEditionFolder } from './edition-folder.ts'
import { parseSidecar, toSidecar } from './edition-sidecar.ts'
import {
  createKeptEditions,
  isFresh,
  type KeptEditions,
  toCard,
  toEditionEntry,
} from './kept-editions.ts'
import { selectRefusal } from './refused-dump.ts'
import { createSharedFetch, selectHeldBackProblem } from './shared-fetch.ts'

const KEEP_DEFAULT = 5
export const IMPORTED_FILE = 'imported.json'

export type EditionsOptions = {
  dir: string
  upstream: Upstream
  /** Unix seconds. */
  now: () => number
  keep?: number
  log?: Log
  disk?: Disk
  following?: FollowerDeps
}

/** While a different node syncs, this one fetches nothing. */
export type FollowerDeps = {
  isFollowing(): boolean
  onWanted(kind: DumpKind): void
  published?(kind: DumpKind): Dump | null
}

export type ListedEdition = {
  name: string
  path: string
  sidecar: string
  sha256: string
  bytes: number
}

export type OpenEditions = EditionStore & {
  listing(): Promise<ListedEdition[]>
  /** Lost, not removed on purpose: other nodes may still have them. */
  lost(): readonly string[]
  folder: Pick<EditionFolder, 'load' | 'place' | 'remove' | 'keepOnly'>
  reload(): Promise<void>
  endFetches(): Promise<void>
  settled(): Promise<void>
}

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
      following: options.following,
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
    folder,
    listing: async () => [...(await stores.posts.listing()), ...(await stores.lookups.listing())],
    lost: () => [...stores.posts.lost(), ...stores.lookups.lost()],
    async reload() {
      await Promise.all([stores.posts.reload(), stores.lookups.reload()])
    },
    async endFetches() {
      await Promise.all([stores.posts.endFetches(), stores.lookups.endFetches()])
    },
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
  edition: z.nullable(z.string()),
  generation: z.int(),
})

export type ImportedMark = Pick<EditionStore, 'imported' | 'markImported'>

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

/** Null if missing or damaged: importing again is harmless. */
function parseImported(text: string | null): Imported | null {
  try {
    const parsed = importedMark.safeParse(JSON.parse(text ?? ''))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}

type EnsureOptions = Parameters<EditionStore['ensure']>[1]

type KindStore = {
  forgetFailures(): void
  current(): KeptEdition | null
  ensure(options?: EnsureOptions): Promise<KeptEdition>
  card(): Dump
  list(): EditionEntry[]
  find(fileName: string): Promise<KeptEdition | null>
  failure(): AppError | null
  fetching(): StepProgress | null
  holdBack(reason: string): Promise<void>
  accept(): Promise<KeptEdition | null>
  listing(): Promise<ListedEdition[]>
  lost(): readonly string[]
  reload(): Promise<void>
  endFetches(): Promise<void>
  settled(): Promise<void>
  close(): Promise<void>
}

type KindStoreOptions = {
  kind: DumpKind
  upstream: Upstream
  folder: EditionFolder
  kept: KeptEdition[]
  keep: number
  now: () => number
  log: Log
  following?: FollowerDeps
}

function createKindStore(options: KindStoreOptions): KindStore {
  const { kind, now, folder, following } = options
  const content = createKeptEditions(options)
  const check = checkEditions(content, options.log)
  const failures = createFetchFailures(now)
  const fetches = createSharedFetch({ ...options, content, failures })
  const pace = createPace(now)

  const invalid = (heldBack = content.heldBack()) => selectInvalid(options, heldBack)
  const failure = () => invalid() ?? failures.last()
  return {
    current: content.current,
    async ensure({ signal, pressing = false, again = false, purpose = 'dump' } = {}) {
      const older = content.current() && (await selectExisting(options, content))
      if (older && isFresh(older, now()) && !again) return older
      if (following?.isFollowing()) return older ?? refuseWanted(kind, following)
      if (!fetches.progress()) {
        if (older && purpose === 'people') return older
        const refusal = invalid(again ? null : undefined) ?? failures.standing(purpose, pressing)
        if (refusal && older) return older
        if (refusal) throw refusal
      }
      const joined = fetches.join(purpose)
      // Prevents an unhandled rejection.
      joined.catch(() => undefined)
      return await untilAborted(older ? joined.catch(() => older) : joined, signal)
    },
    card() {
      const { current, heldBack } = content
      const shown = following?.isFollowing() ? toFollowed(following, kind) : null
      const fetching = fetches.progress()
      const own = {
        isFetching: fetching !== null,
        progress: pace.see(fetching),
        reason: (failure() ?? failures.lastOfPeople())?.message ?? null,
      }
      const held = { edition: current(), heldBack: heldBack() }
      return toCard({ kind, at: now(), ...held, ...(shown ?? own) })
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
    listing: async () =>
      await Promise.all(content.all().map(async (kept) => await toListed(folder, kept))),
    lost: content.lost,
    reload: content.reload,
    async endFetches() {
      await fetches.stop()
      failures.clear()
    },
    settled: check.settled,
    async close() {
      await Promise.all([fetches.close(), check.close()])
    },
  }
}

function selectInvalid(
  { upstream, folder, kind, now }: KindStoreOptions,
  heldBack: KeptEdition | null,
): AppError | null {
  const isMetered = upstream.budget().month.limit !== null
  const refused = folder.refused[kind].read(now())
  return selectHeldBackProblem(heldBack, now()) ?? selectRefusal(refused, { at: now(), isMetered })
}

const WANTED_RETRY_SECONDS = 10

function refuseWanted(kind: DumpKind, deps: FollowerDeps): never {
  deps.onWanted(kind)
  const retryAfterSeconds = WANTED_RETRY_SECONDS
  throw new AppError('not_ready', 'The dump has not been fetched yet.', { retryAfterSeconds })
}

type Fetching = { isFetching: boolean; progress: Progress | null; reason: string | null }

function toFollowed({ published }: FollowerDeps, kind: DumpKind): Fetching {
  const card = published?.(kind) ?? null
  const { progress = null, reason = null } = card ?? {}
  return { isFetching: card?.state === 'fetching', progress, reason }
}

/** No store may have the folder open. */
export async function listEditions(dir: string): Promise<ListedEdition[]> {
  const { folder, kept } = await openEditionFolder(dir)
  return await Promise.all(kept.map(async (one) => await toListed(folder, one)))
}

async function toListed(folder: EditionFolder, kept: KeptEdition): Promise<ListedEdition> {
  const { path, sha256, bytes, fileName } = kept
  const name = fileName.replace(/\.csv$/, '')
  const written = await folder.readSidecar(kept).catch(() => '')
  const found = parseSidecar(folder.dir, written)
  // The stored text may contain fields of a newer version.
  const isIts = found !== null && toSidecar(found) === toSidecar(kept)
  return { name, path, sidecar: isIts ? written : toSidecar(kept), sha256, bytes }
}

async function selectExisting(
  { folder, log }: KindStoreOptions,
  content: KeptEditions,
): Promise<KeptEdition | null> {
  for (;;) {
    const newest = content.current()
    if (!newest || (await folder.holds(newest))) return newest
    log('an edition is missing from its folder', { file: newest.fileName })
    await content.forget(newest, { remove: false })
  }
}

/** On abort, throws AppError `busy`; the work goes on for other waiters. */
async function untilAborted<T>(work: Promise<T>, signal?: AbortSignal): Promise<T> {
  if (!signal) return await work
  const gone = () => new AppError('busy', 'The request was abandoned.')
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

/** Null if none is held back. No process may have the folder open. */
export async function acceptHeldBack(dir: string, kind: DumpKind): Promise<KeptEdition | null> {
  const { folder, kept } = await openEditionFolder(dir)
  const ofKind = kept.filter((edition) => edition.kind === kind)
  const keep = ofKind.length
  return await createKeptEditions({
    folder,
    kind,
    kept: ofKind,
    keep,
    log: () => undefined,
  }).accept()
}

type EditionCheck = {
  settled(): Promise<void>
  close(): Promise<void>
}

/** Removes current editions that no longer match their checksum, in the background. */
export function checkEditions(content: KeptEditions, log: Log): EditionCheck {
  const closing = new AbortController()
  const { signal } = closing
  const done = dropCorrupt(content, log, signal).catch((error) => {
    const reason = error instanceof Error ? error.name : 'unknown'
    if (!signal.aborted) log('editions could not be checked', { reason })
  })
  return {
    settled: async () => await done,
    async close() {
      closing.abort()
      await done
    },
  }
}

/** Repeats: two names may share the same bytes. */
async function dropCorrupt(content: KeptEditions, log: Log, signal: AbortSignal): Promise<void> {
  for (;;) {
    const current = content.current()
    if (!current || (await hashFile(current.path, signal)) === current.sha256) return
    log('an edition no longer matches its checksum', { file: current.fileName })
    await content.forget(current, { remove: true })
  }
}
