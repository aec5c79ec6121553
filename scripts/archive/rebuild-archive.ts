import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Archive } from '#lib/archive/archive.ts'
import {
  nextPath,
  removeDatabase,
  settleFiles,
  swapIn,
  syncFile,
  toStamp,
} from '#lib/archive/archive-files.ts'
import { openArchive } from '#lib/archive/open-archive.ts'
import { editionAt } from '#lib/contract/weekly-clock.ts'
import { hashFile } from '#lib/sync/disk.ts'
import { openEditionFolder } from '#lib/sync/editions/edition-folder.ts'
import { importEdition } from '#lib/sync/running/reconcile.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { type ByHand, LIMITS, Problem } from './by-hand.ts'
import { carryOver, type Marks } from './carry-over.ts'
import { toCount } from './check.ts'
import { type OldArchive, openOld } from './old-archive.ts'

/**
 * Makes a new archive beside the old one: every row of the newest kept posts dump, and every row that the old one holds beside
 * it, as far as it can be read. It takes the old one's place by a rename; the old one stays as `archive.duckdb.before-…`.
 * Throws Problem where there is nothing to make it of.
 */
export async function rebuildArchive({ dataDir, path, now, print }: ByHand): Promise<void> {
  await settleFiles(path)
  const edition = await selectEdition(join(dataDir, 'editions'), print)
  const old = await openOld(path, print)
  if (!edition && !old) throw new Problem('Neither a posts dump nor an archive is kept.')
  const next = nextPath(path)
  try {
    await removeDatabase(next)
    const archive = await openArchive({ path: next, now, ...LIMITS })
    let marks: Marks
    try {
      marks = await fill(archive, { edition, old, print })
    } finally {
      await archive.close()
    }
    if (old) await carryOver(next, old, marks)
  } catch (error) {
    await removeDatabase(next)
    throw error
  } finally {
    await old?.close()
    await rm(`${next}.lock`, { force: true })
  }
  await swap(path, `${path}.before-${toStamp(now())}`, print)
}

/** The newest posts dump whose bytes are those that came. */
async function selectEdition(
  dir: string,
  print: (line: string) => void,
): Promise<KeptEdition | null> {
  const { kept } = await openEditionFolder(dir)
  const posts = kept.filter(({ kind, reason }) => kind === 'posts' && reason === null)
  for (const edition of posts.sort((a, b) => b.edition.localeCompare(a.edition))) {
    if ((await hashFile(edition.path)) === edition.sha256) return edition
    print(`${edition.fileName} is not what came, by its SHA-256: an older one is taken.`)
  }
  return null
}

type Sources = {
  edition: KeptEdition | null
  old: OldArchive | null
  print: (line: string) => void
}

/** Gives the marks of the old archive that still hold. */
async function fill(archive: Archive, { edition, old, print }: Sources): Promise<Marks> {
  const { signal } = new AbortController()
  const ignore = () => undefined
  const bringIn = async () =>
    edition &&
    (await importEdition({ archive, edition, signal, onProgress: ignore, judge: ignore }))
  const first = await bringIn()
  if (edition && first) print(`${toCount(first.inserted)} ratings of ${edition.fileName}`)
  const marks = new Map<number, number>()
  if (!old) return marks
  const listedAt = edition ? editionAt(edition.fetched_at) : Number.NEGATIVE_INFINITY
  const run = await archive.beginImport({ kind: 'pages', name: 'rebuild' })
  for await (const rows of old.rows()) {
    const known = await archive.selectKnownIds(rows.map(({ rating }) => rating.id))
    for (const { rating, vanishedAt } of rows) {
      if (vanishedAt === null) continue
      const cameAgain = known.has(rating.id) && vanishedAt <= listedAt
      if (!cameAgain) marks.set(rating.id, vanishedAt)
    }
    await run.append(
      rows.filter(({ rating }) => !known.has(rating.id)),
      [],
    )
  }
  const { inserted } = await run.commit({ completeTo: old.completeTo })
  print(`${toCount(inserted)} ratings that only the old archive has`)
  // Once more, to tell which of those the dump should have held: they are no longer listed.
  const marked = inserted > 0 ? await bringIn() : null
  if (marked) print(`${toCount(marked.vanished)} of them are no longer listed`)
  if (marks.size > 0)
    print(`${toCount(marks.size)} ratings were no longer listed in the old archive, and stay so`)
  return marks
}

async function swap(path: string, keep: string, print: (line: string) => void): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) {
    await syncFile(nextPath(path))
    await rename(nextPath(path), path)
    await syncFile(dirname(path))
  } else {
    // It was read whole, or is damaged: in either case it belongs to the old file only.
    await rename(`${path}.wal`, `${keep}.wal`).catch(() => undefined)
    await swapIn(path, keep)
    print(`The old archive is kept as ${basename(keep)}.`)
  }
  print(`${basename(path)} is made anew.`)
}
