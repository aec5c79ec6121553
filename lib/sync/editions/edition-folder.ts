import { dirname, join } from 'node:path'
import * as z from 'zod/mini'
import { dump, edition, editionChanges } from '#lib/contract/answers/status.ts'
import {
  DUMP_KINDS,
  type DumpKind,
  editionFileName,
  editionName,
  nextEditionAt,
} from '#lib/contract/weekly-clock.ts'
import { type Disk, nodeDisk, writeAtomically } from '#lib/sync/disk.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import type { Validators } from '#lib/upstream/upstream.ts'

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
    ...(await loadAll(folder, join(dir, HELD_BACK_FOLDER)).catch(() => [])),
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
  for (const folder of [dir, join(dir, HELD_BACK_FOLDER)]) {
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

/** Where editions wait that shrank. */
export const HELD_BACK_FOLDER = 'aside'

const text = z._default(z.nullable(z.string()), null)

/**
 * What stands beside each file: the edition without what the clock says, and what was found in it. What an older version
 * of this program did not write is taken as not known.
 */
const sidecar = z.object({
  ...z.omit(edition, { next_due_at: true }).shape,
  kind: z.enum(DUMP_KINDS),
  edition: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  columns: dump.shape.columns,
  first_rows: dump.shape.first_rows,
  etag: text,
  last_modified: text,
  unchanged: z._default(z.boolean(), false),
  changes: z._default(z.nullable(editionChanges), null),
  newest_created_at: z._default(z.nullable(z.int()), null),
  ids: z._default(z.nullable(z.object({ lowest: z.int(), highest: z.int() })), null),
  confirms: z._default(z.boolean(), false),
  reason: text,
})

/** An edition but for where it lies, which follows from its name and from whether it is aside. */
export type DescribedEdition = Omit<KeptEdition, 'path' | 'fileName' | 'next_due_at'>

/** null where the text is no sidecar. */
export function parseSidecar(dir: string, written: string): KeptEdition | null {
  const parsed = sidecar.safeParse(toJson(written))
  if (!parsed.success) return null
  const { first_rows, etag, last_modified, newest_created_at, ...rest } = parsed.data
  return toKept(dir, {
    ...rest,
    firstRows: first_rows,
    validators: { etag, lastModified: last_modified },
    newestCreatedAt: newest_created_at,
  })
}

export function toSidecar(described: DescribedEdition): string {
  const { firstRows, validators, newestCreatedAt } = described
  const written: z.output<typeof sidecar> = {
    ...described,
    first_rows: firstRows,
    etag: validators.etag,
    last_modified: validators.lastModified,
    newest_created_at: newestCreatedAt,
  }
  return JSON.stringify(sidecar.parse(written))
}

function toKept(dir: string, described: DescribedEdition): KeptEdition {
  const fileName = editionFileName(described.kind, described.edition)
  const folder = described.reason === null ? dir : join(dir, HELD_BACK_FOLDER)
  const next_due_at = nextEditionAt(described.fetched_at)
  return { ...described, next_due_at, fileName, path: join(folder, fileName) }
}

/** The sidecar's own path or name, from that of the file. */
const toSidecarName = (file: string) => file.replace(/csv$/, 'json')

function toJson(written: string): unknown {
  try {
    return JSON.parse(written)
  } catch {
    return null
  }
}

/** From so many seconds on, a second's precision tells two states of a file apart. */
const LAST_MODIFIED_SETTLED_SECONDS = 60

const note = z.object({
  /** When the dump was asked for, in seconds since 1970. */
  started_at: z.int(),
  etag: z.nullable(z.string()),
  last_modified: z.nullable(z.string()),
  total_bytes: z.nullable(z.int()),
  bytes: z.int(),
  sha256: z.string(),
  complete: z.boolean(),
})

/**
 * The beginning of a dump that broke off: its first `bytes` are on disk and have the SHA-256. `complete`: it is all
 * there and was verified, but not kept yet.
 */
export type HeldPart = {
  startedAt: number
  validators: Validators
  totalBytes: number | null
  bytes: number
  sha256: string
  complete: boolean
}

/** Parts of dumps, and beside each what is known of it. */
export type PartStore = {
  path(kind: DumpKind): string
  /** null where there is none that could be gone on with at `now`; what there is otherwise is thrown away. */
  load(kind: DumpKind, now: number): Promise<HeldPart | null>
  note(kind: DumpKind, part: HeldPart): Promise<void>
  drop(kind: DumpKind): Promise<void>
}

function createPartStore(dir: string, disk: Disk): PartStore {
  const path = (kind: DumpKind) => join(dir, `${kind}.csv.part`)
  const notePath = (kind: DumpKind) => join(dir, `${kind}.part.json`)
  const drop = async (kind: DumpKind) => {
    await disk.remove(notePath(kind))
    await disk.remove(path(kind))
  }
  const read = async (kind: DumpKind): Promise<HeldPart | null> => {
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
      if (part && isOfThisWeek && (part.complete || canGoOn(part))) return part
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

/** Whether the service can tell by its validators that the rest belongs to these bytes and to no others. */
export function canGoOn({ validators, startedAt }: Pick<HeldPart, 'validators' | 'startedAt'>) {
  const { etag, lastModified } = validators
  if (etag !== null) return !etag.startsWith('W/')
  const modifiedAt = lastModified === null ? Number.NaN : Date.parse(lastModified) / 1000
  return modifiedAt <= startedAt - LAST_MODIFIED_SETTLED_SECONDS
}

function toPart(written: z.output<typeof note>): HeldPart {
  const { started_at, etag, last_modified, total_bytes, ...rest } = written
  const validators = { etag, lastModified: last_modified }
  return { ...rest, startedAt: started_at, validators, totalBytes: total_bytes }
}
