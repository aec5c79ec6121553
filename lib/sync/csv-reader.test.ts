import fc from 'fast-check'
import Papa from 'papaparse'
import { expect, test } from 'vitest'
import { createCsvReader } from './csv-reader.ts'

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
    { numRuns: 400 },
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
