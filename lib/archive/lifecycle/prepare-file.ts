import { stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Opened } from '#lib/archive/archive.ts'
import { openEngine } from '#lib/archive/engine/duckdb-engine.ts'
import { MIGRATIONS, type Migration, migrate } from '#lib/archive/engine/migrations.ts'
import type { Tables } from '#lib/archive/engine/tables.ts'
import { AppError } from '#lib/contract/faults.ts'
import {
  findDamaged,
  keepDamaged,
  nextPath,
  oldPath,
  removeDatabase,
  removeOlds,
  settleFiles,
  swapIn,
} from './archive-files.ts'
import { type InspectOptions, inspectFile } from './integrity-check.ts'

type PrepareOptions = Omit<MigrateOptions, 'version'> & { now: () => number }

/**
 * Leaves a verified archive or no file. Requires the lock. Throws AppError('not_ready') if it is
 * newer, foreign or inaccessible.
 */
export async function prepareFile(path: string, options: PrepareOptions): Promise<Opened> {
  const { now, ...rest } = options
  await settleFiles(path)
  let found = await inspectFile(path, rest)
  while (found.is === 'damaged') {
    await keepDamaged(path, now(), found.logOnly)
    found = await inspectFile(path, rest)
  }
  if (found.is === 'current') await removeOlds(path)
  const migratedFrom = found.is === 'older' ? await bringOver(path, found.version, options) : null
  return { migratedFrom, damagedFile: await findDamaged(path) }
}

/** Null if inconsistent and set aside. */
async function bringOver(
  path: string,
  version: number,
  { now, ...rest }: PrepareOptions,
): Promise<number | null> {
  try {
    await migrateBeside(path, { ...rest, version })
    return version
  } catch (error) {
    if (!(error instanceof ArchiveNotWhole)) throw error
    await keepDamaged(path, now())
    return null
  }
}

/** The engine ignores a log with a damaged header. Call after a checkpoint. */
export async function keepIgnoredLog(
  path: string,
  now: () => number,
): Promise<Opened['damagedFile']> {
  const log = await stat(`${path}.wal`).catch(() => null)
  if (log === null || log.size <= HEAD_BYTES) return null
  return { file: await keepDamaged(path, now(), true), at: now() }
}

const HEAD_BYTES = 128

/** Multiple of the file size: copy, new tables, log. */
const ROOM = 3
const ROOM_LEAST_BYTES = 16 * 1024 * 1024

type MigrateOptions = InspectOptions & {
  version: number
  freeBytes?: (folder: string) => Promise<number>
}

/** Migrates a copy. Throws AppError('not_ready') if the disk is full. */
async function migrateBeside(path: string, options: MigrateOptions): Promise<void> {
  const { version, freeBytes = selectFree, migrations = MIGRATIONS, ...engineOptions } = options
  await refuseNoRoom(path, freeBytes)
  await settleLog(path, engineOptions)
  const next = nextPath(path)
  await removeDatabase(next)
  try {
    const engine = await openEngine({ ...engineOptions, path: next })
    try {
      await copyAll(engine.writer.db, path, migrations)
    } finally {
      await engine.close()
    }
    await refuseLog(next)
    await swapIn(path, oldPath(path, version))
  } catch (error) {
    await removeDatabase(next).catch(() => undefined)
    throw error
  }
}

const selectFree = async (folder: string) => {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize
}

async function refuseNoRoom(path: string, freeBytes: (folder: string) => Promise<number>) {
  const needed = (await stat(path)).size * ROOM + ROOM_LEAST_BYTES
  const free = await freeBytes(dirname(path))
  if (free >= needed) return
  const toMegabytes = (bytes: number) => Math.ceil(bytes / 1_000_000).toLocaleString('en-US')
  throw new AppError(
    'not_ready',
    `The disk of the data folder is too full to upgrade the archive: ${toMegabytes(needed)} MB are needed, ${toMegabytes(free)} MB are free.`,
  )
}

async function settleLog(path: string, options: InspectOptions): Promise<void> {
  const engine = await openEngine({ ...options, path })
  try {
    await sql`checkpoint`.execute(engine.writer.db)
  } finally {
    await engine.close()
  }
  await refuseLog(path)
}

async function refuseLog(path: string): Promise<void> {
  const log = await stat(`${path}.wal`).catch(() => null)
  if (log !== null && log.size > 0) throw new Error('the log of the archive is not written out')
}

async function copyAll(
  db: Kysely<Tables>,
  from: string,
  migrations: readonly Migration[],
): Promise<void> {
  await sql`attach ${sql.lit(from)} as old (read_only)`.execute(db)
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(db)
  const old = await selectCounts(db, 'old.')
  if (old.rows !== old.ids) throw new ArchiveNotWhole('a rating stands in it twice')
  await sql`copy from database old to ${sql.id(rows[0]?.name ?? '')}`.execute(db)
  await sql`detach old`.execute(db)
  await migrate(db, migrations)
  const next = await selectCounts(db, '')
  if (JSON.stringify(old) !== JSON.stringify(next))
    throw new Error('the archive that was brought over holds other ratings than the old one')
  await sql`checkpoint`.execute(db)
}

type Counts = { rows: number; ids: number; sum: string | null; symbols: number; generation: number }

async function selectCounts(db: Kysely<Tables>, prefix: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) as rows, count(distinct id) as ids, cast(sum(id) as text) as sum,
      count(distinct symbol) as symbols,
      (select max(generation) from ${sql.table(`${prefix}journal`)}) as generation
    from ${sql.table(`${prefix}rating`)}`.execute(db)
  const [counts] = rows
  if (!counts) throw new ArchiveNotWhole('it holds no figures')
  return counts
}

class ArchiveNotWhole extends Error {
  constructor(why: string) {
    super(`the archive is not whole: ${why}`)
    this.name = 'ArchiveNotWhole'
  }
}
