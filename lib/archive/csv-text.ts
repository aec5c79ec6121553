import { isAscii } from 'node:buffer'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'

/** How a file's records are written: their cells' names in order, and what ends each. */
export type CsvForm = { header: readonly string[]; newline: '\n' | '\r\n' }

const HEADER_MAX_BYTES = 4096
/** Looked through in about a millisecond, so that it holds up nobody. */
const READ_BYTES = 262_144

const [NUL, LF, CR, QUOTE, COMMA] = [0, 10, 13, 34, 44]
const COMMAS = RATING_FIELDS.length - 1

/**
 * How a file is written whose first line names the 15 fields, each once, with commas between; null for any other.
 * Throws what the file system throws.
 */
export async function readCsvForm(path: string): Promise<CsvForm | null> {
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_MAX_BYTES), 0)
    const end = buffer.subarray(0, bytesRead).indexOf(LF)
    const line = buffer.toString('latin1', 0, Math.max(end, 0))
    const newline = line.endsWith('\r') ? '\r\n' : '\n'
    const header = (newline === '\n' ? line : line.slice(0, -1)).split(',')
    return isPermutation(header) ? { header, newline } : null
  } finally {
    await file.close()
  }
}

const isPermutation = (header: readonly string[]) =>
  header.length === RATING_FIELDS.length && RATING_FIELDS.every((name) => header.includes(name))

/**
 * How many records follow the header of a file that is so plain that cells are what stands between commas and line ends,
 * whoever reads it: 15 in every line, no quotes, nothing but ASCII (so there is neither a byte order mark nor another case to
 * letters than theirs), and one kind of line end. null for any other file. Throws what the file system throws, and
 * where `signal` is aborted.
 */
export async function countPlainRecords(
  path: string,
  newline: CsvForm['newline'],
  signal: AbortSignal,
): Promise<number | null> {
  const lines = createLineCheck(newline)
  for await (const chunk of createReadStream(path, { highWaterMark: READ_BYTES, signal })) {
    const bytes: Buffer = chunk
    if (!isAscii(bytes) || bytes.includes(QUOTE) || bytes.includes(NUL)) return null
    if (!lines.push(bytes)) return null
  }
  const count = lines.end()
  return count === null ? null : count - 1
}

/** As many commas in every line; and a CR only before LF, before all of them or before none. */
function createLineCheck(newline: CsvForm['newline']) {
  const returnsPerLine = newline === '\n' ? 0 : 1
  let [lines, commas, returns, before] = [0, 0, 0, LF]
  const isLine = () => commas === COMMAS && returns === returnsPerLine
  return {
    push(bytes: Buffer): boolean {
      for (const byte of bytes) {
        if (byte === COMMA) commas += 1
        else if (byte === CR) returns += 1
        else if (byte === LF) {
          if (!isLine() || (before === CR) !== (returnsPerLine === 1)) return false
          lines += 1
          commas = 0
          returns = 0
        }
        before = byte
      }
      return true
    },
    /** How many lines there were; null where the last, which may have no end, is none. */
    end() {
      if (before === LF) return lines
      return commas === COMMAS && returns === 0 ? lines + 1 : null
    },
  }
}
