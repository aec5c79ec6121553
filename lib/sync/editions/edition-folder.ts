import { basename, dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { createQueue } from '#lib/async/serial-queue.ts'
import { DUMP_KINDS, type DumpKind, editionName } from '#lib/contract/weekly-clock.ts'
import { type Disk, nodeDisk, writeAtomically } from '#lib/sync/disk.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { isSettled } from '#lib/upstream/answer-headers.ts'
import type { Validators } from '#lib/upstream/upstream.ts'
import {
  type DescribedEdition,
  HELD_BACK_FOLDER,
  parseSidecar,
  toKept,
  toSidecar,
  toSidecarName,
} from './edition-sidecar.ts'
import { openRefusedDump, type RefusedDumpStore } from './refused-dump.ts'

const OURS = /^(?:posts|lookups)-\d{4}-\d{2}-\d{2}\.(?:csv|json)$/
const TEMPORARY = /\.(?:part|part\.json)$/

/**
 * Holds files such as `posts-2026-11-15.csv`, each with a `.json` sidecar; neither counts alone.
 * `aside/` has the editions held back.
 */
export type EditionFolder = {
  dir: string
  disk: Disk
  parts: PartStore
  refused: Record<DumpKind, RefusedDumpStore>
  /** Crash-safe. Links bytes that `same` already has. */
  keep(described: DescribedEdition, same: KeptEdition | null): Promise<KeptEdition>
  change(
    kept: KeptEdition,
    change: Partial<Pick<KeptEdition, 'reason' | 'confirms'>>,
  ): Promise<KeptEdition>
  remove(kept: KeptEdition): Promise<void>
  holds(kept: KeptEdition): Promise<boolean>
  load(): Promise<FoundEdition[]>
  readSidecar(kept: KeptEdition): Promise<string>
  /** `arrived`: null if only the sidecar changes. Crash-safe. */
  place(found: FoundEdition, arrived: string | null): Promise<void>
  keepOnly(paths: ReadonlySet<string>, kinds: readonly DumpKind[]): Promise<boolean>
}

export type FoundEdition = { kept: KeptEdition; sidecar: string }

export async function openEditionFolder(
  dir: string,
  disk: Disk = nodeDisk,
): Promise<{ folder: EditionFolder; kept: KeptEdition[] }> {
  await disk.makeFolder(dir)
  const refused = {
    posts: await openRefusedDump(dir, 'posts', disk),
    lookups: await openRefusedDump(dir, 'lookups', disk),
  }
  const folder = createFolder(dir, disk, refused)
  const kept = (await folder.load()).map((found) => found.kept)
  await folder.keepOnly(new Set(kept.map(({ path }) => path)), DUMP_KINDS)
  await dropLeftovers(folder)
  return { folder, kept }
}

export const newestFirst = (a: KeptEdition, b: KeptEdition) => b.fetched_at - a.fetched_at

/** Serialized: a fetch and a transfer may use the same name. */
function createFolder(dir: string, disk: Disk, refused: EditionFolder['refused']): EditionFolder {
  const parts = createPartStore(dir, disk)
  const inTurn = createQueue()
  return {
    dir,
    disk,
    parts,
    refused,
    keep: (described, same) =>
      inTurn(async () => {
        const kept = toKept(dir, described)
        await keep({ disk, kept, same, part: parts.path(kept.kind) })
        await parts.drop(kept.kind)
        return kept
      }),
    change: (kept, change) =>
      inTurn(async () => await move(disk, kept, toKept(dir, { ...kept, ...change }))),
    remove: ({ path }) => inTurn(async () => await removePair(disk, path)),
    holds: async (kept) => await holds(disk, kept),
    load: () => inTurn(async () => await loadAll(dir, disk)),
    readSidecar: async ({ path }) => await disk.readText(toSidecarName(path)),
    place: (found, arrived) => inTurn(async () => await placeArrived(disk, found, arrived)),
    keepOnly: (paths, kinds) => inTurn(async () => await removeOthers({ dir, disk }, paths, kinds)),
  }
}

async function keep(job: PlacementJob): Promise<void> {
  const { disk, kept } = job
  await disk.makeFolder(dirname(kept.path))
  try {
    // Sidecar first: after a crash the part can be kept again.
    await writeAtomically(toSidecarName(kept.path), toSidecar(kept), disk)
    await place(job)
  } catch (error) {
    await disk.remove(toSidecarName(kept.path)).catch(() => undefined)
    throw error
  }
}

async function move(disk: Disk, kept: KeptEdition, changed: KeptEdition): Promise<KeptEdition> {
  await disk.makeFolder(dirname(changed.path))
  await writeAtomically(toSidecarName(changed.path), toSidecar(changed), disk)
  if (changed.path === kept.path) return changed
  await disk.rename(kept.path, changed.path)
  await disk.syncFolder(dirname(changed.path))
  await disk.remove(toSidecarName(kept.path))
  await disk.syncFolder(dirname(kept.path))
  return changed
}

/** Sidecar first: without it, the file does not count. */
async function removePair(disk: Disk, path: string): Promise<void> {
  await disk.remove(toSidecarName(path))
  await disk.remove(path)
}

async function placeArrived(
  disk: Disk,
  { kept, sidecar }: FoundEdition,
  arrived: string | null,
): Promise<void> {
  const { path } = kept
  if (arrived === null) return await writeAtomically(toSidecarName(path), sidecar, disk)
  await disk.makeFolder(dirname(path))
  // The old file must go before the new sidecar describes it.
  await removePair(disk, path)
  await disk.syncFolder(dirname(path))
  await writeAtomically(toSidecarName(path), sidecar, disk)
  await disk.rename(arrived, path)
  await disk.syncFolder(dirname(path))
}

type PlacementJob = { disk: Disk; kept: KeptEdition; same: KeptEdition | null; part: string }

async function place({ disk, kept, same, part }: PlacementJob): Promise<void> {
  const isLinked = same !== null && same.path !== kept.path && (await tryLink(disk, same, kept))
  if (!isLinked) {
    if (same && !(await hasFile(disk, part))) await disk.copy(same.path, part)
    await disk.rename(part, kept.path)
  }
  try {
    await disk.syncFolder(dirname(kept.path))
  } catch (error) {
    await disk.remove(kept.path)
    throw error
  }
}

async function tryLink(disk: Disk, same: KeptEdition, kept: KeptEdition): Promise<boolean> {
  try {
    await disk.link(same.path, kept.path)
    return true
  } catch {
    return false
  }
}

async function hasFile(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.size(path)
    return true
  } catch {
    return false
  }
}

