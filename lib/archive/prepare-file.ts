import { stat } from 'node:fs/promises'
import type { Opened } from './archive.ts'
import { findAside, removeOlds, setAside, settleFiles } from './archive-files.ts'
import { inspectFile } from './inspect-file.ts'
import { ArchiveNotWhole, type MigrateOptions, migrateBeside } from './migrate-beside.ts'

export type PrepareOptions = Omit<MigrateOptions, 'version'> & { now: () => number }

/**
 * Leaves at `path` an archive of this version that was read whole, or nothing, so that one is made: an older one is
 * brought over, a damaged one set aside. Throws AppError('not_ready') for one that is newer, somebody else's or out of
 * reach, which then is as it was. To be called by who holds the lock.
 */
export async function prepareFile(path: string, options: PrepareOptions): Promise<Opened> {
  const { now, ...rest } = options
  await settleFiles(path)
  let found = await inspectFile(path, rest)
  while (found.is === 'damaged') {
    await setAside(path, now(), found.logOnly)
    found = await inspectFile(path, rest)
  }
  if (found.is === 'current') await removeOlds(path)
  const migratedFrom = found.is === 'older' ? await bringOver(path, found.version, options) : null
  return { migratedFrom, aside: await findAside(path) }
}

/** Gives the version that it was of; null where it contradicts itself, so that it was set aside. */
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
    await setAside(path, now())
    return null
  }
}

/**
 * Sets aside a log that the engine passed over when it opened the file: its head is damaged, so it took it for none. Its
 * commits are lost, and the service has them still. To be called after a checkpoint of the open file; gives the log's
 * new name, null where there is none to set aside.
 */
export async function setIgnoredLogAside(
  path: string,
  now: () => number,
): Promise<Opened['aside']> {
  const log = await stat(`${path}.wal`).catch(() => null)
  if (log === null || log.size <= HEAD_BYTES) return null
  return { file: await setAside(path, now(), true), at: now() }
}

/** A log's own head: one that holds no more was begun and never written to. */
const HEAD_BYTES = 128
