import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

export type KeptText = {
  /** Null if absent. */
  load(): Promise<string | null>
  /** Atomic. */
  save(text: string): Promise<void>
}

/** Crash-safe. The caller must close the handle. */
export async function replaceFile(file: string, text: string): Promise<FileHandle> {
  const beside = `${file}.new`
  const handle = await open(beside, 'w', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
    await rename(beside, file)
    await syncFolder(dirname(file))
  } catch (error) {
    await handle.close()
    throw error
  }
  return handle
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
