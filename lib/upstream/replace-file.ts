import { type FileHandle, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A small text that outlives the process: in a file, or wherever several processes find it. */
export type KeptText = {
  /** null where there is none. */
  load(): Promise<string | null>
  /** It is there whole when this resolves, or as it was. */
  save(text: string): Promise<void>
}

/**
 * Writes a file anew beside the old one and swaps them, so that a crash leaves one of the two whole. The handle is open
 * for writing behind `text`, and the caller's to close.
 */
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
