import { link, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import { dump, edition } from '#lib/contract/answers/state.ts'
import {
  DUMP_KINDS,
  type DumpKind,
  editionFileName,
  nextEditionAt,
} from '#lib/contract/weekly-clock.ts'
import type { KeptEdition } from './sync.ts'

const PART = '.part'
const OURS = /^(?:posts|lookups)-\d{4}-\d{2}-\d{2}\.(?:csv|json)$/

/** What stands beside each file: the edition without what the clock says, the columns and the first rows. */
const sidecar = z.object({
  ...z.omit(edition, { next_due_at: true }).shape,
  kind: z.enum(DUMP_KINDS),
  edition: z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}$/)),
  columns: dump.shape.columns,
  first_rows: dump.shape.first_rows,
})
export type Sidecar = z.infer<typeof sidecar>

/** The folder of editions: `posts-2026-11-15.csv`, and beside it a `.json` without which the file does not count. */
export type EditionFolder = {
  dir: string
  /** Where a dump is written while it comes. */
  partPath(kind: DumpKind): string
  /**
   * Makes the part an edition: file first, sidecar last, each by a rename that is on disk before the next. Where
   * `same` holds those very bytes already, they are not stored twice.
   */
  keep(described: Sidecar, same: KeptEdition | null): Promise<KeptEdition>
  remove(kept: KeptEdition): Promise<void>
  /** Whether its file is there in full. */
  holds(kept: KeptEdition): Promise<boolean>
}

/** Opens the folder, takes away what an interrupted run left, and gives the editions that are whole, newest first. */
export async function openEditionFolder(
  dir: string,
): Promise<{ folder: EditionFolder; kept: KeptEdition[] }> {
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const names = await readdir(dir)
  await Promise.all(names.filter((name) => name.endsWith(PART)).map((name) => drop(dir, name)))
  const kept: KeptEdition[] = []
  for (const name of names.filter((name) => OURS.test(name) && name.endsWith('.json'))) {
    const found = await loadKept(dir, name)
    if (found) kept.push(found)
  }
  const wanted = new Set(kept.flatMap(({ fileName }) => [fileName, toSidecarName(fileName)]))
  const strays = names.filter((name) => OURS.test(name) && !wanted.has(name))
  await Promise.all(strays.map((name) => drop(dir, name)))
  return { folder: createFolder(dir), kept: kept.sort(newestFirst) }
}

export const newestFirst = (a: KeptEdition, b: KeptEdition) => b.fetched_at - a.fetched_at

function createFolder(dir: string): EditionFolder {
  const partPath = (kind: DumpKind) => join(dir, `${kind}.csv${PART}`)
  return {
    dir,
    partPath,
    async keep(described, same) {
      const kept = toKept(dir, described)
      const part = partPath(described.kind)
      if (same && same.path !== kept.path && (await tryLink(same.path, kept.path))) await rm(part)
      else await rename(part, kept.path)
      await syncFolder(dir)
      await writeAtomically(join(dir, toSidecarName(kept.fileName)), JSON.stringify(described))
      return kept
    },
    async remove({ fileName }) {
      await drop(dir, toSidecarName(fileName))
      await drop(dir, fileName)
    },
    holds,
  }
}

async function holds({ path, bytes }: KeptEdition): Promise<boolean> {
  try {
    return (await stat(path)).size === bytes
  } catch {
    return false
  }
}

/** Writes a small file so that after a crash it is there whole, as it was, or not at all. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const file = await open(`${path}${PART}`, 'w', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(`${path}${PART}`, path)
  await syncFolder(join(path, '..'))
}

async function syncFolder(dir: string): Promise<void> {
  const folder = await open(dir, 'r')
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** Some file systems have no links: then the bytes are stored again. */
async function tryLink(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to)
    return true
  } catch {
    return false
  }
}

/** null where the sidecar cannot be read or its file is not there in full; the hash is not computed again. */
async function loadKept(dir: string, name: string): Promise<KeptEdition | null> {
  try {
    const parsed = sidecar.safeParse(JSON.parse(await readFile(join(dir, name), 'utf8')))
    if (!parsed.success) return null
    const kept = toKept(dir, parsed.data)
    return toSidecarName(kept.fileName) === name && (await holds(kept)) ? kept : null
  } catch {
    return null
  }
}

function toKept(dir: string, described: Sidecar): KeptEdition {
  const { first_rows: firstRows, ...rest } = described
  const fileName = editionFileName(described.kind, described.edition)
  const next_due_at = nextEditionAt(described.fetched_at)
  return { ...rest, next_due_at, firstRows, fileName, path: join(dir, fileName) }
}

const toSidecarName = (fileName: string) => fileName.replace(/csv$/, 'json')
const drop = (dir: string, name: string) => rm(join(dir, name), { force: true, recursive: false })
