import Papa from 'papaparse'
import { CsvError } from './csv-error.ts'
import { countCells, type Dialect, selectDialect } from './dialect.ts'
import { unifyLineEnds } from './line-ends.ts'
import { createTextDecoding } from './text-decoder.ts'

/** `line` is 1-based. */
export type CsvRecord = { line: number; cells: string[]; problem: string | null }

type CsvReader = {
  header(): readonly string[] | null
  delimiter(): string | null
  push(bytes: Uint8Array): CsvRecord[]
  end(): { records: CsvRecord[]; isEnded: boolean }
  /** Null while readable. */
  error(): CsvError | null
}

/** UTF-16 units. */
const SAMPLE_LENGTH = 65_536
/** UTF-16 units; longer is an unclosed quote. */
const RECORD_MAX_LENGTH = 1_048_576
const MARKUP = /^\s*<(?:!doctype|\?xml|html|head|body|error)\b/i
const JSON_TEXT = /^\s*[[{]/

export function createCsvReader(): CsvReader {
  let dialect: Dialect | null = null
  let header: string[] | null = null
  let error: CsvError | null = null
  let rest = ''
  let line = 1
  const decoding = createTextDecoding((text) => line + countLineEnds(rest) + countLineEnds(text))

  const take = (text: string, isLast: boolean): CsvRecord[] => {
    if (error) return []
    rest += text
    const isSampled = isLast || decoding.error() !== null || rest.length >= SAMPLE_LENGTH
    if (!dialect && !isSampled) return []
    if (!dialect) {
      error = findMarkup(rest)
      if (error) return []
      dialect = selectDialect(rest, isLast)
      rest = rest.slice(dialect.skippedLength)
      line += dialect.skippedLines
    }
    const records = parse(dialect.delimiter, isLast && decoding.error() === null)
    error ??= decoding.error()
    return records
  }

  const parse = (delimiter: string, isLast: boolean): CsvRecord[] => {
    // A trailing `\r` may be half a line end.
    const held = isLast ? '' : (/\r+$/.exec(rest)?.[0] ?? '')
    rest = rest.slice(0, rest.length - held.length)
    const records: CsvRecord[] = []
    const add = (cells: string[], isMalformed = false) => {
      if (!cells.some(isFilled)) return
      if (header) records.push(toRecord(line, cells, header, isMalformed))
      else header = cells
    }
    // After a malformed quote, few lines are read at a time: what follows is not parsed twice.
    let lines = Number.POSITIVE_INFINITY
    for (let isRead = false; !isRead; ) {
      const end = skipLines(rest, lines)
      isRead = end === rest.length
      const text = unifyLineEnds(rest.slice(0, end), delimiter)
      const { rows, cursor, malformedAt, isCut } = parseText(text, delimiter, isLast && isRead)
      const from = line
      for (const cells of rows) {
        add(cells)
        line += 1 + countLineEndsWithin(cells)
      }
      if (malformedAt !== null) {
        const start = skipLines(rest, line - from)
        const malformedLines = countLineEnds(text.slice(0, malformedAt)) + 1
        const next = skipLines(rest, malformedLines)
        isRead = !isLast && !isLineEnd(rest[next - 1])
        if (!isRead)
          add(
            rest
              .slice(start, next)
              .replace(/[\r\n]+$/, '')
              .split(delimiter),
            true,
          )
        if (!isRead) line = from + malformedLines
        rest = rest.slice(isRead ? start : next)
        lines = 1
        continue
      }
      if (isCut) error = toUnclosed(line)
      rest = isRead ? text.slice(cursor) : rest.slice(skipLines(rest, line - from))
      lines *= 2
    }
    rest += held
    if (rest.length > RECORD_MAX_LENGTH) error = toTooLong(line)
    return records
  }

  return {
    header: () => header,
    delimiter: () => dialect?.delimiter ?? null,
    push: (bytes) => (error ? [] : take(decoding.push(bytes), false)),
    end() {
      if (error) return { records: [], isEnded: false }
      const text = decoding.end()
      const isEnded = /(?:^|[\r\n])$/.test(`${rest}${text}`)
      const records = take(text, true)
      if (!header) error ??= new CsvError('empty', 'is empty')
      return { records, isEnded }
    },
    error: () => error,
  }
}

type ParsedText = { rows: string[][]; cursor: number; malformedAt: number | null; isCut: boolean }

/** `malformedAt`: the first cell with text after its closing quote; its record is not in `rows`. */
function parseText(text: string, delimiter: string, isLast: boolean): ParsedText {
  const parser = new Papa.Parser({ delimiter, newline: '\n' })
  const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, !isLast)
  const malformed = errors.find(({ code }) => code === 'InvalidQuotes')
  const isCut = !malformed && isLast && errors.some(({ code }) => code === 'MissingQuotes')
  const rows = malformed ? data.slice(0, malformed.row) : isCut ? data.slice(0, -1) : data
  return { rows, cursor: meta.cursor, malformedAt: malformed?.index ?? null, isCut }
}

const toUnclosed = (line: number) =>
  new CsvError('unclosed_quote', `opens a quote on line ${line} and never closes it`, line)

const toTooLong = (line: number) =>
  new CsvError('long_record', `has a record longer than 1 MB on line ${line}`, line)

const isFilled = (cell: string) => cell !== '' && cell.trim() !== ''

function toRecord(
  line: number,
  cells: string[],
  header: readonly string[],
  isMalformed: boolean,
): CsvRecord {
  const columns = header.length
  if (isMalformed) return { line, cells, problem: 'text after a closing quote' }
  while (cells.length < columns && header[cells.length] === '') cells.push('')
  if (cells.length <= columns) return { line, cells, problem: null }
  const count = countCells(cells)
  if (count > columns) return { line, cells, problem: `${count} cells under ${columns} columns` }
  return { line, cells: cells.slice(0, columns), problem: null }
}

function findMarkup(text: string): CsvError | null {
  if (MARKUP.test(text)) return new CsvError('not_csv', 'is HTML or XML, not CSV')
  return JSON_TEXT.test(text) ? new CsvError('not_csv', 'is JSON, not CSV') : null
}

const LINE_END = /\r+\n|\r|\n/g

const countLineEnds = (text: string): number => text.match(LINE_END)?.length ?? 0

const isLineEnd = (character: string | undefined) => character === '\n' || character === '\r'

/** Where the text goes on after so many lines; its length if it has fewer. */
function skipLines(text: string, lines: number): number {
  if (lines === Number.POSITIVE_INFINITY) return text.length
  const end = new RegExp(LINE_END)
  for (let left = lines; left > 0; left -= 1) if (!end.test(text)) return text.length
  return end.lastIndex
}

function countLineEndsWithin(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) count += countLineEnds(cell)
  }
  return count
}
