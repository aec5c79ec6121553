import { stat } from 'node:fs/promises'
import { AppError } from '#lib/contract/faults.ts'

/** The engine's three header blocks: a file that is shorter never held anything. */
const HEADER_BYTES = 3 * 4096

/**
 * Whether the file could not be opened because it was never finished: the disk was full, or the process was killed,
 * while it was being made. One that another process is making now is held by it, and so is not meant.
 */
export async function isUnbornFile(path: string, cause: unknown): Promise<boolean> {
  if (String(cause).includes('Could not set lock')) return false
  const [file, log] = await Promise.all([
    stat(path).catch(() => null),
    stat(`${path}.wal`).catch(() => null),
  ])
  if (!file?.isFile() || log !== null) return false
  return file.size < HEADER_BYTES
}

/** Why a file cannot be opened, as AppError('not_ready'). */
export function toOpenProblem(cause: unknown): AppError {
  return new AppError('not_ready', selectOpenProblem(String(cause)), { cause })
}

function selectOpenProblem(text: string): string {
  if (text.includes('Could not set lock')) return 'The archive file is in use by another process.'
  if (text.includes('newer version')) return 'The archive file was written by a newer version.'
  if (text.includes('Cannot open file')) return 'The archive file cannot be opened or made.'
  return 'The archive file cannot be opened: it is damaged, or it is no archive.'
}

/** A read that found no memory left is one too many at this moment: AppError('busy'). Anything else stays what it is. */
export function toReadProblem(error: unknown): unknown {
  if (!String(error).includes('Out of Memory Error')) return error
  return new AppError('busy', 'Too much is being asked at once.', {
    cause: error,
    retryAfterSeconds: 2,
  })
}
