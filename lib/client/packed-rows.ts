import { toDateText } from '#lib/contract/instant-text.ts'

/**
 * Answers on their way into a page: rows of one shape become columns, so that each name is written once instead of in
 * every row, and a column that holds one value holds it once. The browser makes the rows again before anything reads them.
 *
 * A packed array is `{ $columns: { name: values }, $rows: count }`. Values are an array, or:
 * - `{ $all: value }` where all are one;
 * - `{ $first: number, $step: number }` where whole numbers rise or fall evenly;
 * - `{ $again: values }` where the same few come over and over;
 * - `{ $of: texts, $at: places }` where few texts come in any order, each place a digit;
 * - `{ $texts: joined }` where they are texts without a comma, or null, which is written as none: in a page a quote mark is
 *   two characters;
 * - `{ $date: name }` where they are the instants of the column `name`, written in UTC;
 * - `{ $lists: rows of all, $lengths: values }` where each is a list of rows of one shape itself.
 *
 * An object that has one of these names itself stands in `{ $as: object }`.
 */

type Plain = Readonly<Record<string, unknown>>

const RESERVED = [
  '$columns',
  '$rows',
  '$all',
  '$first',
  '$step',
  '$again',
  '$of',
  '$at',
  '$texts',
  '$date',
  '$lists',
  '$lengths',
  '$as',
]

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
    Object.keys(rows[0] ?? {}).map((name) => [
      name,
      packDates(rows, name) ?? packColumn(rows.map((row) => row[name])),
    ]),
  ),
  $rows: rows.length,
})

/** Beside an instant in seconds since 1970 our answers have its text, as the ratings service does. */
const DATE = /_date$/

function packDates(rows: readonly Plain[], name: string): unknown {
  const of = name.replace(DATE, '')
  if (of === name) return null
  const isDate = (row: Plain) => Object.hasOwn(row, of) && row[name] === toDate(row[of])
  return rows.every(isDate) ? { $date: of } : null
}

/** As far from 1970 as a date can be, in seconds. */
const FARTHEST = 8.64e12

/** `2026-11-20 14:32:59`; null where there is no such instant. */
function toDate(seconds: unknown): string | null {
  if (typeof seconds !== 'number' || !Number.isInteger(seconds)) return null
  return Math.abs(seconds) > FARTHEST ? null : toDateText(seconds)
}

function packColumn(values: readonly unknown[]): unknown {
  const [first] = values
  if (!isObject(first) && values.every((value) => Object.is(value, first))) return { $all: first }
  return (
    packSteps(values) ??
    packAgain(values) ??
    packTexts(values) ??
    packJoined(values) ??
    packLists(values) ??
    values.map(packRows)
  )
}

function packSteps(values: readonly unknown[]): unknown {
  const [first, second] = values
  if (!isWhole(first) || !isWhole(second)) return null
  const step = second - first
  const isEven = values.every((value, at) => isWhole(value) && value === first + at * step)
  return isEven ? { $first: first, $step: step } : null
}

/** Its negative would not come back. */
const isWhole = (value: unknown): value is number =>
  Number.isSafeInteger(value) && !Object.is(value, -0)

/** Of more values it takes too long to see whether they come again. */
const MOST_AGAIN = 10

function packAgain(values: readonly unknown[]): unknown {
  const length = values.indexOf(values[0], 1)
  if (length < 1 || length > MOST_AGAIN || 2 * length > values.length) return null
  const isAgain = values.every(
    (value, at) => !isObject(value) && Object.is(value, values[at % length]),
  )
  return isAgain ? { $again: values.slice(0, length) } : null
}

/** A place is one digit. */
const MOST_TEXTS = 10

function packTexts(values: readonly unknown[]): unknown {
  const texts = [...new Set(values)]
  if (texts.length > MOST_TEXTS || 2 * texts.length > values.length) return null
  if (!values.every((value) => typeof value === 'string')) return null
  return { $of: texts, $at: values.map((value) => texts.indexOf(value)).join('') }
}

const JOINT = ','

function packJoined(values: readonly unknown[]): unknown {
  const isJoined = values.every(
    (value) => value === null || (typeof value === 'string' && value && !value.includes(JOINT)),
  )
  return isJoined ? { $texts: values.map((value) => value ?? '').join(JOINT) } : null
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
  const { $columns } = value
  const columns = Object.entries($columns).map(([name, column]) => ({
    name,
    values:
      isPlain(column) && typeof column.$date === 'string'
        ? unpackColumn($columns[column.$date], count).map(toDate)
        : unpackColumn(column, count),
  }))
  return Array.from({ length: count }, (_, row) =>
    Object.fromEntries(columns.map(({ name, values }) => [name, values[row]])),
  )
}

function unpackColumn(column: unknown, count: number): readonly unknown[] {
  if (Array.isArray(column)) return column.map(unpackRows)
  if (!isPlain(column)) return []
  const { $of: texts, $at: places, $texts: joined, $lists: lists } = column
  const { $again: again } = column
  if (Array.isArray(again))
    return Array.from({ length: count }, (_, at) => again[at % again.length])
  if (column.$step !== undefined) {
    const [first, step] = [Number(column.$first), Number(column.$step)]
    return Array.from({ length: count }, (_, at) => first + at * step)
  }
  if (Array.isArray(texts)) return [...String(places)].map((place) => texts[Number(place)])
  if (typeof joined === 'string') return joined.split(JOINT).map((text) => text || null)
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
