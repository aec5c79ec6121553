import { link, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { DuckDBInstance } from '@duckdb/node-api'
import { isUnfinished, toOpenFailure, toOpenProblem } from '#lib/archive/engine/engine-errors.ts'

const present = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null)) !== null

export const nextPath = (path: string): string => `${path}.next`

export const oldPath = (path: string, version: number): string => `${path}.v${version}`

export async function syncFile(path: string): Promise<void> {
  const file = await open(path, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function removeDatabase(path: string): Promise<void> {
  await rm(`${path}.wal`, { force: true })
  await rm(path, { force: true })
  await rm(`${path}.tmp`, { recursive: true, force: true })
}

/**
 * With links, the archive exists at every moment; otherwise {@link settleFiles} recovers a kill
 * between the renames.
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

async function listBeside(path: string): Promise<{ rest: string; file: string }[]> {
  const dir = dirname(path)
  const prefix = `${basename(path)}.`
  const names = await readdir(dir).catch(() => [])
  return names
    .filter((name) => name.startsWith(prefix))
    .map((name) => ({ rest: name.slice(prefix.length), file: join(dir, name) }))
}

export async function settleFiles(path: string): Promise<void> {
  const next = nextPath(path)
  if (!(await present(next))) return await removeDatabase(next)
  const olds = (await listBeside(path)).filter(({ rest }) => /^(?:v\d+|before-.*)$/.test(rest))
  const wasMovedAway = !(await present(path)) && olds.length > 0
  if (!wasMovedAway || (await present(`${next}.wal`))) return await removeDatabase(next)
  await rename(next, path)
  await syncFile(dirname(path))
}

export async function removeOlds(path: string): Promise<void> {
  const olds = (await listBeside(path)).filter(({ rest }) => /^v\d+$/.test(rest))
  for (const { file } of olds) await rm(file, { force: true })
}

const DAMAGED = /^damaged-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z(?:-\d+)?(?:\.wal)?$/

export const toStamp = (at: number): string =>
  new Date(at * 1000).toISOString().replace(/\.\d+/, '').replaceAll(/[-:]/g, '')

/** Moves the log first: an archive without its log is valid as of its last checkpoint. */
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

/** `at`: seconds since 1970. */
export async function findDamaged(path: string): Promise<{ file: string; at: number } | null> {
  const found = (await listBeside(path)).flatMap(({ rest, file }) => {
    const parts = DAMAGED.exec(rest)?.slice(1, 7).map(Number)
    if (!parts) return []
    const [year = 0, month = 1, day, hour, minute, second] = parts
    return { file: basename(file), at: Date.UTC(year, month - 1, day, hour, minute, second) / 1000 }
  })
  return found.sort((a, b) => b.at - a.at || a.file.length - b.file.length)[0] ?? null
}

export type ArchiveLock = { release(): void }

/**
 * Locks a separate file, because migration renames the archive. Opening and closing that file
 * elsewhere in this process would release the lock. Throws AppError('not_ready') if held.
 */
export async function takeLock(path: string): Promise<ArchiveLock> {
  const file = `${path}.lock`
  const take = async () =>
    await DuckDBInstance.create(file, { threads: '1', memory_limit: '16MB', temp_directory: '' })
  try {
    const instance = await take().catch(async (cause) => {
      if (toOpenFailure(cause) === 'held') throw cause
      if (!(await isUnfinished(file)) && !isBroken(cause)) throw cause
      await rm(file, { force: true })
      return await take()
    })
    return { release: () => instance.closeSync() }
  } catch (cause) {
    throw toOpenProblem(cause)
  }
}

const isBroken = (cause: unknown) => ['damaged', 'stranger', 'log'].includes(toOpenFailure(cause))
