import { expect, test } from 'vitest'
import { createDumpCheck } from './dump-csv.ts'

const encode = (text: string) => new TextEncoder().encode(text)

test('bytes that are not text and quotes that never close are refused, without reading on for ever', () => {
  const refusal = expect.objectContaining({ fault: 'upstream_contract' })
  const latin = createDumpCheck('lookups', 0)
  expect(() => latin.push(Uint8Array.of(97, 44, 98, 10, 0xe9, 44, 49, 10))).toThrow(refusal)
  const endless = createDumpCheck('lookups', 0)
  endless.push(encode('a,b\n1,"'))
  const piece = encode('x'.repeat(65_536))
  expect(() => {
    for (let pieces = 0; pieces < 20; pieces += 1) endless.push(piece)
  }).toThrow(refusal)
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

test('text that ends within a row is told from a footer, from short rows and from a whole last row', () => {
  const check = (text: string) => {
    const dump = createDumpCheck('lookups', 0)
    dump.push(encode(text))
    return dump.end().endsWithinRow
  }
  const cut = ['1,2,3\n4,5', '1,2,3\n4,', '1,2,3\n4', '1', '"1",2,3\r\n"4","5"']
  expect(cut.map((rows) => check(`a,b,c\n${rows}`))).toEqual(cut.map(() => true))
  const whole = ['1,2,3\n4,5,6', '1,2,3\n4,5\n', '1,2\n3,4', '1,2,3\n2 rows', '']
  expect(whole.map((rows) => check(`a,b,c\n${rows}`))).toEqual(whole.map(() => false))
})
