import { stat } from 'node:fs/promises'
import { AppError } from '#lib/contract/faults.ts'

/** The engine's three header blocks: a file that is shorter never held anything. */
const HEADER_BYTES = 3 * 4096
const BLOCK_BYTES = 262_144

/**
 * Whether a file was never finished: the disk was full, or the process was killed, while it was being made. To be asked
 * by who holds the archive's lock, so that one that another process is making now is not meant.
 */
export async function isUnfinished(path: string): Promise<boolean> {
  const [file, log] = await Promise.all([
    stat(path).catch(() => null),
    stat(`${path}.wal`).catch(() => null),
  ])
  return file?.isFile() === true && log === null && file.size < HEADER_BYTES
}

/** Whether a file has the size of one of the engine's, whatever stands in its head. */
export const hasEngineSize = (bytes: number): boolean =>
  bytes > HEADER_BYTES && (bytes - HEADER_BYTES) % BLOCK_BYTES === 0

/**
 * Why a file cannot be opened. `log`: it is the log beside it that cannot be read, or that belongs to another file;
 * the file itself is as of its last checkpoint. `stranger`: it is no file of the engine's.
 */
export type OpenFailure =
  | 'held'
  | 'newer'
  | 'no_access'
  | 'no_room'
  | 'log'
  | 'stranger'
  | 'damaged'

const OPEN_FAILURES: readonly [RegExp, OpenFailure][] = [
  [/Could not set lock/, 'held'],
  [/no space left|ENOSPC|quota exceeded|EDQUOT/i, 'no_room'],
  [/newer version|unsupported.*version|version number \d+, but we can only read/i, 'newer'],
  [/replaying WAL|WAL file|This WAL was created|WAL does not match/, 'log'],
  [/Cannot open file|Permission denied|Read-only file system|Is a directory/, 'no_access'],
  [/not a valid DuckDB database/, 'stranger'],
]

/** Told by the engine's own words, which is all that it gives. What is not known to be something else is damage. */
export function toOpenFailure(cause: unknown): OpenFailure {
  const text = String(cause)
  return OPEN_FAILURES.find(([pattern]) => pattern.test(text))?.[1] ?? 'damaged'
}

/** The process that holds a file, by the engine's words; null where the system does not tell. */
function selectHolder(cause: unknown): number | null {
  const pid = Number(/\(PID (\d+)\)/.exec(String(cause))?.[1] ?? 0)
  return pid > 0 ? pid : null
}

const SENTENCES: Record<Exclude<OpenFailure, 'held'>, string> = {
  no_room: 'The disk of the data folder is full.',
  newer: 'The archive file was written by a newer version.',
  no_access: 'The archive file cannot be opened or made.',
  log: 'The log of the archive file cannot be read.',
  stranger: 'The archive file holds something else than an archive.',
  damaged: 'The archive file cannot be opened: it is damaged.',
}

/** Why a file cannot be opened, as AppError('not_ready'); the process that holds it is named. */
export function toOpenProblem(cause: unknown): AppError {
  if (cause instanceof AppError) return cause
  const failure = toOpenFailure(cause)
  if (failure !== 'held') return new AppError('not_ready', SENTENCES[failure], { cause })
  const pid = selectHolder(cause)
  const holder = pid === null ? 'another process' : `process ${pid}`
  return new AppError('not_ready', `The archive file is in use by ${holder}.`, { cause })
}

const DAMAGE =
  /Corrupt database file|Could not read enough bytes|Serialization Error|INTERNAL Error/

/** Whether a read failed because what it needs of the file is damaged. */
export const isDamage = (error: unknown): boolean => DAMAGE.test(String(error))

/** What the engine says to everybody after a write that failed at the worst moment: it has to be opened again. */
const INVALIDATED = /database has been invalidated/

/** Whether nothing more is to be had of what is open. */
export const isBroken = (error: unknown): boolean =>
  isDamage(error) || INVALIDATED.test(String(error))

/**
 * What a failed read is to whoever asked. No memory left: it is one too many at this moment, AppError('busy'). A damaged
 * part of the file: AppError('not_ready'). Anything else stays what it is.
 */
export function toReadProblem(error: unknown): unknown {
  if (isDamage(error)) {
    return new AppError(
      'not_ready',
      'A part of the archive file is damaged. It is set aside and filled again when the archive is opened next.',
      { cause: error },
    )
  }
  if (INVALIDATED.test(String(error))) {
    return new AppError(
      'not_ready',
      'The archive has to be opened again after a write that failed.',
      { cause: error, retryAfterSeconds: 2 },
    )
  }
  if (!String(error).includes('Out of Memory Error')) return error
  return new AppError('busy', 'Too much is being asked at once.', {
    cause: error,
    retryAfterSeconds: 2,
  })
}
