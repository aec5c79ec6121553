import { join } from 'node:path'
import { createQueue } from '#lib/async/serial-queue.ts'
import { AppError } from '#lib/contract/faults.ts'
import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'
import { type Database, toStoreError } from '#lib/store/connection.ts'
import {
  type EditionsState,
  EMPTY_EDITIONS,
  publishEditions,
  type SharedEditions,
  selectEditions,
  selectEditionsState,
} from '#lib/store/edition-files.ts'
import type { Lease } from '#lib/store/lease.ts'
import { type Disk, hashFile, nodeDisk, onDisk } from '#lib/sync/disk.ts'
import { type FoundEdition, newestFirst } from '#lib/sync/editions/edition-folder.ts'
import { parseSidecar } from '#lib/sync/editions/edition-sidecar.ts'
import type { OpenEditions } from '#lib/sync/editions/edition-store.ts'
import type { KeptEdition, Log } from '#lib/sync/sync.ts'
import { downloadEdition } from './download-edition.ts'

const ARRIVING_FOLDER = 'arriving'

type EditionCopiesOptions = {
  sql: Database
  editions: Pick<OpenEditions, 'listing' | 'lost' | 'folder' | 'reload'>
  dir: string
  disk?: Disk
  log: Log
}

type EditionCopies = {
  /** Throws AppError `not_ready`, also if {@link EditionCopies.follow} has not run. */
  publish(lease: Lease, signal?: AbortSignal): Promise<boolean>
  /**
   * Deletes unpublished editions, so leaders call it only before their first fetch. Throws AppError
   * `not_ready`.
   */
  follow(signal: AbortSignal): Promise<boolean>
}

type Copying = Required<EditionCopiesOptions> & {
  damaged: Set<string>
}

export function createEditionCopies(options: EditionCopiesOptions): EditionCopies {
  const { sql, editions, log } = options
  const copying = { ...options, disk: options.disk ?? nodeDisk, damaged: new Set<string>() }
  const inTurn = createQueue()
  let known: EditionsState = EMPTY_EDITIONS
  let list: WantedList | null = null
  let published: { text: string; mark: string } | null = null

  const loadList = async (): Promise<WantedList> => {
    const { mark } = await inStore(() => selectEditionsState(sql))
    if (list?.state.mark === mark) return list
    list = toWantedList(copying, await inStore(() => selectEditions(sql)))
    copying.damaged.clear()
    return list
  }
  const publish = async (lease: Lease, signal?: AbortSignal) => {
    if (editions.lost().length > 0) await restoreLost(copying, await loadList(), signal)
    const { mark } = await inStore(() => selectEditionsState(sql))
    const listing = await editions.listing()
    const text = JSON.stringify(listing)
    if (published?.text === text && published.mark === mark) return false
    const { state, unread } = await inStore(
      () => publishEditions(sql, lease, listing, { known, signal }),
      signal,
    )
    known = state
    published = { text, mark: state.mark }
    for (const name of unread) log('an edition cannot be shared', { name })
    return state.mark !== mark
  }
  const follow = async (signal: AbortSignal) => {
    const shared = await loadList()
    const isEmpty = shared.state.version === 0
    const taken = isEmpty ? NOTHING_TAKEN : await takeOver(copying, shared, signal)
    known = shared.state
    refuseDamaged(taken.damaged)
    return taken.isChanged
  }
  return {
    publish: (lease, signal) => inTurn(async () => await publish(lease, signal)),
    follow: (signal) => inTurn(async () => await follow(signal)),
  }
}

async function inStore<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  try {
    return await work()
  } catch (error) {
    signal?.throwIfAborted()
    throw toStoreError(error)
  }
}

function refuseDamaged(names: readonly string[]): void {
  if (names.length === 0) return
  const verb = names.length === 1 ? 'is' : 'are'
  const message = `${names.join(', ')} ${verb} damaged in the shared database.`
  throw new AppError('not_ready', message)
}

type RequestedEdition = FoundEdition & { name: string }

/** `isAll`: false if an edition of a newer version was skipped. */
type WantedList = { state: EditionsState; wanted: readonly RequestedEdition[]; isAll: boolean }

const SHA256 = /^[0-9a-f]{64}$/

/** Served editions first. */
function toWantedList({ dir, log }: Copying, shared: SharedEditions): WantedList {
  const wanted = shared.editions.flatMap(({ name, sidecar, sha256, bytes }) => {
    const kept = parseSidecar(dir, sidecar)
    const isIts = kept?.fileName === `${name}.csv` && kept.sha256 === sha256
    if (kept && isIts && kept.bytes === bytes && SHA256.test(sha256)) return { name, kept, sidecar }
    log('a shared edition cannot be read', { name })
    return []
  })
  const isAside = ({ kept }: RequestedEdition) => Number(kept.reason !== null)
  wanted.sort((a, b) => isAside(a) - isAside(b) || newestFirst(a.kept, b.kept))
  const { version, mark } = shared
  return { state: { version, mark }, wanted, isAll: wanted.length === shared.editions.length }
}