async function holds(disk: Disk, { path, bytes }: KeptEdition): Promise<boolean> {
  try {
    return (await disk.size(path)) === bytes
  } catch {
    return false
  }
}

/** Newest first; at most one held back per kind. */
async function loadAll(dir: string, disk: Disk): Promise<FoundEdition[]> {
  const served = await loadFolder(dir, disk, dir)
  const aside = await loadFolder(dir, disk, join(dir, HELD_BACK_FOLDER)).catch(() => [])
  const names = new Set(served.map(({ kept }) => kept.fileName))
  const waiting = DUMP_KINDS.flatMap((kind) =>
    aside
      .filter(({ kept }) => kept.kind === kind && !names.has(kept.fileName))
      .sort(newestFoundFirst)
      .slice(0, 1),
  )
  return [...served, ...waiting].sort(newestFoundFirst)
}

const newestFoundFirst = (a: FoundEdition, b: FoundEdition) => newestFirst(a.kept, b.kept)

async function loadFolder(dir: string, disk: Disk, folder: string): Promise<FoundEdition[]> {
  const names = (await disk.names(folder)).filter((name) => OURS.test(name))
  const found: FoundEdition[] = []
  for (const name of names.filter((name) => name.endsWith('.json'))) {
    const one = await loadKept(disk, dir, join(folder, name))
    if (one) found.push(one)
  }
  return found
}

async function removeOthers(
  { dir, disk }: Pick<EditionFolder, 'dir' | 'disk'>,
  paths: ReadonlySet<string>,
  kinds: readonly DumpKind[],
): Promise<boolean> {
  let isChanged = false
  for (const folder of [dir, join(dir, HELD_BACK_FOLDER)]) {
    const names = (await disk.names(folder).catch(() => [])).filter((name) => OURS.test(name))
    const files = new Set(names.map((name) => join(folder, name.replace(/json$/, 'csv'))))
    for (const path of files) {
      const isOfKind = kinds.some((kind) => basename(path).startsWith(kind))
      if (!isOfKind || paths.has(path)) continue
      await removePair(disk, path)
      isChanged = true
    }
  }
  return isChanged
}

