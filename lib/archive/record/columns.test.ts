import { DuckDBInstance } from '@duckdb/node-api'
import fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { draws } from '#testing/draws.ts'
import { fillColumns, findFirst, sortByColumns } from './columns.ts'

const aKey = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.integer({ min: -1_000_000_000, max: 1_000_000_000 }),
  fc.maxSafeNat(),
)

test('rows are sorted by the last column first, and equal ones stay in order', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(aKey, aKey), { maxLength: 200 }), async (rows) => {
      const columns = [0, 1].map((at) => Float64Array.from(rows, (row) => row[at] ?? 0))
      const order = Int32Array.from(rows.keys())
      const wanted = [...rows.entries()]
        .sort(([i, a], [j, b]) => a[1] - b[1] || a[0] - b[0] || i - j)
        .map(([index]) => index)
      expect([...(await sortByColumns(order, columns))]).toEqual(wanted)
      expect(order).toEqual(Int32Array.from(rows.keys()))
    }),
    { numRuns: draws(60) },
  )
})

test('the first value from a number on is found within its range only', () => {
  const column = Int32Array.of(9, 1, 3, 3, 7, 0)
  expect(findFirst(column, 3, [1, 5])).toBe(2)
  expect(findFirst(column, 8, [1, 5])).toBe(5)
  expect(findFirst(column, 0, [1, 5])).toBe(1)
})

test('columns hold all rows of a query, and a query of fewer or more rows is refused', async () => {
  const instance = await DuckDBInstance.create(':memory:')
  const connection = await instance.connect()
  onTestFinished(() => {
    connection.closeSync()
    instance.closeSync()
  })
  const query = 'select cast(range as integer), cast(range as double) / 2 from range(5000)'
  const read = async (size: number) => {
    const columns = [new Int32Array(size), new Float64Array(size)] as const
    await fillColumns(connection, query, columns)
    return columns
  }
  const [integers, halves] = await read(5000)
  expect([integers[4999], halves[4999]]).toEqual([4999, 2499.5])
  await expect(read(5001)).rejects.toThrow('a query broke off')
  await expect(read(4999)).rejects.toThrow('a query broke off')
  await expect(
    fillColumns(connection, "select 'text' from range(1)", [new Int32Array(1)]),
  ).rejects.toThrow('a column is not a Int32Array')
})
