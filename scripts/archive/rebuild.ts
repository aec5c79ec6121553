import { rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import * as z from 'zod/mini'
import type { Archive } from '#lib/archive/archive.ts'
import { type Engine, openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { isDamage } from '#lib/archive/engine/engine-errors.ts'
import { selectVersion } from '#lib/archive/engine/migrations.ts'
import { qualityBit, type Tables } from '#lib/archive/engine/tables.ts'
import {
  nextPath,
  removeDatabase,
  settleFiles,
  swapIn,
  syncFile,
  toStamp,
} from '#lib/archive/lifecycle/archive-files.ts'
import { readTable } from '#lib/archive/lifecycle/integrity-check.ts'
import { openArchive } from '#lib/archive/lifecycle/open-archive.ts'
import { selectKnownIds } from '#lib/archive/ratings/ratings.ts'
import { AppError } from '#lib/contract/faults.ts'
import { type IncomingRating, type Rating, rating } from '#lib/contract/rating.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import { editionAt } from '#lib/contract/weekly-clock.ts'
import { hashFile } from '#lib/sync/disk.ts'
import { openEditionFolder } from '#lib/sync/editions/edition-folder.ts'
import { importEdition } from '#lib/sync/running/reconcile.ts'
import type { KeptEdition } from '#lib/sync/sync.ts'
import { type CommandContext, LIMITS, Problem, toCount } from './command.ts'

/**
 * Combines the newest posts dump with what is readable of the old archive, which stays as
 * `archive.duckdb.before-…`. Throws Problem if there is neither.
 */
export async function rebuildArchive({ dataDir, path, now, print }: CommandContext): Promise<void> {
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

/** Skips dumps whose SHA-256 does not match. */
async function selectEdition(
  dir: string,
  print: (line: string) => void,
): Promise<KeptEdition | null> {
  const { kept } = await openEditionFolder(dir)
  const posts = kept.filter(({ kind, reason }) => kind === 'posts' && reason === null)
  for (const edition of posts.sort((a, b) => b.edition.localeCompare(a.edition))) {
    if ((await hashFile(edition.path)) === edition.sha256) return edition
    print(`${edition.fileName} does not match its SHA-256. An older edition is used.`)
  }
  return null
}

type Sources = {
  edition: KeptEdition | null
  old: OldArchive | null
  print: (line: string) => void
}

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
  const { inserted } = await archive.import({ kind: 'pages', name: 'rebuild' }, async (run) => {
    for await (const rows of old.rows()) {
      const known = await selectKnownIds(
        archive.reader,
        rows.map(({ rating }) => rating.id),
      )
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
    return { completeTo: old.completeTo }
  })
  print(`${toCount(inserted)} ratings that only the old archive has`)
  // Marks ratings that the dump should list but does not.
  const marked = inserted > 0 ? await bringIn() : null
  if (marked) print(`${toCount(marked.vanished)} of them are no longer listed`)
  if (marks.size > 0)
    print(`${toCount(marks.size)} ratings were no longer listed in the old archive and stay marked`)
  return marks
}

async function swap(path: string, keep: string, print: (line: string) => void): Promise<void> {
  if ((await stat(path).catch(() => null)) === null) {
    await syncFile(nextPath(path))
    await rename(nextPath(path), path)
    await syncFile(dirname(path))
  } else {
    // The log belongs to the old file only.
    await rename(`${path}.wal`, `${keep}.wal`).catch(() => undefined)
    await swapIn(path, keep)
    print(`The old archive is kept as ${basename(keep)}.`)
  }
  print(`${basename(path)} is rebuilt.`)
}

/** Id → seconds since when it is no longer listed. */
type Marks = ReadonlyMap<number, number>

/** Skips what is unreadable. */
async function carryOver(next: string, old: OldArchive, marks: Marks): Promise<void> {
  const engine = await openEngine({ ...LIMITS, path: next })
  const { db } = engine.writer
  try {
    await keepMarks(db, marks)
    await sql`attach ${sql.lit(old.path)} as old (read_only)`.execute(db)
    const steps = [keepQuarantine, keepGeneration, ...(old.isWhole ? [keepCovered] : [])]
    for (const step of steps) {
      await step(db).catch((error: unknown) => {
        if (!isDamage(error)) throw error
      })
    }
    await sql`detach old`.execute(db)
    await sql`checkpoint`.execute(db)
  } finally {
    await engine.close()
  }
}

const SLICE_MARKS = 10_000

/** Keeps the earlier of both instants. */
async function keepMarks(db: Kysely<Tables>, marks: Marks): Promise<void> {
  const all = [...marks].map(([id, at]) => sql`(${sql.lit(id)}, ${sql.lit(at)})`)
  await sql`create temporary table mark (id bigint, since bigint)`.execute(db)
  for (let from = 0; from < all.length; from += SLICE_MARKS) {
    const slice = all.slice(from, from + SLICE_MARKS)
    await sql`insert into mark values ${sql.join(slice)}`.execute(db)
  }
  await sql`
    update rating set
      vanished_at = least(coalesce(rating.vanished_at, since), since),
      effective_until = least(rating.effective_until, since),
      quality = quality | ${sql.lit(qualityBit('vanished'))}
    from mark where mark.id = rating.id`.execute(db)
  await sql`drop table mark`.execute(db)
}

async function keepQuarantine(db: Kysely<Tables>): Promise<void> {
  await sql`
    insert into quarantine by name
    select * from old.quarantine as earlier where not exists (
      select 1 from quarantine where quarantine.source_kind = earlier.source_kind
        and quarantine.reason = earlier.reason and quarantine.raw = earlier.raw
    )`.execute(db)
}

/** Must exceed the old generation: caches are keyed by it. */
async function keepGeneration(db: Kysely<Tables>): Promise<void> {
  await sql`
    update journal set generation = greatest(journal.generation, earlier.generation) + 1
    from old.journal as earlier`.execute(db)
}

/** Only if every old row was carried over: a missing id counts as never listed. */
async function keepCovered(db: Kysely<Tables>): Promise<void> {
  await sql`
    update journal set covered_to_id = earlier.covered_to_id, covered_at = earlier.covered_at
    from old.journal as earlier
    where earlier.covered_to_id > coalesce(journal.covered_to_id, earlier.covered_to_id - 1)`.execute(
    db,
  )
}

/** `vanishedAt` in seconds, null while listed. */
type OldRating = IncomingRating & { vanishedAt: number | null }

type OldArchive = {
  path: string
  isWhole: boolean
  /** Seconds since 1970. Null if unknown or not all rows are readable. */
  completeTo: number | null
  rows(): AsyncGenerator<OldRating[], void, undefined>
  close(): Promise<void>
}

/** DuckDB's row group size: damage stays within a group. */
const GROUP_ROWS = 122_880

/** Null if nothing can be opened. Throws AppError if it is newer or foreign. */
async function openOld(path: string, print: (line: string) => void): Promise<OldArchive | null> {
  if ((await stat(path).catch(() => null)) === null) return null
  let engine: Engine | null = null
  try {
    engine = await openEngine({ ...LIMITS, path, isReadOnly: true })
    if ((await selectVersion(engine.writer.db)) === 0) throw new Error('it is empty')
    const { db } = engine.writer
    const journal = await db.selectFrom('journal').select('complete_to').executeTakeFirst()
    const isWhole = await canReadAll(db)
    if (!isWhole) print('The old archive is damaged. Its readable ratings are copied.')
    const close = engine.close
    return {
      path,
      isWhole,
      completeTo: isWhole ? (journal?.complete_to ?? null) : null,
      rows: () => readRows(db),
      close,
    }
  } catch (error) {
    await engine?.close()
    const isForeign = error instanceof AppError && !isDamage(error.cause)
    if (isForeign) throw error
    print('The old archive cannot be read.')
    return null
  }
}

async function canReadAll(db: Kysely<Tables>): Promise<boolean> {
  try {
    await readTable(db, 'rating')
    return true
  } catch (error) {
    if (isDamage(error)) return false
    throw error
  }
}

async function* readRows(db: Kysely<Tables>): AsyncGenerator<OldRating[]> {
  const last = await readLast(db)
  const step = GROUP_ROWS / 12
  for (let from = 0; from <= last; from += step) {
    try {
      const rows = await db
        .selectFrom('rating')
        .select([...RATING_FIELDS, 'extra', 'vanished_at'])
        .where(sql<boolean>`rowid >= ${sql.lit(from)} and rowid < ${sql.lit(from + step)}`)
        .execute()
      yield rows.map(({ extra, vanished_at: vanishedAt, ...fields }) => ({
        ...toIncoming(fields, extra),
        vanishedAt,
      }))
    } catch (error) {
      if (!isDamage(error)) throw error
    }
  }
}

async function readLast(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select max(rowid) as last from rating`.execute(db)
  return rows[0]?.last ?? -1
}

const extraFields = z.record(z.string(), z.unknown())

const toIncoming = (fields: Rating, extra: string | null): IncomingRating => ({
  rating: rating.parse(fields),
  extra: extra === null ? null : extraFields.parse(JSON.parse(extra)),
})