/** Null if unreadable. Checks the size, not the hash. */
async function loadKept(disk: Disk, dir: string, path: string): Promise<FoundEdition | null> {
  try {
    const sidecar = await disk.readText(path)
    const kept = parseSidecar(dir, sidecar)
    const isIts = kept !== null && toSidecarName(kept.path) === path
    return isIts && (await holds(disk, kept)) ? { kept, sidecar } : null
  } catch {
    return null
  }
}

async function dropLeftovers({ dir, disk, parts }: EditionFolder): Promise<void> {
  for (const folder of [dir, join(dir, HELD_BACK_FOLDER)]) {
    const names = (await disk.names(folder).catch(() => [])).filter((name) => TEMPORARY.test(name))
    const paths = names.map((name) => join(folder, name))
    const known = DUMP_KINDS.flatMap((kind) => toPair(parts, kind, paths))
    const unknown = paths.filter((path) => !known.includes(path))
    await Promise.all(unknown.map((path) => disk.remove(path)))
  }
}

function toPair(parts: PartStore, kind: DumpKind, paths: readonly string[]): string[] {
  const pair = [parts.path(kind), join(dirname(parts.path(kind)), `${kind}.part.json`)]
  return pair.every((path) => paths.includes(path)) ? pair : []
}

const note = z.object({
  started_at: z.int(),
  etag: z.nullable(z.string()),
  last_modified: z.nullable(z.string()),
  total_bytes: z.nullable(z.int()),
  bytes: z.int(),
  sha256: z.string(),
  complete: z.boolean(),
})

/** `complete`: verified, but not yet kept. */
export type PartialFile = {
  startedAt: number
  validators: Validators
  totalBytes: number | null
  bytes: number
  sha256: string
  complete: boolean
}

export type PartStore = {
  path(kind: DumpKind): string
  /** Null if it cannot be resumed. */
  load(kind: DumpKind, now: number): Promise<PartialFile | null>
  note(kind: DumpKind, part: PartialFile): Promise<void>
  drop(kind: DumpKind): Promise<void>
}

function createPartStore(dir: string, disk: Disk): PartStore {
  const path = (kind: DumpKind) => join(dir, `${kind}.csv.part`)
  const notePath = (kind: DumpKind) => join(dir, `${kind}.part.json`)
  const drop = async (kind: DumpKind) => {
    await disk.remove(notePath(kind))
    await disk.remove(path(kind))
  }
  const read = async (kind: DumpKind): Promise<PartialFile | null> => {
    try {
      const parsed = note.safeParse(JSON.parse(await disk.readText(notePath(kind))))
      const isThere = parsed.success && (await disk.size(path(kind))) >= parsed.data.bytes
      return isThere ? toPart(parsed.data) : null
    } catch {
      return null
    }
  }
  return {
    path,
    async load(kind, now) {
      const part = await read(kind)
      const isOfThisWeek = part && editionName(part.startedAt) === editionName(now)
      if (part && isOfThisWeek && (part.complete || isResumable(part))) return part
      await drop(kind)
      return null
    },
    async note(kind, part) {
      const { startedAt, validators, totalBytes, ...rest } = part
      const { etag, lastModified: last_modified } = validators
      const named = { started_at: startedAt, etag, last_modified, total_bytes: totalBytes }
      await writeAtomically(notePath(kind), JSON.stringify({ ...rest, ...named }), disk)
    },
    drop,
  }
}

export function isResumable({
  validators,
  startedAt,
}: Pick<PartialFile, 'validators' | 'startedAt'>) {
  const { etag, lastModified } = validators
  if (etag !== null) return !etag.startsWith('W/')
  return lastModified !== null && isSettled(lastModified, startedAt)
}

function toPart(written: z.output<typeof note>): PartialFile {
  const { started_at, etag, last_modified, total_bytes, ...rest } = written
  const validators = { etag, lastModified: last_modified }
  return { ...rest, startedAt: started_at, validators, totalBytes: total_bytes }
}
