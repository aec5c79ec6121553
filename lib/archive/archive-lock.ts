import { rm } from 'node:fs/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { isUnborn, selectTrouble, toOpenProblem } from './engine-problems.ts'

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
      if (selectTrouble(cause) === 'held') throw cause
      if (!(await isUnborn(file)) && !isBroken(cause)) throw cause
      // It holds nothing that could be lost.
      await rm(file, { force: true })
      return await take()
    })
    return { release: () => instance.closeSync() }
  } catch (cause) {
    throw toOpenProblem(cause)
  }
}

const isBroken = (cause: unknown) => ['damaged', 'stranger', 'log'].includes(selectTrouble(cause))
