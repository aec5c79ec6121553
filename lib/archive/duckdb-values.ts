import { type DuckDBDataChunk, DuckDBDecimalValue, type DuckDBValue } from '@duckdb/node-api'

/** A value of a result: integers of any width as numbers, decimals as their exact text. */
export type ReadValue = number | string | boolean | null

/** The rows of a chunk as objects. Throws RangeError where an integer is too large to be a number. */
export function toRowObjects(
  chunk: DuckDBDataChunk,
  names: readonly string[],
): Record<string, ReadValue>[] {
  const rows: Record<string, ReadValue>[] = Array.from({ length: chunk.rowCount }, () => ({}))
  for (let column = 0; column < names.length; column += 1) {
    const name = names[column] ?? ''
    const vector = chunk.getColumnVector(column)
    for (let index = 0; index < rows.length; index += 1) {
      const row = rows[index]
      if (row) row[name] = toReadValue(vector.getItem(index))
    }
  }
  return rows
}

function toReadValue(value: DuckDBValue): ReadValue {
  if (typeof value === 'bigint') {
    const number = Number(value)
    if (!Number.isSafeInteger(number))
      throw new RangeError('an integer of the archive is too large')
    return number
  }
  if (value === null || typeof value !== 'object') return value
  if (value instanceof DuckDBDecimalValue) return value.toString()
  throw new TypeError('the archive asked for a type that it does not read')
}

/** A parameter of a query. Fractions are refused: decimals travel as text. */
export function toParameter(value: unknown): DuckDBValue {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'number' && Number.isSafeInteger(value)) return value
  throw new TypeError('a parameter of the archive is neither text nor an integer')
}
