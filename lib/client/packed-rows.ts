/**
 * Answers on their way into a page: rows of one shape become columns, so that each name is written once instead of in
 * every row, and a column that holds one value holds it once. The browser makes the rows again before anything reads them.
 *
 * A packed array is `{ $columns: { name: values }, $rows: count }`; values are an array, or `{ $all: value }`. An object
 * that has one of these names itself stands in `{ $as: object }`.
 */

type Plain = Readonly<Record<string, unknown>>

const RESERVED = ['$columns', '$rows', '$all', '$as']

/** Fewer rows are shorter as they are. */
const LEAST_ROWS = 3

const packed = new WeakMap<object, unknown>()

/** What stands for `value` in a page. The same object becomes the same one: the framework then writes it once. */
export function packRows(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  const known = packed.get(value)
  if (known !== undefined) return known
  const made = Array.isArray(value) ? packArray(value) : isPlain(value) ? packObject(value) : value
  packed.set(value, made)
  return made
}

function packArray(values: readonly unknown[]): unknown {
  const [first] = values
  if (values.length < LEAST_ROWS || !isPlain(first)) return values.map(packRows)
  const names = Object.keys(first)
  const rows = values.filter((value) => isPlain(value)).filter((row) => hasExactly(row, names))
  if (names.length === 0 || rows.length < values.length) return values.map(packRows)
  const columns = names.map((name) => [name, packColumn(rows.map((row) => row[name]))])
  return { $columns: Object.fromEntries(columns), $rows: rows.length }
}

function packColumn(values: readonly unknown[]): unknown {
  const [first] = values
  const isOne = !isObject(first) && values.every((value) => Object.is(value, first))
  return isOne ? { $all: first } : values.map(packRows)
}

function packObject(object: Plain): unknown {
  const made = mapValues(object, packRows)
  return RESERVED.some((name) => Object.hasOwn(object, name)) ? { $as: made } : made
}

/** The value that {@link packRows} was given. */
export function unpackRows(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpackRows)
  if (!isPlain(value)) return value
  if (isPlain(value.$as)) return mapValues(value.$as, unpackRows)
  if (!isPlain(value.$columns)) return mapValues(value, unpackRows)
  const columns = Object.entries(value.$columns).map(([name, values]) => ({
    name,
    at: toReader(values),
  }))
  return Array.from({ length: Number(value.$rows) }, (_, row) =>
    Object.fromEntries(columns.map(({ name, at }) => [name, at(row)])),
  )
}

function toReader(values: unknown): (row: number) => unknown {
  if (Array.isArray(values)) return (row) => unpackRows(values[row])
  const all = isPlain(values) ? values.$all : undefined
  return () => all
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

function isPlain(value: unknown): value is Plain {
  if (!isObject(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** In this order too: rows come back with their names in the order of the first. */
function hasExactly(row: Plain, names: readonly string[]): boolean {
  const own = Object.keys(row)
  return own.length === names.length && names.every((name, place) => own[place] === name)
}

const mapValues = (object: Plain, change: (value: unknown) => unknown): Plain =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
