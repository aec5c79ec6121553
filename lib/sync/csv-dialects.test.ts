import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { createCsvReader } from './csv-reader.ts'

const DELIMITERS = [',', ';', '\t'] as const
const NEWLINES = ['\n', '\r\n', '\r'] as const

/** One way to write a table, cell by cell: which are quoted, which line ends, what stands before and behind. */
type Writing = {
  table: string[][]
  delimiter: string
  newlines: readonly string[]
  quotes: readonly boolean[]
  mark: boolean
  blankLines: readonly boolean[]
  ended: boolean
}

const NEEDS_QUOTES = /["\r\n,;\t]/

function toText({ table, delimiter, newlines, quotes, mark, blankLines, ended }: Writing): string {
  let cells = 0
  const lines = table.map((row, index) => {
    const line = row.map((cell) => {
      const isQuoted = quotes[cells++ % quotes.length] || NEEDS_QUOTES.test(cell)
      return isQuoted ? `"${cell.replaceAll('"', '""')}"` : cell
    })
    const newline = newlines[index % newlines.length] ?? '\n'
    const isLast = index === table.length - 1
    const blank = blankLines[index % blankLines.length] && !isLast ? newline : ''
    return `${line.join(delimiter)}${isLast && !ended ? '' : newline}${blank}`
  })
  return `${mark ? '\ufeff' : ''}${lines.join('')}`
}

const aCell = fc.string({
  unit: fc.constantFrom('a', 'Z', '0', '.', '-', '"', '\n', '\r\n', ' ', 'ß', '漢', '😀'),
  maxLength: 6,
})
const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })
/** CR alone is a dialect of its own; LF and CRLF may take turns. */
const someNewlines = fc.oneof(
  fc.constant(['\r']),
  fc.array(fc.constantFrom('\n', '\r\n'), { minLength: 1, maxLength: 4 }),
)

const aWriting = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.constantFrom(...DELIMITERS))
  .chain(([columns, delimiter]) => {
    const row = fc.array(aCell, { minLength: columns, maxLength: columns })
    const header = Array.from({ length: columns }, (_, index) => `column${index}`)
    return fc.record({
      table: fc.array(row, { maxLength: 8 }).map((rows) => [header, ...rows]),
      delimiter: fc.constant<string>(delimiter),
      newlines: someNewlines,
      quotes: flags,
      mark: fc.boolean(),
      blankLines: flags,
      ended: fc.boolean(),
    })
  })

function readInPieces(bytes: Uint8Array, size: number): string[][] {
  const reader = createCsvReader()
  const records: string[][] = []
  for (let at = 0; at < bytes.length; at += size) {
    records.push(...reader.push(bytes.subarray(at, at + size)))
  }
  records.push(...reader.end().records)
  return [[...(reader.header() ?? [])], ...records]
}

/** A carriage return within a cell stands before the line feed that it is read with. */
const usual = (table: readonly (readonly string[])[], isCr: boolean) =>
  isCr ? table.map((row) => row.map((cell) => cell.replace(/\r\n/g, '\n'))) : table

test('five hundred tables are read as they were written, in any dialect and cut anywhere', () => {
  fc.assert(
    fc.property(aWriting, fc.integer({ min: 1, max: 64 }), (writing, size) => {
      const bytes = new TextEncoder().encode(toText(writing))
      const isCr = writing.newlines[0] === '\r'
      expect(usual(readInPieces(bytes, size), isCr)).toEqual(usual(writing.table, isCr))
    }),
    { numRuns: 500 },
  )
})

test('a second parser, given the whole file and its dialect, reads the same records from three hundred', () => {
  fc.assert(
    fc.property(
      aWriting,
      fc.constantFrom(...NEWLINES),
      fc.integer({ min: 1, max: 64 }),
      (writing, newline, size) => {
        const text = toText({ ...writing, newlines: [newline] })
        const { data } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''), {
          delimiter: writing.delimiter,
          newline,
          skipEmptyLines: true,
        })
        expect(readInPieces(new TextEncoder().encode(text), size)).toEqual(data)
      },
    ),
    { numRuns: 300 },
  )
})
