import { stat } from 'node:fs/promises'
import { AppError } from '#lib/contract/faults.ts'
import { CsvError } from '#lib/csv/csv-error.ts'

export const unreadable = (why: string) => new AppError('bad_request', why)

export const POLL_SECONDS = 30

/** Changes with the file. Throws file system errors. */
export async function toMark(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path)
  return `${ino} ${size} ${mtimeMs}`
}

export const isOfContent = (error: unknown): boolean =>
  error instanceof CsvError ? error.code !== 'empty' : error instanceof AppError

export function toProblem(error: unknown): string {
  if (error instanceof AppError || error instanceof CsvError) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'ELOOP') return 'is a link to itself'
  if (code === 'EACCES' || code === 'EPERM') return 'is not readable by this process'
  return 'cannot be read'
}
