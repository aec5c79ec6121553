import type { DuckDBDataChunk } from '@duckdb/node-api'

type NumberColumn = Float64Array | Int32Array | Int16Array | Uint8Array

/** Up to 2,048 rows of a query, by columns, which must not hold nulls. */
export type ColumnChunk = {
  length: number
  /** The values of a column of numbers. Throws TypeError if it has a different type. */
  numbers<C extends NumberColumn>(name: string, type: ColumnType<C>): C
  /** The values of a DECIMAL of 10 to 18 digits, without their decimal point. */
  units(name: string): BigInt64Array
}

type ColumnType<C> = { new (values: C): C; readonly name: string }

/**
 * The binding's public functions read a value at a time. In private it keeps the engine's own arrays, which are copied here, since
 * the engine frees them with the chunk.
 */
export function toColumnChunk(chunk: DuckDBDataChunk, names: readonly string[]): ColumnChunk {
  const read = (name: string, field: string): unknown =>
    Reflect.get(chunk.getColumnVector(names.indexOf(name)), field)
  return {
    length: chunk.rowCount,
    numbers(name, type) {
      const items = read(name, 'items')
      if (!(items instanceof type)) throw new TypeError(`${name} is not a ${type.name}`)
      return new type(items)
    },
    units(name) {
      const view = read(name, 'dataView')
      if (!(view instanceof DataView)) throw new TypeError(`${name} is not a decimal`)
      const { buffer, byteOffset, byteLength } = view
      return new BigInt64Array(buffer.slice(byteOffset, byteOffset + byteLength))
    },
  }
}
