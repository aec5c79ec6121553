import type { DuckDBConnection } from '@duckdb/node-api'
import { numbersOf } from '#lib/archive/engine/columns.ts'

type NumberColumn = Float64Array | Int32Array | Uint16Array

/** Throws Error on a wrong row count: a failed stream ends as if complete. */
export async function fillColumns(
  connection: DuckDBConnection,
  query: string,
  columns: readonly (Float64Array | Int32Array | Uint8Array)[],
): Promise<void> {
  const result = await connection.stream(query)
  let rows = 0
  for (;;) {
    const chunk = await result.fetchChunk()
    if (!chunk || chunk.rowCount === 0) break
    const end = rows + chunk.rowCount
    if (columns.some(({ length }) => length < end)) throw new Error('a query broke off')
    for (const [index, column] of columns.entries()) {
      const vector = chunk.getColumnVector(index)
      if (column instanceof Float64Array) column.set(numbersOf(vector, Float64Array), rows)
      else if (column instanceof Int32Array) column.set(numbersOf(vector, Int32Array), rows)
      else column.set(numbersOf(vector, Uint8Array), rows)
    }
    rows = end
  }
  if (columns.some((column) => column.length !== rows)) throw new Error('a query broke off')
}

export function rangeOf(values: NumberColumn): [least: number, most: number] {
  let [least, most] = [values[0] ?? 0, values[0] ?? 0]
  for (const value of values) {
    if (value < least) least = value
    if (value > most) most = value
  }
  return [least, most]
}

/** Requires an ascending column. Returns `to` if there is none. */
export function findFirst(
  column: NumberColumn,
  least: number,
  [from, to]: readonly [number, number],
): number {
  let [low, high] = [from, to]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((column[middle] ?? 0) < least) low = middle + 1
    else high = middle
  }
  return low
}
