/** `reason` is sent to clients. */
type DiskFault = { kind: 'full' | 'read_only'; reason: string }

const DATA_FULL: DiskFault = { kind: 'full', reason: 'The disk of the data folder is full.' }
const DATA_READ_ONLY: DiskFault = { kind: 'read_only', reason: 'The data folder is not writable.' }

/** Of PostgreSQL, and of the operating system. */
const BY_CODE = new Map<unknown, DiskFault>([
  ['53100', { kind: 'full', reason: 'The disk of the shared database is full.' }],
  ['25006', { kind: 'read_only', reason: 'The shared database is read-only at this address.' }],
  ['ENOSPC', DATA_FULL],
  ['EDQUOT', DATA_FULL],
  ['EROFS', DATA_READ_ONLY],
  ['EACCES', DATA_READ_ONLY],
  ['EPERM', DATA_READ_ONLY],
])

/** DuckDB has no codes, only the text of the operating system. */
const BY_TEXT: readonly [RegExp, DiskFault][] = [
  [/no space left|quota exceeded|\b(?:ENOSPC|EDQUOT)\b/i, DATA_FULL],
  [/\bEROFS\b|\b(?:EACCES|EPERM): .*, (?:open|mkdir|rename|unlink)/, DATA_READ_ONLY],
  [/\bIO Error: .*(?:Read-only file system|Permission denied|not permitted)/, DATA_READ_ONLY],
]

/** A port, a program or a folder that may not be used is not a write. */
const NO_WRITE = /^(?:connect|bind|listen|spawn|kill|scandir|stat|lstat|read)/

const CAUSES_MAX = 5

/** Null unless `error` or one of its causes is a write that failed for the disk. */
export function selectDiskFault(error: unknown): DiskFault | null {
  let one = error
  for (let depth = 0; depth < CAUSES_MAX && one instanceof Error; depth += 1) {
    const fault = selectByCode(one) ?? selectByText(`${one.name}: ${one.message}`)
    if (fault && isWrite(one)) return fault
    one = one.cause
  }
  return typeof one === 'string' ? selectByText(one) : null
}

export const isDiskFull = (error: unknown): boolean => selectDiskFault(error)?.kind === 'full'

const isWrite = (error: Error) => !('syscall' in error && NO_WRITE.test(String(error.syscall)))

const selectByCode = (error: Error) => ('code' in error ? (BY_CODE.get(error.code) ?? null) : null)

const selectByText = (text: string) => BY_TEXT.find(([pattern]) => pattern.test(text))?.[1] ?? null
