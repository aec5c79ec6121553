import Papa from 'papaparse'
import type { Dump } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { holdsMaskedKey, REPEATS_KEY, toReadableMask } from '#lib/contract/masked-key.ts'
import { parseIntegerCell, RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'

/** A record longer than this is a quote that was never closed. In UTF-16 units. */
const RECORD_MAX_LENGTH = 1_048_576

/** CSV as it comes in: bytes in, records out, whatever the chunks are cut at. */
export type CsvReader = {
  /** The first record; null until it has come. */
  header(): readonly string[] | null
  /** The records after the header that these bytes complete. Throws AppError where they are no CSV in UTF-8. */
  push(bytes: Uint8Array): string[][]
  /** The line, from 1, that each record of the last call begins on. */
  lines(): readonly number[]
  /**
   * The records that are left. `ended` is false where the last one had no line break after it, so that it may be cut.
   * Throws AppError where the text ends within quotes or within a character.
   */
  end(): { records: string[][]; ended: boolean }
}

/**
 * RFC 4180, and what is found outside it: a byte order mark, CRLF, LF, CR or CR CRLF, empty lines, an empty cell behind the
 * last column, and another delimiter than the comma where the header shows one.
 */
export function createCsvReader(): CsvReader {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let dialect: Dialect | null = null
  let header: string[] | null = null
  let rest = ''
  let line = 1
  let lines: number[] = []

  const take = (records: string[][], newline: string): string[][] => {
    const kept: string[][] = []
    lines = []
    for (const record of records) {
      const at = line
      line += countLines(record, newline)
      if (newline === '\n') trimCarriageReturns(record)
      if (record.length === 1 && record[0] === '') continue
      while (header && record.length > header.length && record.at(-1) === '') record.pop()
      if (!header) header = record
      else {
        kept.push(record)
        lines.push(at)
      }
    }
    return kept
  }

  return {
    header: () => header,
    lines: () => lines,
    push(bytes) {
      rest += decode(decoder, bytes)
      dialect ??= selectDialect(rest, false)
      if (!dialect) return refuseLong(rest)
      const { records, used } = parseText(rest, { ...dialect, last: false })
      rest = rest.slice(used)
      refuseLong(rest)
      return take(records, dialect.newline)
    },
    end() {
      rest += decode(decoder, null)
      dialect ??= selectDialect(rest, true) ?? { delimiter: ',', newline: '\n' }
      const { records, cut } = parseText(rest, { ...dialect, last: true })
      if (cut) throw cutShort('within quotes')
      const last = take(records, dialect.newline)
      return { records: last, ended: isEnded(rest, dialect.newline) }
    },
  }
}

type Dialect = { delimiter: string; newline: '\n' | '\r' }

/** papaparse's own parser, one chunk at a time: what it says of a record that is not over yet is not heard. */
function parseText(text: string, { delimiter, newline, last }: Dialect & { last: boolean }) {
  const parser = new Papa.Parser({ delimiter, newline })
  const result: Papa.ParseResult<string[]> = parser.parse(text, 0, !last)
  return {
    records: result.data,
    used: result.meta.cursor,
    cut: last && result.errors.some((error) => error.code === 'MissingQuotes'),
  }
}

/** From the first line break outside quotes; null while there is none. CRLF is read as LF with something before it. */
function selectDialect(text: string, whole: boolean): Dialect | null {
  let quoted = false
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]
    if (character === '"') quoted = !quoted
    if (quoted || (character !== '\n' && character !== '\r')) continue
    const [returns = ''] = /^\r*/.exec(text.slice(index)) ?? []
    const next = text[index + returns.length]
    if (next === undefined && !whole) return null
    const newline = next === '\n' ? '\n' : '\r'
    return { delimiter: guessDelimiter(text.slice(0, index)), newline }
  }
  return whole ? { delimiter: guessDelimiter(text), newline: '\n' } : null
}

const guessDelimiter = (line: string) => Papa.parse(line, { preview: 1 }).meta.delimiter

/** Whether nothing stands behind the last line break, but perhaps the half of another. */
const isEnded = (rest: string, newline: string) => /^\r*$/.test(rest) || rest.endsWith(newline)

function trimCarriageReturns(record: string[]): void {
  const last = record[record.length - 1]
  if (last?.endsWith('\r')) record[record.length - 1] = last.replace(/\r+$/, '')
}

function countLines(record: readonly string[], newline: string): number {
  let lines = 1
  for (const cell of record) if (cell.includes(newline)) lines += cell.split(newline).length - 1
  return lines
}

function decode(decoder: TextDecoder, bytes: Uint8Array | null): string {
  try {
    return bytes ? decoder.decode(bytes, { stream: true }) : decoder.decode()
  } catch (cause) {
    if (!bytes) throw cutShort('within a character')
    throw new AppError('upstream_contract', 'The dump is not text in UTF-8.', { cause })
  }
}

