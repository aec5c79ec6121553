import fc from 'fast-check'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { draws } from '#testing/draws.ts'
import { type CsvRecord, createCsvReader } from './csv-reader.ts'

function read(content: string | Uint8Array, pieceBytes = 7) {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const reader = createCsvReader()
  const records: CsvRecord[] = []
  for (let at = 0; at < bytes.length; at += pieceBytes) {
    records.push(...reader.push(bytes.subarray(at, at + pieceBytes)))
  }
  const { records: last, isEnded } = reader.end()
  records.push(...last)
  return {
    header: reader.header(),
    delimiter: reader.delimiter(),
    cells: records.map(({ cells }) => cells),
    lines: records.map(({ line }) => line),
    problems: records.map(({ problem }) => problem),
    isEnded,
    error: reader.error()?.message ?? null,
  }
}

const TABLE = [
  ['AAPL', '1'],
  ['MSFT', '2'],
]

describe('a CSV file is read', () => {
  it.each([
    ['CRCRLF', 'symbol,close\r\r\nAAPL,1\r\r\nMSFT,2\r\r\n'],
    ['empty lines', '\n\nsymbol,close\n\nAAPL,1\n \nMSFT,2\n\n'],
    ['lines of empty cells', 'symbol,close\nAAPL,1\n,\nMSFT,2\n'],
    ['a trailing comma in every row', 'symbol,close\nAAPL,1,\nMSFT,2,\n'],
    ['pipes', 'symbol|close\nAAPL|1\nMSFT|2\n'],
    ['a sep line', 'sep=;\r\nsymbol;close\r\nAAPL;1\r\nMSFT;2\r\n'],
    ['a quoted sep line', '"sep=|"\nsymbol|close\nAAPL|1\nMSFT|2\n'],
    ['comments', '# exported\n# by "x, y\n\nsymbol,close\nAAPL,1\nMSFT,2\n'],
    ['names in a comment', '# symbol,close\nAAPL,1\nMSFT,2\n'],
  ])('with %s', (_, text) => {
    for (const pieceBytes of [1, 3, 1000]) {
      expect(read(text, pieceBytes)).toMatchObject({ cells: TABLE, error: null })
    }
    expect(read(text).problems).toEqual([null, null])
  })

  it.each(['utf16le', 'utf16be'])('in %s, with a byte order mark and without one', (encoding) => {
    const text = 'symbol,close\nAAPL,1\nMSFT,2\n'
    for (const mark of ['', '\ufeff']) {
      const bytes = Buffer.from(`${mark}${text}`, 'utf16le')
      expect(read(encoding === 'utf16le' ? bytes : bytes.swap16()).cells).toEqual(TABLE)
    }
  })
})

it('a filled cell beyond the header is a problem of its record', () => {
  expect(read('a,b\n1,2\n1,002,3\n').problems).toEqual([null, '3 cells under 2 columns'])
})

it.each(['\n', '\r\n', '\r', '\r\r\n'])(
  'text after a closing quote costs its own line and no other, where lines end in %j',
  (newline) => {
    const lines = [
      ...['a,b', '1,2', '"x"y,3', '4,"5', '6"', '"x "y" z",7', '"open,8', '"9",10', '11,12'],
    ]
    for (const end of ['', newline]) {
      for (const pieceBytes of [1, 2, 7, 1000]) {
        const found = read(`${lines.join(newline)}${end}`, pieceBytes)
        expect(found).toMatchObject({
          cells: [
            ['1', '2'],
            ['"x"y', '3'],
            ['4', `5${newline}6`],
            ['"x "y" z"', '7'],
            ['"open', '8'],
            ['9', '10'],
            ['11', '12'],
          ],
          lines: [2, 3, 4, 6, 7, 8, 9],
          error: null,
        })
        const problem = 'text after a closing quote'
        expect(found.problems).toEqual([null, problem, null, problem, problem, null, null])
      }
    }
  },
)

