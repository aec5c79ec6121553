import { DuckDBInstance } from '@duckdb/node-api'
import { expect, onTestFinished, test } from 'vitest'
import { fillColumns, findFirst } from './columns.ts'

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