function refuseLong(rest: string): [] {
  if (rest.length <= RECORD_MAX_LENGTH) return []
  throw new AppError('upstream_contract', 'The dump holds a record longer than 1 MB.')
}

/** The error of a dump that may have come in part. Another attempt may bring the whole. */
export const cutShort = (where: string) =>
  new AppError('upstream_unavailable', `The dump was cut short: it ends ${where}.`)

const FIRST_ROWS = 20
/** `/downloads` shows the first rows: a cell that is a book is shown by its beginning. */
const CELL_SHOWN_LENGTH = 500
const DAY_SECONDS = 86_400
const INTEGER = /^[+-]?\d{1,18}$/
const DECIMAL = /^[+-]?\d{1,18}(?:\.\d{1,18})?$/

export type DumpContents = {
  rows: number
  columns: Dump['columns']
  firstRows: string[][]
  /** The newest `created_at` that is not far in the future, and between which ids the rows lie; null without such. */
  newestCreatedAt: number | null
  ids: { lowest: number; highest: number } | null
  /** False where the last record has no line break after it: whole only if the length says so. */
  ended: boolean
}

/** Reads a dump as it passes by: counts, types its columns, and throws AppError as soon as it is known to be none. */
export type DumpCheck = { push(bytes: Uint8Array): void; end(): DumpContents }

/** `at` is when the dump was asked for, in seconds since 1970. */
export function createDumpCheck(kind: DumpKind, at: number): DumpCheck {
  const reader = createCsvReader()
  const created = createBounds('created_at', at + DAY_SECONDS)
  const ids = createBounds('id', Number.MAX_SAFE_INTEGER)
  const firstRows: string[][] = []
  let types: (ColumnType | null)[] | null = null
  let rows = 0

  const start = (header: readonly string[]) => {
    refuseHeader(kind, header)
    return header.map(() => null)
  }
  const see = (records: readonly string[][]) => {
    const header = reader.header()
    if (header) types ??= start(header)
    for (const record of records) {
      if (types) widenTypes(types, record)
      created.see(header, record)
      ids.see(header, record)
      if (rows < FIRST_ROWS) firstRows.push(record.map((cell) => shorten(toReadableMask(cell))))
      rows += 1
    }
  }

  return {
    push: (bytes) => see(reader.push(bytes)),
    end() {
      const { records, ended } = reader.end()
      see(records)
      const header = reader.header()
      if (!header) throw new AppError('upstream_contract', 'The dump is empty.')
      const columns = header.map((name, index) => ({ name, type: types?.[index] ?? 'text' }))
      const newestCreatedAt = created.found()?.highest ?? null
      return { rows, columns, firstRows, newestCreatedAt, ids: ids.found(), ended }
    },
  }
}

/** The least and the greatest whole number under a column, but for what is above `limit`. */
function createBounds(name: string, limit: number) {
  let index: number | null = null
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  return {
    see(header: readonly string[] | null, record: readonly string[]) {
      index ??= header?.indexOf(name) ?? -1
      const cell = record[index] ?? ''
      const value = parseIntegerCell(cell)
      if (value === null || !Number.isSafeInteger(value) || value > limit) return
      if (value < lowest) lowest = value
      if (value > highest) highest = value
    },
    found: () => (highest < lowest ? null : { lowest, highest }),
  }
}

type ColumnType = Dump['columns'][number]['type']

/** The narrowest type that holds every value; empty cells say nothing. */
function widenTypes(types: (ColumnType | null)[], record: readonly string[]): void {
  for (let index = 0; index < types.length; index += 1) {
    if (types[index] === 'text') continue
    const cell = record[index] ?? ''
    if (cell === '') continue
    if (types[index] !== 'decimal' && INTEGER.test(cell)) types[index] = 'integer'
    else types[index] = DECIMAL.test(cell) ? 'decimal' : 'text'
  }
}

function refuseHeader(kind: DumpKind, header: readonly string[]): void {
  if (/^\s*[<{[]/.test(header[0] ?? '')) {
    throw new AppError('upstream_contract', 'What came instead of the dump is not CSV.')
  }
  if (header.some(holdsMaskedKey)) throw new AppError('upstream_contract', REPEATS_KEY)
  const named = header.filter((name) => name !== '')
  if (new Set(named).size !== named.length) {
    throw new AppError('upstream_contract', 'The dump names a column twice.')
  }
  const missing = RATING_FIELDS.filter((name) => !header.includes(name))
  if (kind === 'lookups' || missing.length === 0) return
  const names = missing.join(', ')
  throw new AppError('upstream_contract', `The posts dump lacks columns: ${names}.`)
}

/** A cell as it is shown: a book by its beginning. */
export const shorten = (cell: string): string =>
  cell.length > CELL_SHOWN_LENGTH ? `${cell.slice(0, CELL_SHOWN_LENGTH)}…` : cell