type Taken = { isChanged: boolean; damaged: string[] }

const NOTHING_TAKEN: Taken = { isChanged: false, damaged: [] }

async function takeOver(
  copying: Copying,
  { wanted, isAll }: WantedList,
  signal: AbortSignal,
): Promise<Taken> {
  const { editions, disk, dir } = copying
  const taken: Taken = { isChanged: false, damaged: [] }
  try {
    await placeAll(copying, { wanted, taken, signal })
  } finally {
    // Also on failure: obsolete files may fill the disk.
    const kinds = isAll ? await selectServed(copying, wanted) : []
    const paths = new Set(wanted.map(({ kept }) => kept.path))
    const isChanged = await onDisk(() => editions.folder.keepOnly(paths, kinds))
    if (isChanged) await editions.reload()
    taken.isChanged ||= isChanged
  }
  await clearArriving(disk, dir)
  return taken
}

/** Other kinds keep what they have until the current edition arrives. */
async function selectServed(
  { editions }: Copying,
  wanted: readonly RequestedEdition[],
): Promise<DumpKind[]> {
  const found = await editions.folder.load()
  return DUMP_KINDS.filter((kind) => {
    const current = wanted.find(({ kept }) => kept.kind === kind && kept.reason === null)
    return !current || found.some(({ kept }) => isSame(kept, current.kept))
  })
}

type CopyJob = { wanted: readonly RequestedEdition[]; taken: Taken; signal: AbortSignal }

async function placeAll(copying: Copying, { wanted, taken, signal }: CopyJob): Promise<void> {
  const { editions, damaged, log } = copying
  const found = await editions.folder.load()
  for (const one of wanted) {
    signal.throwIfAborted()
    const { name, kept, sidecar } = one
    const there = found.find((other) => isSame(other.kept, kept))
    if (there?.sidecar === sidecar || (!there && damaged.has(kept.sha256))) continue
    const arrived = there ? null : await arrive(copying, kept, signal)
    if (!there && !arrived) {
      damaged.add(kept.sha256)
      taken.damaged.push(name)
      log('a shared edition is damaged', { name })
      continue
    }
    await place(copying, one, { found, arrived })
    taken.isChanged = true
    log('an edition was copied from the shared database', { name })
  }
}

const isSame = (a: KeptEdition, b: KeptEdition) => a.path === b.path && a.sha256 === b.sha256

async function place(
  { editions }: Copying,
  { kept, sidecar }: RequestedEdition,
  { found, arrived }: { found: readonly FoundEdition[]; arrived: string | null },
): Promise<void> {
  const other = found.find((one) => one.kept.path === kept.path)
  if (other && arrived !== null) {
    // New bytes must not be served under the old SHA-256.
    await onDisk(() => editions.folder.remove(other.kept))
    await editions.reload()
  }
  await onDisk(() => editions.folder.place({ kept, sidecar }, arrived))
  await editions.reload()
}

async function arrive(
  { sql, disk, dir, editions }: Copying,
  { kind, sha256, bytes }: KeptEdition,
  signal: AbortSignal,
): Promise<string | null> {
  const folder = join(dir, ARRIVING_FOLDER)
  const path = join(folder, sha256)
  await onDisk(() => disk.makeFolder(folder))
  for (const { kept } of await editions.folder.load()) {
    if (kept.sha256 !== sha256) continue
    const isSound = (await hashFile(kept.path, signal).catch(() => null)) === sha256
    signal.throwIfAborted()
    if (!isSound) continue
    // A separate name: a download would resume the other file.
    const same = `${path}.same`
    await onDisk(() => duplicate(disk, kept.path, same))
    return same
  }
  const download = { sql, disk, dir, kind, path, signal, edition: { sha256, bytes } }
  return (await inStore(() => downloadEdition(download), signal)) ? path : null
}

async function duplicate(disk: Disk, from: string, to: string): Promise<void> {
  await disk.remove(to)
  await disk.link(from, to).catch(async () => await disk.copy(from, to))
}

async function clearArriving(disk: Disk, dir: string): Promise<void> {
  const folder = join(dir, ARRIVING_FOLDER)
  const names = await disk.names(folder).catch(() => [])
  await Promise.all(names.map((name) => disk.remove(join(folder, name))))
}

async function restoreLost(
  copying: Copying,
  { wanted }: WantedList,
  signal: AbortSignal = new AbortController().signal,
): Promise<void> {
  const lost = new Set(copying.editions.lost())
  const taken: Taken = { isChanged: false, damaged: [] }
  const missing = wanted.filter(({ kept }) => lost.has(kept.path))
  await placeAll(copying, { wanted: missing, taken, signal })
}
