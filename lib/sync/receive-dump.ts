import { createHash, type Hash } from 'node:crypto'
import type { StepProgress } from '#lib/contract/answers/progress.ts'
import { AppError } from '#lib/contract/faults.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { DumpDownload } from '#lib/upstream/upstream.ts'
import { cutShort } from './csv-reader.ts'
import { type Disk, type DiskFile, onDisk } from './disk.ts'
import { createDumpCheck, type DumpCheck, type DumpContents } from './dump-check.ts'
import { canGoOn, type HeldPart, type PartStore } from './dump-part.ts'

/** Small enough that parsing one piece holds up nobody: some 10 ms. */
const PIECE_BYTES = 131_072
/** After so many bytes a part is on the disk and noted: what a power failure costs at most. */
const NOTE_BYTES = 16 * 1024 * 1024

export type Receiving = {
  kind: DumpKind
  disk: Disk
  parts: PartStore
  signal: AbortSignal
  onProgress: (progress: StepProgress) => void
}

/** What was read of a dump so far: hashed and checked up to `done`. */
export type Intake = { hash: Hash; check: DumpCheck; done: number }

export type Received = { bytes: number; sha256: string; contents: DumpContents }

export const beginIntake = (kind: DumpKind, at: number): Intake => ({
  hash: createHash('sha256'),
  check: createDumpCheck(kind, at),
  done: 0,
})

/** Reads a part again that is on disk; null where its bytes are not those that were noted. */
export async function rereadPart(receiving: Receiving, part: HeldPart): Promise<Intake | null> {
  const { kind, disk, parts, signal, onProgress } = receiving
  const intake = beginIntake(kind, part.startedAt)
  const { bytes, totalBytes: total } = part
  for await (const piece of disk.read(parts.path(kind), { pieceBytes: PIECE_BYTES, bytes })) {
    signal.throwIfAborted()
    take(intake, piece)
    onProgress({ step: 'verifying', done: intake.done, total: total ?? bytes, unit: 'bytes' })
  }
  return intake.done === bytes && toDigest(intake) === part.sha256 ? intake : null
}

type Beginning = { intake: Intake; startedAt: number }

/**
 * Writes a download behind what `intake` has of it. Where it breaks off and can be gone on with, the part stays and is
 * noted; otherwise nothing of it is left. Throws AppError, or the reason of an abort.
 */
export async function receiveDump(
  receiving: Receiving,
  download: DumpDownload,
  { intake, startedAt }: Beginning,
): Promise<void> {
  const { kind, disk, parts } = receiving
  const path = parts.path(kind)
  const file = await onDisk(() =>
    intake.done > 0 ? disk.goOn(path, intake.done) : disk.create(path),
  )
  const note = async () => {
    await file.sync()
    await parts.note(kind, toPart(intake, { download, startedAt, complete: false }))
  }
  try {
    await copyBody(receiving, download, { intake, startedAt, file, note })
  } catch (error) {
    const isOfUse = isBreak(error, receiving.signal) && isPartOf(intake, download, startedAt)
    await (isOfUse ? note() : parts.drop(kind)).catch(() => parts.drop(kind).catch(() => undefined))
    throw error
  } finally {
    await file.close()
  }
}

/** What is known of a part with these bytes in it. */
export const toPart = (
  intake: Intake,
  about: { download: DumpDownload; startedAt: number; complete: boolean },
): HeldPart => ({
  startedAt: about.startedAt,
  validators: about.download.validators,
  totalBytes: about.download.totalBytes,
  bytes: intake.done,
  sha256: toDigest(intake),
  complete: about.complete,
})

/** The SHA-256 of what was read so far; more may be read after it. */
export const toDigest = ({ hash }: Intake): string => hash.copy().digest('hex')

type Copying = Beginning & { file: DiskFile; note: () => Promise<void> }

async function copyBody(
  { signal, onProgress }: Receiving,
  { body, totalBytes: total, validators }: DumpDownload,
  { intake, startedAt, file, note }: Copying,
): Promise<void> {
  let noted = intake.done
  for await (const block of toBlocks(body)) {
    take(intake, block)
    await onDisk(() => file.write(block))
    onProgress({ step: 'fetching', done: intake.done, total, unit: 'bytes' })
    signal.throwIfAborted()
    if (intake.done - noted < NOTE_BYTES || !canGoOn({ validators, startedAt })) continue
    await onDisk(note)
    noted = intake.done
  }
  if (total !== null && intake.done !== total) {
    throw cutShort('before the length it was said to have')
  }
  await onDisk(() => file.sync())
}

/** Small chunks gathered, so that a body of many does not cost a write each. What came before a break is given too. */
async function* toBlocks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let chunks: Uint8Array[] = []
  let length = 0
  const flush = () => {
    const block = Buffer.concat(chunks)
    chunks = []
    length = 0
    return block
  }
  try {
    for await (const chunk of body) {
      chunks.push(chunk)
      length += chunk.length
      if (length >= PIECE_BYTES) yield flush()
    }
  } catch (error) {
    if (length > 0) yield flush()
    throw error
  }
  if (length > 0) yield flush()
}

function take(intake: Intake, bytes: Uint8Array): void {
  intake.hash.update(bytes)
  intake.check.push(bytes)
  intake.done += bytes.length
}

/** Whether it was the way that failed, and not what came on it or the disk. */
const isBreak = (error: unknown, signal: AbortSignal) =>
  signal.aborted ||
  (error instanceof AppError &&
    (error.fault === 'upstream_unavailable' || error.fault === 'upstream_timeout'))

const isPartOf = ({ done }: Intake, { validators, totalBytes }: DumpDownload, startedAt: number) =>
  done > 0 && done <= (totalBytes ?? Number.POSITIVE_INFINITY) && canGoOn({ validators, startedAt })