it('lines with malformed quotes, anywhere in a file, are rejected by their number, and all others are read', () => {
  const cell = fc.stringMatching(/^[a1", \n]{0,5}$/)
  const row = fc.tuple(fc.boolean(), cell, cell)
  fc.assert(
    fc.property(
      fc.array(row, { minLength: 1, maxLength: 30 }),
      fc.constantFrom('\n', '\r\n'),
      fc.integer({ min: 1, max: 50 }),
      (rows, newline, pieceBytes) => {
        const written = rows.map(([isMalformed, b, c]) =>
          isMalformed ? '"x"y,b,c' : Papa.unparse([['x', b, c]]),
        )
        const { cells, lines, problems } = read(
          `x,b,c${newline}${written.map((text) => `${text}${newline}`).join('')}`,
          pieceBytes,
        )
        let line = 2
        const starts = written.map((text) => {
          const start = line
          line += text.split('\n').length
          return start
        })
        expect(lines).toEqual(starts)
        expect(problems.map((problem) => problem !== null)).toEqual(rows.map(([one]) => one))
        expect(cells).toEqual(rows.map(([one, b, c]) => (one ? ['"x"y', 'b', 'c'] : ['x', b, c])))
      },
    ),
    { numRuns: draws(300) },
  )
})

it('a file of nothing but malformed quotes is read in one pass', () => {
  const rows = 20_000
  const { lines, problems } = read(`a,b\n${'"x"y,2\n'.repeat(rows)}`, 128 * 1024)
  expect(lines).toHaveLength(rows)
  expect(problems.every((problem) => problem !== null)).toBe(true)
})

it('a byte that is not UTF-8 is named by its line, and the records before it are read', () => {
  const bytes = Buffer.concat([
    Buffer.from('symbol,name\nA,Äpfel\nB,Zwei\nNKE,Nestl'),
    Buffer.from([0xe9]),
    Buffer.from('\nC,x\n'),
  ])
  for (const pieceBytes of [1, 5, 1000]) {
    expect(read(bytes, pieceBytes)).toMatchObject({
      cells: [
        ['A', 'Äpfel'],
        ['B', 'Zwei'],
      ],
      error: 'is not text in UTF-8 or UTF-16: line 4 has the byte 0xE9',
    })
  }
})

it('a quote that is never closed is named by its line', () => {
  expect(read('a,b\n1,2\n"3,4\n5,6\n')).toMatchObject({
    cells: [['1', '2']],
    error: 'opens a quote on line 3 and never closes it',
  })
})

it.each([
  ['', 'is empty'],
  ['\n\n', 'is empty'],
  ['<!DOCTYPE html><title>Sign in</title>', 'is HTML or XML, not CSV'],
  ['<?xml version="1.0"?><Error/>', 'is HTML or XML, not CSV'],
  ['{"error":"no"}', 'is JSON, not CSV'],
  ['PK\u0003\u0004\u0014', 'is an Excel workbook or a ZIP archive, not CSV'],
])('a file of %j is refused by its kind', (text, error) => {
  expect(read(text)).toMatchObject({ cells: [], error })
})

const DELIMITERS = [',', ';', '\t'] as const
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

const aDialectCell = fc.string({
  unit: fc.constantFrom('a', 'Z', '0', '.', '-', '"', '\n', '\r\n', ' ', 'ß', '漢', '😀'),
  maxLength: 6,
})
const flags = fc.array(fc.boolean(), { minLength: 1, maxLength: 5 })
const someNewlines = fc.array(fc.constantFrom('\n', '\r\n', '\r', '\r\r\n'), {
  minLength: 1,
  maxLength: 4,
})

const aWriting = fc
  .tuple(fc.integer({ min: 2, max: 4 }), fc.constantFrom(...DELIMITERS))
  .chain(([columns, delimiter]) => {
    const row = fc.array(aDialectCell, { minLength: columns, maxLength: columns })
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

const isRecord = (row: readonly string[]) => row.some((cell) => cell.trim() !== '')

it('tables are read as they were written, in any dialect and cut anywhere', () => {
  fc.assert(
    fc.property(aWriting, fc.integer({ min: 1, max: 64 }), (writing, size) => {
      const { header, cells } = read(toText(writing), size)
      expect([header, ...cells]).toEqual(writing.table.filter(isRecord))
    }),
    { numRuns: draws(500) },
  )
})
