import Papa from 'papaparse'
import { AppError } from '#lib/contract/faults.ts'

/** A record longer than this is a quote that was never closed. In UTF-16 units. */
const RECORD_MAX_LENGTH = 1_048_576

/** CSV as it comes in: bytes in, records out, whatever the chunks are cut at. */
export type CsvReader = {
  /** The first record; null until it has come. */
  header(): readonly string[] | null
  /** The records after the header that these bytes complete. Throws AppError where they are no CSV in UTF-8. */
  push(bytes: Uint8Array): string[][]
  /**
   * The records that are left. `ended` is false where the last one had no line break after it, so that it may be cut.
   * Throws AppError where the text ends within quotes or within a character.
   */
  end(): { records: string[][]; ended: boolean }
}

/**
 * RFC 4180, and what is found outside it: a byte order mark, CRLF, LF or CR, empty lines, and another delimiter than the
 * comma where the header shows one.
 */
export function createCsvReader(): CsvReader {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  let dialect: Dialect | null = null
  let header: string[] | null = null
  let rest = ''

  const take = (records: string[][], newline: string): string[][] => {
    const kept: string[][] = []
    for (const record of records) {
      if (newline === '\n') trimCarriageReturn(record)
      if (record.length === 1 && record[0] === '') continue
      if (header) kept.push(record)
      else header = record
    }
    return kept
  }

  return {
    header: () => header,
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
    if (index === text.length - 1 && character === '\r' && !whole) return null
    const newline = character === '\r' && text[index + 1] !== '\n' ? '\r' : '\n'
    return { delimiter: guessDelimiter(text.slice(0, index)), newline }
  }
  return whole ? { delimiter: guessDelimiter(text), newline: '\n' } : null
}

const guessDelimiter = (line: string) => Papa.parse(line, { preview: 1 }).meta.delimiter

/** Whether nothing stands behind the last line break, but perhaps the half of another. */
const isEnded = (rest: string, newline: string) =>
  rest === '' || rest === '\r' || rest.endsWith(newline)

function trimCarriageReturn(record: string[]): void {
  const last = record[record.length - 1]
  if (last?.endsWith('\r')) record[record.length - 1] = last.slice(0, -1)
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

/** The error of a dump that came in part. Another attempt may bring the whole. */
export const cutShort = (where: string) =>
  new AppError('upstream_unavailable', `The dump was cut short: it ends ${where}.`)
