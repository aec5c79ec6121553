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
    const text = unifyLineEnds(rest.slice(0, rest.length - held.length), delimiter)
    const parser = new Papa.Parser({ delimiter, newline: '\n' })
    const { data, errors, meta }: Papa.ParseResult<string[]> = parser.parse(text, 0, !isLast)
    const hasQuotes = text.includes('"')
    const malformed = new Set(errors.map(({ row }) => row))
    const isCut = isLast && errors.some(({ code }) => code === 'MissingQuotes')
    const records: CsvRecord[] = []
    for (let row = 0; row < data.length; row += 1) {
      const cells = data[row] ?? []
      if (isCut && row === data.length - 1) {
        error = toUnclosed(line)
        break
      }
      if (cells.some(isFilled)) {
        if (header) records.push(toRecord(line, cells, header, malformed.has(row)))
        else header = cells
      }
      line += hasQuotes ? 1 + countLineEndsWithin(cells) : 1
    }
    rest = `${text.slice(meta.cursor)}${held}`
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

function countLineEnds(text: string): number {
  return text.match(/\r+\n|\r|\n/g)?.length ?? 0
}

function countLineEndsWithin(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells) {
    if (cell.includes('\n') || cell.includes('\r')) count += countLineEnds(cell)
  }
  return count
}
