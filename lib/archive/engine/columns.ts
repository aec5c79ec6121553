import type { DuckDBDataChunk, DuckDBVector } from '@duckdb/node-api'

type NumberColumn = Float64Array | Int32Array | Int16Array | Uint8Array

/** Columns must not hold nulls. */
export type ColumnChunk = {
  length: number
  numbers<C extends NumberColumn>(name: string, type: ColumnType<C>): C
  /** Unscaled integers of a DECIMAL. */
  units(name: string): BigInt64Array
}

type ColumnType<C> = { new (values: C): C; readonly name: string }

export const toColumnChunk = (chunk: DuckDBDataChunk, names: readonly string[]): ColumnChunk => ({
  length: chunk.rowCount,
  numbers: (name, type) => numbersOf(chunk.getColumnVector(names.indexOf(name)), type),
  units: (name) => unitsOf(chunk.getColumnVector(names.indexOf(name))),
})

/**
 * The public API reads single values. The private arrays are copied, because the engine frees them
 * with the chunk.
 */
export function numbersOf<C extends NumberColumn>(vector: DuckDBVector, type: ColumnType<C>): C {
  const items: unknown = Reflect.get(vector, 'items')
  if (!(items instanceof type)) throw new TypeError(`a column is not a ${type.name}`)
  return new type(items)
}

function unitsOf(vector: DuckDBVector): BigInt64Array {
  const view: unknown = Reflect.get(vector, 'dataView')
  if (!(view instanceof DataView)) throw new TypeError('a column is not a decimal')
  const { buffer, byteOffset, byteLength } = view
  return new BigInt64Array(buffer.slice(byteOffset, byteOffset + byteLength))
}
