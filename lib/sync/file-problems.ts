import { open, stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { AppError } from '#lib/contract/faults.ts'
import { CsvError } from '#lib/csv/csv-error.ts'

export const unreadable = (why: string) => new AppError('bad_request', why)

export const POLL_SECONDS = 30

/** Changes with the file. Throws file system errors. */
export async function toMark(path: string): Promise<string> {
  const { ino, size, mtimeMs } = await stat(path)
  return `${ino} ${size} ${mtimeMs}`
}

/** Less than the time between two polls, whatever the timer's jitter. */
const STEADY_SECONDS = 20

/** The message is the end of a sentence. */
export class HalfWritten extends Error {
  readonly file: string
  constructor(file: string) {
    super('ends within a line and has just changed: it is read once it stays as it is')
    this.name = 'HalfWritten'
    this.file = file
  }
}

/** Throws {@link HalfWritten} if a file ends within a line and was different at the last poll. */
export function createSteadyCheck(now: () => number) {
  let seen = new Map<string, { mark: string; since: number }>()
  return async (files: readonly { path: string; mark: string }[]): Promise<void> => {
    const next: typeof seen = new Map()
    for (const { path, mark } of files) {
      const before = seen.get(path)
      next.set(path, before?.mark === mark ? before : { mark, since: now() })
    }
    seen = next
    for (const [path, { since }] of seen) {
      if (Math.abs(now() - since) < STEADY_SECONDS) await refuseHalfWritten(path)
    }
  }
}

export async function refuseHalfWritten(path: string): Promise<void> {
  // What cannot be opened is reported by reading it.
  const isWhole = await endsLine(path).catch(() => true)
  if (!isWhole) throw new HalfWritten(basename(path))
}

const LINE_ENDS = [0x0a, 0x0d]

/** In UTF-8 or UTF-16. */
async function endsLine(path: string): Promise<boolean> {
  const file = await open(path)
  try {
    const { size } = await file.stat()
    const tail = Buffer.alloc(Math.min(2, size))
    await file.read(tail, 0, tail.length, size - tail.length)
    const [first = 0, last = 0] = tail.length === 2 ? tail : [0, ...tail]
    return LINE_ENDS.includes(last === 0 ? first : last)
  } finally {
    await file.close()
  }
}

export const isOfContent = (error: unknown): boolean =>
  error instanceof CsvError ? error.code !== 'empty' : error instanceof AppError

export function toProblem(error: unknown): string {
  if (error instanceof AppError || error instanceof CsvError) return error.message
  if (error instanceof HalfWritten) return error.message
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code === 'ENOENT') return 'does not exist'
  if (code === 'ELOOP') return 'is a link to itself'
  if (code === 'EACCES' || code === 'EPERM') return 'is not readable by this process'
  return 'cannot be read'
}
