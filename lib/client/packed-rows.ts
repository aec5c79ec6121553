/**
 * Answers on their way into a page: rows of one shape become columns, so that each name is written once instead of in
 * every row, and a column that holds one value holds it once. The browser makes the rows again before anything reads them.
 *
 * A packed array is `{ $columns: { name: values }, $rows: count }`. Values are an array; `{ $all: value }` where all are
 * one; `{ $of: texts, $at: places }` where few texts come again and again, each place a digit; or, where each value is
 * a list of rows of one shape itself, `{ $lists: rows of all, $lengths: values }`. An object that has one of these names
 * itself stands in `{ $as: object }`.
 */

type Plain = Readonly<Record<string, unknown>>

const RESERVED = ['$columns', '$rows', '$all', '$of', '$at', '$lists', '$lengths', '$as']

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
  const rows = values.length < LEAST_ROWS ? null : toRows(values)
  return rows ? packTable(rows) : values.map(packRows)
}

/** Values as rows of one shape; null where they are not. */
function toRows(values: readonly unknown[]): readonly Plain[] | null {
  const [first] = values
  if (!isPlain(first)) return null
  const names = Object.keys(first)
  const rows = values.filter((value) => isPlain(value)).filter((row) => hasExactly(row, names))
  return names.length > 0 && rows.length === values.length ? rows : null
}

const packTable = (rows: readonly Plain[]) => ({
  $columns: Object.fromEntries(
    Object.keys(rows[0] ?? {}).map((name) => [name, packColumn(rows.map((row) => row[name]))]),
  ),
  $rows: rows.length,
})

function packColumn(values: readonly unknown[]): unknown {
  const [first] = values
  if (!isObject(first) && values.every((value) => Object.is(value, first))) return { $all: first }
  return packTexts(values) ?? packLists(values) ?? values.map(packRows)
}

/** A place is one digit. */
const MOST_TEXTS = 10

function packTexts(values: readonly unknown[]): unknown {
  const texts = [...new Set(values)]
  if (texts.length > MOST_TEXTS || 2 * texts.length > values.length) return null
  if (!values.every((value) => typeof value === 'string')) return null
  return { $of: texts, $at: values.map((value) => texts.indexOf(value)).join('') }
}

function packLists(values: readonly unknown[]): unknown {
  const lists = values.filter((value) => Array.isArray(value))
  const rows = lists.length === values.length ? toRows(lists.flat()) : null
  return (
    rows && { $lists: packTable(rows), $lengths: packColumn(lists.map(({ length }) => length)) }
  )
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
  const count = Number(value.$rows)
  const columns = Object.entries(value.$columns).map(([name, column]) => ({
    name,
    values: unpackColumn(column, count),
  }))
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  )
}

function unpackColumn(column: unknown, count: number): readonly unknown[] {
  if (Array.isArray(column)) return column.map(unpackRows)
  if (!isPlain(column)) return []
  const { $of: texts, $at: places, $lists: lists } = column
  if (Array.isArray(texts)) return [...String(places)].map((place) => texts[Number(place)])
  if (lists === undefined) return Array.from({ length: count }, () => column.$all)
  const rows = unpackRows(lists)
  let at = 0
  return unpackColumn(column.$lengths, count).map((length) => {
    const from = at
    at += Number(length)
    return Array.isArray(rows) ? rows.slice(from, at) : []
  })
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
