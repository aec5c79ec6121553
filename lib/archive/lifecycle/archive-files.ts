import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { isUnfinished, toOpenFailure, toOpenProblem } from '#lib/archive/engine/engine-errors.ts'

const present = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null)) !== null

/** Where a new version of the archive is put together. */
export const nextPath = (path: string): string => `${path}.next`

/** Where the archive of an older version is kept. */
export const oldPath = (path: string, version: number): string => `${path}.v${version}`

/** Puts what was written into a folder on disk, names included. */
export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** A database with what the engine keeps beside it. */
export async function removeDatabase(path: string): Promise<void> {
  await rm(`${path}.wal`, { force: true })
  await rm(path, { force: true })
  await rm(`${path}.tmp`, { recursive: true, force: true })
}

/**
 * Puts `archive.duckdb.next` in the place of the archive, which stays beside it under the name that `keep` gives. There
 * is an archive at every moment of it where the file system has links; where it has none, {@link settleFiles} finishes
 * what a kill left between the two renames.
 */
export async function swapIn(path: string, keep: string): Promise<void> {
  const next = nextPath(path)
  await syncFile(next)
  await syncFile(dirname(path))
  await rm(keep, { force: true })
  await link(path, keep).catch(async () => await rename(path, keep))
  await syncFile(dirname(path))
  await rename(next, path)
  await syncFile(dirname(path))
}

/** Names of the folder that begin with the archive's own and go on with `.`: what goes on, and the whole path. */
async function listBeside(path: string): Promise<{ rest: string; file: string }[]> {
  const dir = dirname(path)
  const prefix = `${basename(path)}.`
  const names = await readdir(dir).catch(() => [])
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ rest: name.slice(prefix.length), file: join(dir, name) }))
}

/**
 * Puts right what a kill left of a swap: finishes it where the archive had been moved away already, else throws the
 * unfinished copy away. To be called by who holds the lock.
 */
export async function settleFiles(path: string): Promise<void> {
  const next = nextPath(path)
  if (!(await present(next))) return await removeDatabase(next)
  const olds = (await listBeside(path)).filter(({ rest }) => /^(?:v\d+|before-.*)$/.test(rest))
  const wasMovedAway = !(await present(path)) && olds.length > 0
  if (!wasMovedAway || (await present(`${next}.wal`))) return await removeDatabase(next)
  await rename(next, path)
  await syncFile(dirname(path))
}

/** The archives of older versions that a start has brought over: they go when the one after it is well. */
export async function removeOlds(path: string): Promise<void> {
  const olds = (await listBeside(path)).filter(({ rest }) => /^v\d+$/.test(rest))
  for (const { file } of olds) await rm(file, { force: true })
}

const DAMAGED = /^damaged-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?(?:\.wal)?$/

/** `20261121T110803Z` of seconds since 1970. */
export const toStamp = (at: number): string =>
  new Date(at * 1000).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')

/**
 * Renames a damaged archive, or with `logOnly` only its log, so that another can be made; nothing is deleted. The log goes
 * first: an archive without it is whole as of its last checkpoint, a log without its archive is nothing.
 * Gives the name of the file in the folder.
 */
export async function keepDamaged(path: string, at: number, logOnly = false): Promise<string> {
  const stamp = `${path}.damaged-${toStamp(at)}`
  let aside = stamp
  for (let count = 2; (await present(aside)) || (await present(`${aside}.wal`)); count += 1)
    aside = `${stamp}-${count}`
  if (await present(`${path}.wal`)) await rename(`${path}.wal`, `${aside}.wal`)
  if (!logOnly) await rename(path, aside)
  await syncFile(dirname(path))
  return basename(logOnly ? `${aside}.wal` : aside)
}

/** When a damaged file was last set aside that is still kept: its name, and the instant in seconds; null where none is. */
export async function findDamaged(path: string): Promise<{ file: string; at: number } | null> {
  const found = (await listBeside(path)).flatMap(({ rest, file }) => {
    const parts = DAMAGED.exec(rest)?.slice(1, 7).map(Number)
    if (!parts) return []
    const [year = 0, month = 1, day, hour, minute, second] = parts
    return { file: basename(file), at: Date.UTC(year, month - 1, day, hour, minute, second) / 1000 }
  })
  return found.sort((a, b) => b.at - a.at || a.file.length - b.file.length)[0] ?? null
}

/** Held from before the first look at an archive until it is closed. */
export type ArchiveLock = { release(): void }

/**
 * Takes the archive for this process, by an empty database beside it: the engine's lock on that file ends with the
 * process, however it ends, and names its holder. The archive's own file would not do, since it is renamed while an old
 * one is brought over. (No process may open and close a file that its own engine holds: that gives the lock away.)
 * Throws AppError('not_ready') with the holder's process id.
 */
export async function takeLock(path: string): Promise<ArchiveLock> {
  const file = `${path}.lock`
  const take = async () =>
    await DuckDBInstance.create(file, { threads: '1', memory_limit: '16MB', temp_directory: '' })
  try {
    const instance = await take().catch(async (cause) => {
      if (toOpenFailure(cause) === 'held') throw cause
      if (!(await isUnfinished(file)) && !isBroken(cause)) throw cause
      // It holds nothing that could be lost.
      await rm(file, { force: true })
      return await take()
    })
    return { release: () => instance.closeSync() }
  } catch (cause) {
    throw toOpenProblem(cause)
  }
}

const isBroken = (cause: unknown) => ['damaged', 'stranger', 'log'].includes(toOpenFailure(cause))
