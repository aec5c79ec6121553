import { expect, test } from 'vitest'
import { parseCsvRating, parseRating } from '#lib/contract/incoming-rating.ts'
import { readRejectedId } from './rejected-id.ts'

test.each<[string, number | null]>([
  ['{"id":12,"user_id":3}', 12],
  ['{"user_id":3,"id":"12"}', 12],
  ['{"id":-4}', -4],
  ['["77","3","AAPL"]', 77],
  ['{"note":"{\\"id\\":5,","id":8}', 8],
  ['{"meta":{"id":5},"id":8}', 8],
  ['{"id":1.5}', null],
  ['{"id":"1e3"}', null],
  ['{"id":9007199254740993}', null],
  ['{"id":null}', null],
  ['{"id":[7]}', null],
  ['{}', null],
  ['[]', null],
  ['null', null],
  ['7', null],
  ['no JSON', null],
  ['', null],
])('of %s the id is %s', (raw, id) => {
  expect(readRejectedId(raw)).toBe(id)
})

test('the id of a row that is kept cut off is read, and no number within a text is taken for it', () => {
  const long = 'x'.repeat(9000)
  const kept = (value: object) => {
    const row = parseRating(value)
    return row.ok ? '' : row.raw
  }
  expect(readRejectedId(kept({ id: 9, note: long }))).toBe(9)
  expect(readRejectedId(kept({ note: '{"id":5,', id: 9, more: long }))).toBe(9)
  expect(readRejectedId(kept({ note: `{"id":5,${long}`, id: 9 }))).toBe(null)
})

test('a record of a dump with a cell too many keeps its id', () => {
  const row = parseCsvRating(['id', 'user_id'], ['31', '4', 'AA'])
  expect(row.ok ? null : readRejectedId(row.raw)).toBe(31)
})
