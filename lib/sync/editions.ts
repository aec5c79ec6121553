import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as z from 'zod/mini'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Upstream } from '#lib/upstream/upstream.ts'
import { openEditionFolder, writeAtomically } from './edition-folder.ts'
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
}

/** Opens the folder of editions as it was left; nothing is fetched before somebody asks. */
export async function openEditions(options: EditionsOptions): Promise<EditionStore> {
  const { dir, upstream, now, keep = KEEP_DEFAULT, log = () => undefined } = options
  const { folder, kept } = await openEditionFolder(dir)
  const openShelf = (kind: DumpKind) =>
    createShelf({
      kind,
      upstream,
      folder,
      kept: kept.filter((edition) => edition.kind === kind),
      keep,
      now,
      log,
    })
  const shelves: Record<DumpKind, Shelf> = {
    posts: openShelf('posts'),
    lookups: openShelf('lookups'),
  }
  const importedPath = join(dir, IMPORTED_FILE)
  let imported = await loadImported(importedPath)
  return {
    current: (kind) => shelves[kind].current(),
    ensure: (kind, ensureOptions) => shelves[kind].ensure(ensureOptions),
    card: (kind) => shelves[kind].card(),
    failure: (kind) => shelves[kind].failure(),
    imported: () => imported,
    async markImported(next) {
      imported = next
      await writeAtomically(importedPath, JSON.stringify(next))
    },
    async close() {
      await Promise.all([shelves.posts.close(), shelves.lookups.close()])
    },
  }
}

const importedMark = z.object({ sha256: z.string(), generation: z.int() })

/** null where it was never written or cannot be read: then an edition is imported again, which changes nothing. */
async function loadImported(path: string): Promise<Imported | null> {
  try {
    const parsed = importedMark.safeParse(JSON.parse(await readFile(path, 'utf8')))
    return parsed.success ? parsed.data : null
  } catch {
    return null
  }
}
