import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { type Disk, nodeDisk, onDisk, writeAtomically } from './disk.ts'
import { openEditionFolder } from './edition-folder.ts'
import { createShelf, type Shelf } from './edition-shelf.ts'
import type { EditionStore, Imported, Log } from './sync.ts'

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
    createShelf({
      kind,
      upstream,
      folder,
      kept: kept.filter((edition) => edition.kind === kind),
      keep,
      now,
      log,
    })
  const stores: Record<DumpKind, Shelf> = {
    posts: openStore('posts'),
    lookups: openStore('lookups'),
  }
  const importedPath = join(dir, IMPORTED_FILE)
  let imported = await loadImported(importedPath)
  return {
    current: (kind) => stores[kind].current(),
    ensure: (kind, ensureOptions) => stores[kind].ensure(ensureOptions),
    card: (kind) => stores[kind].card(),
    failure: (kind) => stores[kind].failure(),
    fetching: (kind) => stores[kind].fetching(),
    list: (kind) => stores[kind].list(),
    async file(fileName) {
      const found = (await stores.posts.find(fileName)) ?? (await stores.lookups.find(fileName))
      return found && { path: found.path, sha256: found.sha256, fetchedAt: found.fetched_at }
    },
    holdBack: (kind, reason) => onDisk(() => stores[kind].holdBack(reason)),
    isConfirmed: (kind) => stores[kind].current()?.confirms ?? false,
    accept: (kind) => onDisk(() => stores[kind].accept()),
    imported: () => imported,
    async markImported(next) {
      imported = next
      await onDisk(() => writeAtomically(importedPath, JSON.stringify(next), disk))
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
  edition: z._default(z.nullable(z.string()), null),
  generation: z.int(),
})

/** null where it was never written or cannot be read: then an edition is imported again, which changes nothing. */
async function loadImported(path: string): Promise<Imported | null> {
  try {
    const parsed = importedMark.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
