import { dirname, join } from 'node:path'
import { DUMP_KINDS, type DumpKind } from '#lib/contract/weekly-clock.ts'
import { type Disk, nodeDisk, writeAtomically } from './disk.ts'
import { createPartStore, type PartStore } from './dump-part.ts'
import {
  ASIDE,
  type DescribedEdition,
  parseSidecar,
  toKept,
  toSidecar,
  toSidecarName,
} from './edition-sidecar.ts'
import type { KeptEdition } from './sync.ts'

const OURS = /^(?:posts|lookups)-\d{4}-\d{2}-\d{2}\.(?:csv|json)$/
const TEMPORARY = /\.(?:part|part\.json)$/

/**
 * The folder of editions: `posts-2026-11-15.csv`, and beside it a `.json`; neither counts without the other. In `aside/`
 * lies in the same way what is not served.
 */
export type EditionFolder = {
  dir: string
  disk: Disk
  parts: PartStore
  /**
   * Makes the part an edition. Where `same` holds those very bytes already, they are not stored twice, and no part is
   * needed. Killed at any moment, the edition is there whole or not at all, and the part as well until it is.
   */
  keep(described: DescribedEdition, same: KeptEdition | null): Promise<KeptEdition>
  /** Sets an edition aside or takes it back, as `change.reason` says, or only notes what was found in it. */
  change(
    kept: KeptEdition,
    change: Partial<Pick<KeptEdition, 'reason' | 'confirms' | 'changes'>>,
  ): Promise<KeptEdition>
  remove(kept: KeptEdition): Promise<void>
  /** Whether its file is there in full. */
  holds(kept: KeptEdition): Promise<boolean>
}

/** Opens the folder, takes away what an interrupted run left, and gives the editions that are whole, newest first. */
export async function openEditionFolder(
  dir: string,
  disk: Disk = nodeDisk,
): Promise<{ folder: EditionFolder; kept: KeptEdition[] }> {
  await disk.makeFolder(dir)
  const folder = createFolder(dir, disk)
  const kept = [
    ...(await loadAll(folder, dir)),
    ...(await loadAll(folder, join(dir, ASIDE)).catch(() => [])),
  ]
  await dropLeftovers(folder)
  return { folder, kept: kept.sort(newestFirst) }
}

export const newestFirst = (a: KeptEdition, b: KeptEdition) => b.fetched_at - a.fetched_at

function createFolder(dir: string, disk: Disk): EditionFolder {
  const parts = createPartStore(dir, disk)
  return {
    dir,
    disk,
    parts,
    async keep(described, same) {
      const kept = toKept(dir, described)
      await disk.makeFolder(dirname(kept.path))
      try {
        // What is said of the file first: killed behind it, the part is still there to be kept again.
        await writeAtomically(toSidecarName(kept.path), toSidecar(kept), disk)
        await place({ disk, kept, same, part: parts.path(kept.kind) })
      } catch (error) {
        await disk.remove(toSidecarName(kept.path)).catch(() => undefined)
        throw error
      }
      await parts.drop(kept.kind)
      return kept
    },
    async change(kept, change) {
      const changed = toKept(dir, { ...kept, ...change })
      await disk.makeFolder(dirname(changed.path))
      await writeAtomically(toSidecarName(changed.path), toSidecar(changed), disk)
      if (changed.path === kept.path) return changed
      await disk.rename(kept.path, changed.path)
      await disk.syncFolder(dirname(changed.path))
      await disk.remove(toSidecarName(kept.path))
      await disk.syncFolder(dirname(kept.path))
      return changed
    },
    async remove({ path }) {
      await disk.remove(toSidecarName(path))
      await disk.remove(path)
    },
    holds: async (kept) => await holds(disk, kept),
  }
}

type Placing = { disk: Disk; kept: KeptEdition; same: KeptEdition | null; part: string }

/** Some file systems have no links: then the bytes are stored again. */
async function place({ disk, kept, same, part }: Placing): Promise<void> {
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

/** The editions of one folder that are whole. What is ours and belongs to none of them is taken away. */
async function loadAll({ dir, disk }: EditionFolder, folder: string): Promise<KeptEdition[]> {
  const names = (await disk.names(folder)).filter((name) => OURS.test(name))
  const kept: KeptEdition[] = []
  for (const name of names.filter((name) => name.endsWith('.json'))) {
    const found = await loadKept(disk, dir, join(folder, name))
    if (found) kept.push(found)
  }
  const wanted = new Set(kept.flatMap(({ fileName }) => [fileName, toSidecarName(fileName)]))
  const strays = names.filter((name) => !wanted.has(name))
  await Promise.all(strays.map((name) => disk.remove(join(folder, name))))
  return kept
}

/** null where the sidecar cannot be read or its file is not there in full; the hash is not computed again. */
async function loadKept(disk: Disk, dir: string, path: string): Promise<KeptEdition | null> {
  try {
    const kept = parseSidecar(dir, await disk.readText(path))
    const isIts = kept !== null && toSidecarName(kept.path) === path
    return isIts && (await holds(disk, kept)) ? kept : null
  } catch {
    return null
  }
}

/** Small files that were not finished, and parts of which nothing is known. Those that are known are of use later. */
async function dropLeftovers({ dir, disk, parts }: EditionFolder): Promise<void> {
  for (const folder of [dir, join(dir, ASIDE)]) {
    const names = (await disk.names(folder).catch(() => [])).filter((name) => TEMPORARY.test(name))
    const paths = names.map((name) => join(folder, name))
    const known = DUMP_KINDS.flatMap((kind) => toPair(parts, kind, paths))
    const unknown = paths.filter((path) => !known.includes(path))
    await Promise.all(unknown.map((path) => disk.remove(path)))
  }
}

/** A part and what is said of it, where both are there. */
function toPair(parts: PartStore, kind: DumpKind, paths: readonly string[]): string[] {
  const pair = [parts.path(kind), join(dirname(parts.path(kind)), `${kind}.part.json`)]
  return pair.every((path) => paths.includes(path)) ? pair : []
}
