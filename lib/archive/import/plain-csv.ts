import { open } from 'node:fs/promises'
import { type RawBuilder, sql } from 'kysely'

/**
 * A file in which cells are what stands between commas and line ends, whoever reads it: as many commas in every line, no
 * quotes, and one kind of line end. The names of its columns in their order, and what ends its lines.
 */
export type CsvForm = { path: string; header: readonly string[]; newline: '\n' | '\r\n' }

/** What the engine would take for a pattern, naming files. */
const PATTERN = /[*?[\]{}]/
const HEADER_MAX_BYTES = 4096
/** Names that no other delimiter than the comma could be guessed from. */
const PLAIN_NAME = /^\w+$/

/** How a file is written, by its first line; null where that is not plain. Throws what the file system throws. */
export async function readCsvForm(path: string): Promise<CsvForm | null> {
  if (PATTERN.test(path)) return null
  const file = await open(path)
  try {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(HEADER_MAX_BYTES), 0)
    const end = buffer.subarray(0, bytesRead).indexOf(LF)
    const line = buffer.toString('latin1', 0, Math.max(end, 0))
    const newline = line.endsWith('\r') ? '\r\n' : '\n'
    const header = (newline === '\n' ? line : line.slice(0, -1)).split(',')
    const isPlain = header.length > 1 && header.every((name) => PLAIN_NAME.test(name))
    return isPlain && new Set(header).size === header.length ? { path, header, newline } : null
  } finally {
    await file.close()
  }
}

export type CsvColumn = { name: string; type: string; isNullable: boolean }

/** Stands in no plain file whose lines are read whole. */
const NO_DELIMITER = '\u001f'

/** The lines behind the header of a plain file in its order, as `line`. */
export const readLines = (path: string): RawBuilder<unknown> =>
  readCsv(path, [{ name: 'line', type: 'text', isNullable: false }], NO_DELIMITER)

/**
 * The records of a plain file in its order. Nothing is guessed and no record that is wrong is passed over: the engine
 * throws. A path is one file's, whatever stands in it. Line ends are left to it: told that they are CRLF, it finds no
 * record. Buffers are small, since they come on top of what the engine is allowed.
 */
export function readCsv(
  path: string,
  columns: readonly CsvColumn[],
  delimiter = ',',
): RawBuilder<unknown> {
  const types = columns.map(({ name, type }) => sql`${sql.lit(name)}: ${sql.lit(type)}`)
  const notNull = columns.filter(({ isNullable }) => !isNullable).map(({ name }) => sql.lit(name))
  return sql`read_csv([${sql.lit(path)}],
    columns = {${sql.join(types)}}, force_not_null = [${sql.join(notNull)}],
    auto_detect = false, header = true, delim = ${sql.lit(delimiter)}, quote = '', escape = '', comment = '', nullstr = '',
    encoding = 'utf-8', compression = 'none', max_line_size = 65536, buffer_size = 4194304,
    strict_mode = true, null_padding = false, ignore_errors = false,
    hive_partitioning = false, union_by_name = false, filename = false)`
}

/** Looked through in less than a millisecond, so that it holds up nobody. */
const READ_BYTES = 131_072
const [NUL, LF, CR, QUOTE, COMMA] = [0, 10, 13, 34, 44]

type Looking = {
  /** What else of a piece of the file makes it plain for whoever asks. */
  isPlain?: (bytes: Buffer) => boolean
  signal: AbortSignal
}

/**
 * How many records follow the header of a file; null where it is not plain: the engine passes over a cell too many that is
 * empty, so its own strictness proves nothing. Throws what the file system throws, and where `signal` is aborted.
 */
export async function countPlainRecords(
  { path, header, newline }: CsvForm,
  { isPlain = () => true, signal }: Looking,
): Promise<number | null> {
  const lines = createLineCheck(header.length - 1, newline)
  const file = await open(path)
  try {
    // One buffer for all of it: what a stream leaves behind is more than the engine holds.
    const buffer = Buffer.alloc(READ_BYTES)
    for (;;) {
      signal.throwIfAborted()
      const { bytesRead } = await file.read(buffer)
      if (bytesRead === 0) break
      const bytes = buffer.subarray(0, bytesRead)
      if (bytes.includes(QUOTE) || bytes.includes(NUL) || !isPlain(bytes)) return null
      if (!lines.push(bytes)) return null
    }
  } finally {
    await file.close()
  }
  const count = lines.end()
  return count === null ? null : count - 1
}

/** As many commas in every line; and a CR only before LF, before all of them or before none. */
function createLineCheck(commasPerLine: number, newline: CsvForm['newline']) {
  const returnsPerLine = newline === '\n' ? 0 : 1
  let [lines, commas, returns] = [0, 0, 0]
  let before: number | undefined = LF
  return {
    /** Counted in variables of its own: some times as fast, of a hundred megabytes. */
    push(bytes: Buffer): boolean {
      let [ends, cells, breaks, last] = [lines, commas, returns, before]
      for (let index = 0; index < bytes.length; index += 1) {
        const byte = bytes[index]
        if (byte === COMMA) cells += 1
        else if (byte === CR) breaks += 1
        else if (byte === LF) {
          if (cells !== commasPerLine || breaks !== returnsPerLine) return false
          if ((last === CR) !== (returnsPerLine === 1)) return false
          ends += 1
          cells = 0
          breaks = 0
        }
        last = byte
      }
      lines = ends
      commas = cells
      returns = breaks
      before = last
      return true
    },
    /** How many lines there were; null where the last, which may have no end, is none. */
    end() {
      if (before === LF) return lines
      return commas === commasPerLine && returns === 0 ? lines + 1 : null
    },
  }
}
