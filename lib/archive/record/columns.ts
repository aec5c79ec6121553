import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DuckDBConnection } from '@duckdb/node-api'
import { numbersOf } from '#lib/archive/engine/columns.ts'

export type NumberColumn = Float64Array | Int32Array | Uint16Array

/** Throws Error on a wrong row count: a failed stream ends as if complete. */
export async function fillColumns(
  connection: DuckDBConnection,
  query: string,
  columns: readonly (Float64Array | Int32Array)[],
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
      const isReal = column instanceof Float64Array
      column.set(isReal ? numbersOf(vector, Float64Array) : numbersOf(vector, Int32Array), rows)
    }
    rows = end
  }
  if (columns.some((column) => column.length !== rows)) throw new Error('a query broke off')
}

const DIGIT_BITS = 16
const DIGITS = 2 ** DIGIT_BITS

/** Later columns take precedence. */
export async function sortByColumns(
  order: Int32Array,
  columns: readonly NumberColumn[],
): Promise<Int32Array> {
  let sorted = order
  for (const column of columns) {
    sorted = sortByKey(sorted, column)
    await nextTurn()
  }
  return sorted
}

/** Stable radix sort of integer keys. */
function sortByKey(order: Int32Array, keys: NumberColumn): Int32Array {
  if (isSorted(order, keys)) return order
  const [least, most] = rangeOf(keys)
  let sorted = order
  for (let unit = 1; unit <= most - least; unit *= DIGITS) {
    const ends = new Int32Array(DIGITS + 1)
    for (const row of sorted) {
      const digit = toDigit((keys[row] ?? 0) - least, unit)
      ends[digit + 1] = (ends[digit + 1] ?? 0) + 1
    }
    for (let digit = 1; digit <= DIGITS; digit += 1) {
      ends[digit] = (ends[digit] ?? 0) + (ends[digit - 1] ?? 0)
    }
    const next = new Int32Array(sorted.length)
    for (const row of sorted) {
      const digit = toDigit((keys[row] ?? 0) - least, unit)
      const place = ends[digit] ?? 0
      next[place] = row
      ends[digit] = place + 1
    }
    sorted = next
  }
  return sorted
}

function isSorted(order: Int32Array, keys: NumberColumn): boolean {
  for (let place = 1; place < order.length; place += 1) {
    if ((keys[order[place - 1] ?? 0] ?? 0) > (keys[order[place] ?? 0] ?? 0)) return false
  }
  return true
}

function toDigit(key: number, unit: number): number {
  const quotient = Math.floor(key / unit)
  return quotient - Math.floor(quotient / DIGITS) * DIGITS
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
