import { expect, test } from 'vitest'
import { EXTRAS_MAX, toExtraTexts } from './extra-text.ts'

const rowsOf = (json: string) =>
  toExtraTexts(JSON.parse(json)).rows.map(({ name, text }) => ({ name, text }))

test('unknown fields are listed as they came: text as text, the rest as JSON', () => {
  expect(rowsOf('{"note":"a <b>","n":-0.5,"none":null,"list":[1,{"a":"b"}]}')).toEqual([
    { name: 'note', text: 'a <b>' },
    { name: 'n', text: '-0.5' },
    { name: 'none', text: 'null' },
    { name: 'list', text: '[1,{"a":"b"}]' },
  ])
})

test('what cannot be seen, or turns writing around, is written out', () => {
  expect(rowsOf('{"a\\u202eb":"x\\u0000\\ny","":"empty"}')).toEqual([
    { name: 'a\\u202eb', text: 'x\\u0000\\ny' },
    { name: '""', text: 'empty' },
  ])
})

test('names of the language itself are names like any other', () => {
  expect(rowsOf('{"__proto__":{"x":1},"constructor":2}')).toEqual([
    { name: '__proto__', text: '{"x":1}' },
    { name: 'constructor', text: '2' },
  ])
})

test('neither a long value nor a thousand fields fill the page', () => {
  const { rows, more } = toExtraTexts(
    Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`f${index}`, 'x'.repeat(9000)])),
  )
  expect(rows).toHaveLength(EXTRAS_MAX)
  expect(more).toBe(1000 - EXTRAS_MAX)
  expect(rows.every(({ text }) => text.length < 500)).toBe(true)
})
