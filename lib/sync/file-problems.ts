import { stat } from 'node:fs/promises'
import { AppError } from '#lib/contract/faults.ts'
import { CsvError } from '#lib/csv/csv-error.ts'

/** Says why nothing of a file can be read, in a sentence that begins with the file. */
export const unreadable = (why: string) => new AppError('bad_request', why)

/** Seconds between two checks of the files for changes. */
export const POLL_SECONDS = 30

/** Differs for a file that was replaced or changed. Throws file system errors. */
export async function toMark(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path)
  return `${ino} ${size} ${mtimeMs}`
}

/** Whether the file that could not be read has content, which is why. */
export const isOfContent = (error: unknown): boolean =>
  error instanceof CsvError ? error.code !== 'empty' : error instanceof AppError

/** In a sentence that begins with the file. */
export function toProblem(error: unknown): string {
  if (error instanceof AppError || error instanceof CsvError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'is not there'
  if (code === 'ELOOP') return 'is a link that leads back to itself'
  if (code === 'EACCES' || code === 'EPERM') return 'may not be read by this process'
  return 'cannot be read'
}
