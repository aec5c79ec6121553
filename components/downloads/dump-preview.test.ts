import { expect, test } from 'vitest'
import { toRows } from './dump-preview.tsx'

const bytesOf = (text: string) => new TextEncoder().encode(text).buffer

const CSV = '\ufeffid,note\r\n1,"a, ""quoted"" one\nover two lines"\r\n\r\n2,ü\r\n'

test('reads quotes, line breaks within them and empty lines when the file begins with a mark', () => {
  expect(toRows(bytesOf(CSV), true)).toEqual([
    ['1', 'a, "quoted" one\nover two lines'],
    ['2', 'ü'],
  ])
})

test('shows no record in part when the bytes are cut anywhere', () => {
  const whole = new Uint8Array(bytesOf(CSV))
  const rows = toRows(whole.buffer, true)
  for (let length = 0; length < whole.length; length += 1) {
    const shown = toRows(whole.slice(0, length).buffer, false)
    expect(rows.slice(0, shown.length)).toEqual(shown)
  }
})

test('has no rows when the file is a header or empty', () => {
  expect(toRows(bytesOf('id;name\n'), true)).toEqual([])
  expect(toRows(bytesOf(''), true)).toEqual([])
})
