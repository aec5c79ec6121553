import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packRows, unpackRows } from './query-client.ts'

test('rows name their fields once', () => {
  const rows = [1, 2, 3].map((id) => ({ id, by_rating: [id, 0], symbol: null }))
  const packed = packRows({ data: rows, meta: { total: 3 } })
  expect(JSON.stringify(packed).match(/by_rating/g)).toHaveLength(1)
  expect(unpackRows(packed)).toEqual({ data: rows, meta: { total: 3 } })
})

test('any JSON is the same after packing and unpacking, keys in their order', () => {
  const row = fc.record({ id: fc.integer(), value: fc.jsonValue(), note: fc.string() })
  const data = fc.oneof(
    fc.jsonValue(),
    fc.array(row),
    fc.record({ rows: fc.array(fc.oneof(row, fc.jsonValue())) }),
  )
  fc.assert(
    fc.property(data, (given) => {
      const back = unpackRows(JSON.parse(JSON.stringify(packRows(given))))
      expect(JSON.stringify(back)).toBe(JSON.stringify(given))
    }),
  )
})
