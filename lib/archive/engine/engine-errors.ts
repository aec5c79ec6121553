import { stat } from 'node:fs/promises'
import { isDiskFull } from '#lib/contract/disk-faults.ts'
import { AppError } from '#lib/contract/faults.ts'

/** Three header blocks. */
const HEADER_BYTES = 3 * 4096
const BLOCK_BYTES = 262_144

/** Requires the archive lock: another process may still be creating the file. */
export async function isUnfinished(path: string): Promise<boolean> {
  const [file, log] = await Promise.all([
    stat(path).catch(() => null),
    stat(`${path}.wal`).catch(() => null),
  ])
  return file?.isFile() === true && log === null && file.size < HEADER_BYTES
}

export const hasEngineSize = (bytes: number): boolean =>
  bytes > HEADER_BYTES && (bytes - HEADER_BYTES) % BLOCK_BYTES === 0

/** `log`: only the log is unreadable. `stranger`: not a database file. */
type OpenFailure = 'held' | 'newer' | 'no_access' | 'no_room' | 'log' | 'stranger' | 'damaged'

const OPEN_FAILURES: readonly [RegExp, OpenFailure][] = [
  [/Could not set lock/, 'held'],
  [/newer version|unsupported.*version|version number \d+, but we can only read/i, 'newer'],
  [/replaying WAL|WAL file|This WAL was created|WAL does not match/, 'log'],
  [/Cannot open file|Permission denied|Read-only file system|Is a directory/, 'no_access'],
  [/not a valid DuckDB database/, 'stranger'],
]

/** Unknown messages count as damage. */
export function toOpenFailure(cause: unknown): OpenFailure {
  if (isDiskFull(cause)) return 'no_room'
  const text = String(cause)
  return OPEN_FAILURES.find(([pattern]) => pattern.test(text))?.[1] ?? 'damaged'
}

/** Null if the system does not report the holder. */
function selectHolder(cause: unknown): number | null {
  const pid = Number(/\(PID (\d+)\)/.exec(String(cause))?.[1] ?? 0)
  return pid > 0 ? pid : null
}

const SENTENCES: Record<Exclude<OpenFailure, 'held'>, string> = {
  no_room: 'The disk of the data folder is full.',
  newer: 'The archive file was written by a newer version.',
  no_access: 'The archive file cannot be opened or created.',
  log: 'The log of the archive file cannot be read.',
  stranger: 'The archive file is not an archive.',
  damaged: 'The archive file cannot be opened: it is damaged.',
}

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

export const isDamage = (error: unknown): boolean => DAMAGE.test(String(error))

const INVALIDATED = /database has been invalidated/

export const isBroken = (error: unknown): boolean =>
  isDamage(error) || INVALIDATED.test(String(error))

/** Out of memory becomes AppError('busy'), damage AppError('not_ready'). */
export function toReadProblem(error: unknown): unknown {
  if (isDamage(error)) {
    return new AppError(
      'not_ready',
      'Part of the archive file is damaged. The file is set aside and filled again when the archive is next opened.',
      { cause: error },
    )
  }
  if (INVALIDATED.test(String(error))) {
    return new AppError('not_ready', 'The archive must be reopened after a failed write.', {
      cause: error,
      retryAfterSeconds: 2,
    })
  }
  if (!String(error).includes('Out of Memory Error')) return error
  return new AppError('busy', 'Too many requests at once.', {
    cause: error,
    retryAfterSeconds: 2,
  })
}
