import { createHash, type Hash } from 'node:crypto'
import { isDiskFull } from '#lib/contract/disk-faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { Database } from '#lib/store/connection.ts'
import { PART_BYTES, readEditionFile, type SharedEdition } from '#lib/store/edition-files.ts'
import { type Disk, onDisk, refuseFullDisk } from '#lib/sync/disk.ts'

type EditionDownload = {
  sql: Database
  disk: Disk
  dir: string
  kind: DumpKind
  edition: Pick<SharedEdition, 'sha256' | 'bytes'>
  /** Resumes a partial download. */
  path: string
  signal: AbortSignal
}

const SPACE_FACTOR = 1.1

/**
 * False if the database lacks the bytes; the file is then deleted. Throws AppError `not_ready`.
 */
export async function downloadEdition(download: EditionDownload): Promise<boolean> {
  const { disk, dir, kind, edition, path } = download
  const held = await onDisk(() => rereadParts(download))
  const bytes = held.parts * PART_BYTES
  const space = { disk, dir, kind, factor: SPACE_FACTOR }
  await refuseFullDisk({ ...space, bytes: edition.bytes, held: bytes })
  if (await receive(download, held)) return true
  if (held.parts > 0 && (await receive(download, beginAnew()))) return true
  await disk.remove(path)
  return false
}

type ResumedParts = { parts: number; hash: Hash }

const beginAnew = (): ResumedParts => ({ parts: 0, hash: createHash('sha256') })

async function rereadParts({
  disk,
  path,
  edition,
  signal,
}: EditionDownload): Promise<ResumedParts> {
  const held = beginAnew()
  const size = await disk.size(path).catch(() => 0)
  const parts = Math.floor(Math.min(size, edition.bytes) / PART_BYTES)
  if (parts === 0) return held
  const pieces = disk.read(path, { pieceBytes: PART_BYTES, bytes: parts * PART_BYTES })
  for await (const piece of pieces) {
    signal.throwIfAborted()
    held.hash.update(piece)
  }
  return { ...held, parts }
}

async function receive(
  { sql, disk, edition, path, signal }: EditionDownload,
  { parts, hash }: ResumedParts,
): Promise<boolean> {
  let done = parts * PART_BYTES
  const file = await onDisk(() => (parts > 0 ? disk.goOn(path, done) : disk.create(path)))
  try {
    for await (const block of readEditionFile(sql, edition, parts)) {
      signal.throwIfAborted()
      hash.update(block)
      done += block.length
      await onDisk(() => file.write(block))
    }
    const isWhole = done === edition.bytes && hash.digest('hex') === edition.sha256
    if (isWhole) await onDisk(() => file.sync())
    return isWhole
  } catch (error) {
    if (isDiskFull(error)) await disk.remove(path).catch(() => undefined)
    throw error
  } finally {
    await file.close()
  }
}
