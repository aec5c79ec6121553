import 'server-only'
import { AppError } from '#lib/contract/faults.ts'

const FULL = 'The disk of the data folder is full.'
const READ_ONLY = 'The data folder cannot be written to.'
const NO_FOLDER = 'DATA_DIR names something that is no folder.'

const KNOWN: Readonly<Record<string, string>> = {
  ENOSPC: FULL,
  EDQUOT: FULL,
  EROFS: READ_ONLY,
  EACCES: READ_ONLY,
  EPERM: READ_ONLY,
  EEXIST: NO_FOLDER,
  ENOTDIR: NO_FOLDER,
}

/** The engine gives its errors no code: what the system said stands in their words. */
const NO_SPACE = /no space left|quota exceeded/i

/** Why the data folder cannot be opened, as a 503 with a sentence that may leave the process. */
export function toOpenProblem(error: unknown): AppError {
  const cause = error instanceof AppError ? error.cause : error
  const known = NO_SPACE.test(String(cause)) ? FULL : selectKnown(cause)
  if (known !== undefined) return new AppError('not_ready', known, { cause })
  if (error instanceof AppError && error.fault === 'not_ready') return error
  return new AppError('not_ready', 'The data folder cannot be opened: see the log.', { cause })
}

function selectKnown(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(KNOWN, code) ? KNOWN[code] : undefined
}
