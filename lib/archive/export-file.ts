import { type FileHandle, mkdir, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isDiskFull } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'

/** Unlinked: only this handle reads it. */
export type ExportFile = {
  bytes: number
  chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void, undefined>
  close(): Promise<void>
}

export type ExportFolder = {
  newPath(): Promise<string>
  keep(path: string, write: () => Promise<void>): Promise<ExportFile>
  close(): Promise<void>
}

const CHUNK_BYTES = 256 * 1024

/** Deletes the content of `dir`. Null: a new temporary folder. */
export async function openExportFolder(dir: string | null): Promise<ExportFolder> {
  if (dir !== null) await rm(dir, { recursive: true, force: true })
  let folder = dir
  let count = 0
  return {
    async newPath() {
      folder ??= await mkdtemp(join(tmpdir(), 'bellwether-exports-'))
      await mkdir(folder, { recursive: true, mode: 0o700 })
      count += 1
      return join(folder, `${count}.part`)
    },
    async keep(path, write) {
      try {
        await write()
        return await openFile(path)
      } catch (error) {
        throw toWriteProblem(error)
      } finally {
        await rm(path, { force: true })
      }
    },
    async close() {
      if (folder !== null) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function openFile(path: string): Promise<ExportFile> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    return { bytes: size, chunks: () => readChunks(file), close: async () => await file.close() }
  } catch (error) {
    await file.close()
    throw error
  }
}

async function* readChunks(file: FileHandle): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (;;) {
    const buffer = new Uint8Array(CHUNK_BYTES)
    const { bytesRead } = await file.read(buffer, 0, CHUNK_BYTES, null)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
  }
}

export function toWriteProblem(error: unknown): unknown {
  if (error instanceof AppError || !isDiskFull(error)) return error
  return new AppError(
    'busy',
    'The server’s disk has no space for this file. CSV and JSON need none.',
    {
      cause: error,
    },
  )
}
