import { expect, test } from 'vitest'
import { parsePreview } from './parse-preview.ts'

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer

const CSV = '\ufeffid,note\r\n1,"a, ""quoted"" one\nover two lines"\r\n\r\n2,ü\r\n'

test('any columns are read: quotes, line breaks within them, a byte order mark, empty lines', () => {
  expect(parsePreview(bytesOf(CSV), true)).toEqual({
    header: ['id', 'note'],
    rows: [
      ['1', 'a, "quoted" one\nover two lines'],
      ['2', 'ü'],
    ],
  })
})

test('wherever the bytes are cut, no record is shown in part', () => {
  const whole = new Uint8Array(bytesOf(CSV))
  const { rows } = parsePreview(whole.buffer, true)
  for (let length = 0; length < whole.length; length += 1) {
    const shown = parsePreview(whole.slice(0, length).buffer, false).rows
    expect(rows.slice(0, shown.length)).toEqual(shown)
  }
})

test('a file without any row has a header, an empty edition has nothing', () => {
  expect(parsePreview(bytesOf('id;name\n'), true)).toEqual({ header: ['id', 'name'], rows: [] })
  expect(parsePreview(bytesOf(''), true)).toEqual({ header: [], rows: [] })
})
