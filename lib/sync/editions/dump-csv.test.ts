import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import { createCsvReader, createDumpCheck } from './dump-csv.ts'

const encode = (text: string) => new TextEncoder().encode(text)

function read(bytes: Uint8Array, chunk = bytes.length || 1) {
  const reader = createCsvReader()
  const records: string[][] = []
  for (let at = 0; at < bytes.length; at += chunk) {
    records.push(...reader.push(bytes.subarray(at, at + chunk)))
  }
  const { records: last, ended } = reader.end()
  return { header: reader.header(), records: [...records, ...last], ended }
}

const aCell = fc.string({
  unit: fc.constantFrom('a', '1', '"', ',', '\n', '\r\n', ' ', 'é', '漢', '😀', ';'),
})
const aTable = fc
  .integer({ min: 2, max: 4 })
  .chain((columns) =>
    fc.array(fc.array(aCell, { minLength: columns, maxLength: columns }), { maxLength: 6 }),
  )

test('records are the same wherever the chunks are cut, and what papaparse wrote is read back', () => {
  const newlines = fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const)
  fc.assert(
    fc.property(aTable, newlines, fc.integer({ min: 1, max: 40 }), (table, newline, chunk) => {
      const header = (table[0] ?? ['', '']).map((_, index) => `c${index}`)
      const text = `${Papa.unparse([header, ...table], { newline, quotes: true })}${newline}`
      const { header: found, records, ended } = read(encode(text), chunk)
      expect(found).toEqual(header)
      expect(records).toEqual(table)
      expect(ended).toBe(true)
    }),
    { numRuns: draws(400) },
  )
})

test('a byte order mark, any line end, empty lines and another delimiter make no difference', () => {
  const expected = [
    ['1', 'x'],
    ['2', ''],
  ]
  for (const text of [
    'a,b\n1,x\n2,\n',
    '\ufeffa,b\n1,x\n2,\n',
    'a,b\r\n1,x\r\n2,\r\n',
    'a,b\r1,x\r2,\r',
    'a,b\r\r\n1,x\r\r\n2,\r\r\n',
    'a,b\n1,x,\n2,,,\n',
    'a,b\r\n1,x\n2,\r\n',
    'a,b\n\n1,x\n\r\n2,\n\n',
    'a;b\n1;x\n2;\n',
    'a\tb\n1\tx\n2\t\n',
    '"a","b"\r\n"1","x"\r\n"2",""\r\n',
  ]) {
    for (const chunk of [1, 2, 3, 100]) {
      const { header, records, ended } = read(encode(text), chunk)
      expect([header, records, ended]).toEqual([['a', 'b'], expected, true])
    }
  }
})

test('each record has the line that it begins on', () => {
  for (const newline of ['\n', '\r\n', '\r', '\r\r\n']) {
    const text = ['a,b', '1,"x', 'y"', '', '2,z', '3', ''].join(newline)
    const reader = createCsvReader()
    const lines = [...text].flatMap((character) => {
      reader.push(encode(character))
      return [...reader.lines()]
    })
    reader.end()
    expect([...lines, ...reader.lines()]).toEqual([2, 5, 6])
  }
})

test('a last line without a break is read, and said to have none', () => {
  expect(read(encode('a,b\n1,x'))).toEqual({
    header: ['a', 'b'],
    records: [['1', 'x']],
    ended: false,
  })
})

test('text that ends within quotes or within a character is refused as cut short', () => {
  for (const bytes of [encode('a,b\n1,"x'), encode('a,b\n1,é').subarray(0, -1)]) {
    expect(() => read(bytes)).toThrow(expect.objectContaining({ fault: 'upstream_unavailable' }))
  }
})

test('bytes that are no UTF-8 and quotes that never close are refused, without reading on for ever', () => {
  const refusal = expect.objectContaining({ fault: 'upstream_contract' })
  expect(() => read(Uint8Array.of(97, 44, 98, 10, 0xe9, 44, 49, 10))).toThrow(refusal)
  const endless = encode(`a,b\n1,"${'x'.repeat(1_200_000)}`)
  expect(() => read(endless, 65_536)).toThrow(refusal)
})

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

const aDialectCell = fc.string({
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
    { numRuns: draws(500) },
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
    { numRuns: draws(300) },
  )
})

test('the newest instant and the ids of a dump are found where whole numbers are written 1.0', () => {
  const dump = createDumpCheck('lookups', 1_800_000_000)
  dump.push(encode('id,created_at\n7.0,1767618000.0\n3.0,1767617000.0\n'))
  const ids = { lowest: 3, highest: 7 }
  expect(dump.end()).toMatchObject({ newestCreatedAt: 1_767_618_000, ids })
})

test('a dump that names a column by the key is none, and a cell that held it is shown without', () => {
  const masked = '\u007f'.repeat(12)
  const check = (text: string) => {
    const dump = createDumpCheck('lookups', 0)
    dump.push(encode(text))
    return dump.end()
  }
  expect(() => check(`id,unknown key ${masked}\n1,2\n`)).toThrow(/repeats the key/)
  expect(check(`id,note\n1,key ${masked}\n`).firstRows).toEqual([['1', 'key [key]']])
})
