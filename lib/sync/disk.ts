import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import * as fs from 'node:fs/promises'
import { dirname } from 'node:path'
import { selectDiskFault } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { KeptText } from '#lib/upstream/replace-file.ts'

export type DiskFile = {
  write(bytes: Uint8Array): Promise<void>
  /** Never retried: after a failed fsync the state is unknown. */
  sync(): Promise<void>
  close(): Promise<void>
}

export type Disk = {
  makeFolder(dir: string): Promise<void>
  names(dir: string): Promise<string[]>
  readText(path: string): Promise<string>
  read(path: string, options: { pieceBytes: number; bytes?: number }): AsyncIterable<Uint8Array>
  size(path: string): Promise<number>
  create(path: string): Promise<DiskFile>
  goOn(path: string, bytes: number): Promise<DiskFile>
  copy(from: string, to: string): Promise<void>
  link(from: string, to: string): Promise<void>
  rename(from: string, to: string): Promise<void>
  remove(path: string): Promise<void>
  syncFolder(dir: string): Promise<void>
  freeBytes(dir: string): Promise<number>
}

export const nodeDisk: Disk = {
  makeFolder: async (dir) => void (await fs.mkdir(dir, { recursive: true, mode: 0o700 })),
  names: async (dir) => await fs.readdir(dir),
  readText: async (path) => await fs.readFile(path, 'utf8'),
  read(path, { pieceBytes, bytes }) {
    if (bytes === 0) return toNothing()
    const end = bytes === undefined ? undefined : bytes - 1
    return createReadStream(path, { highWaterMark: pieceBytes, end })
  },
  size: async (path) => (await fs.stat(path)).size,
  create: async (path) => toDiskFile(await fs.open(path, 'w', 0o600)),
  async goOn(path, bytes) {
    const file = await fs.open(path, 'a', 0o600)
    try {
      await file.truncate(bytes)
      return toDiskFile(file)
    } catch (error) {
      await file.close()
      throw error
    }
  },
  async copy(from, to) {
    await fs.copyFile(from, to)
    const file = await fs.open(to, 'r+')
    await file.sync().finally(() => file.close())
  },
  link: async (from, to) => await fs.link(from, to),
  rename: async (from, to) => await fs.rename(from, to),
  remove: async (path) => await fs.rm(path, { force: true }),
  async syncFolder(dir) {
    const folder = await fs.open(dir, 'r')
    await folder.sync().finally(() => folder.close())
  },
  async freeBytes(dir) {
    const { bavail, bsize } = await fs.statfs(dir)
    return bavail * bsize
  },
}

const toDiskFile = (file: fs.FileHandle): DiskFile => ({
  write: async (bytes) => await file.appendFile(bytes),
  sync: async () => await file.sync(),
  close: async () => await file.close(),
})

async function* toNothing(): AsyncGenerator<Uint8Array> {}

/** Crash-safe. */
export async function writeAtomically(path: string, text: string, disk = nodeDisk): Promise<void> {
  const beside = `${path}.part`
  try {
    const file = await disk.create(beside)
    try {
      await file.write(Buffer.from(text))
      await file.sync()
    } finally {
      await file.close()
    }
    await disk.rename(beside, path)
  } catch (error) {
    await disk.remove(beside).catch(() => undefined)
    throw error
  }
  await disk.syncFolder(dirname(path))
}

/** Loads null if the file cannot be read. */
export const createKeptFile = (path: string, disk = nodeDisk): KeptText => ({
  load: () => disk.readText(path).catch(() => null),
  save: (text) => writeAtomically(path, text, disk),
})

/** Throws AppError `not_ready` if the disk fails. */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError('not_ready', toMessage(cause), { cause })
  }
}

function toMessage(cause: unknown): string {
  const fault = selectDiskFault(cause)
  if (fault?.kind === 'full') return 'The disk is full. Free some space.'
  return fault?.reason ?? 'The dump could not be written to disk.'
}

const PIECE_BYTES = 262_144

export async function hashFile(path: string, signal?: AbortSignal): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    signal?.throwIfAborted()
    hash.update(piece)
  }
  return hash.digest('hex')
}

/** Multiple of the dump's size. Importing posts also stages the rows. */
const SPACE_FACTOR: Record<DumpKind, number> = { posts: 3, lookups: 1.1 }

type DiskSpaceWanted = {
  disk: Disk
  dir: string
  kind: DumpKind
  /** Null if unknown. */
  bytes: number | null
  held: number
  factor?: number
}

/** Throws AppError `not_ready`. An unknown free size passes. */
export async function refuseFullDisk({
  disk,
  dir,
  kind,
  bytes,
  held,
  factor = SPACE_FACTOR[kind],
}: DiskSpaceWanted): Promise<void> {
  if (bytes === null) return
  const wanted = Math.max(0, Math.ceil(bytes * factor) - held)
  const free = await disk.freeBytes(dir).catch(() => null)
  if (free === null || free >= wanted) return
  throw new AppError(
    'not_ready',
    `The disk has ${toMegabytes(free)} MB left; the ${kind} dump needs ${toMegabytes(wanted)} MB. Free some space.`,
  )
}

const toMegabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
