import type { TableSet } from '#lib/contract/api-queries.ts'
import { FURTHER_TABLES } from '#lib/contract/database/tables.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'

/** The text of a query without the semicolons at its end. `isSeveral`: others divide it. */
export type Statement = { text: string; firstWord: string; isSeveral: boolean }

export type Column = { name: string; type: string }

/** `column` is a name; one that the result lacks sorts nothing. */
export type ResultSort = { column: string; direction: 'asc' | 'desc' }

export const SHOWN_ROWS = 1000
export const SHOWN_COLUMNS = 100
/** Longer values are cut on the page; files have all of them. */
export const SHOWN_LENGTH = 1000

/** `offsets`: where each token begins, in bytes of UTF-8. */
export function toStatement(given: string, offsets: readonly number[]): Statement {
  const bytes = new TextEncoder().encode(given)
  const isEnd = (offset: number | undefined) => offset !== undefined && bytes[offset] === SEMICOLON
  let tokens = offsets.length
  while (isEnd(offsets[tokens - 1])) tokens -= 1
  const text = new TextDecoder().decode(bytes.subarray(0, offsets[tokens] ?? bytes.length))
  const words = new TextDecoder().decode(bytes.subarray(offsets[0] ?? bytes.length))
  return {
    text,
    firstWord: /^\w+/.exec(words)?.[0].toUpperCase() ?? '',
    isSeveral: offsets.slice(0, tokens).some(isEnd),
  }
}

const SEMICOLON = 59

/** SHOW, DESCRIBE and DuckDB's own tables list all tables. */
const FURTHER = new RegExp(
  `\\b(?:${FURTHER_TABLES.join('|')}|show|describe|information_schema|(?:duckdb|sqlite|pg)_\\w+)\\b`,
  'i',
)

/** The smallest set that has every table of the query. */
export const selectTableSet = (query: string): TableSet => (FURTHER.test(query) ? 'all' : 'core')

const READING: ReadonlySet<string> = new Set([
  ...['SELECT', 'WITH', 'FROM', 'VALUES', 'TABLE', 'PIVOT', 'PIVOT_WIDER', 'UNPIVOT'],
  ...['DESCRIBE', 'DESC', 'SHOW', 'SUMMARIZE'],
])

/** Queries that begin with a parenthesis have no first word. */
export const isReading = ({ firstWord }: Pick<Statement, 'firstWord'>) =>
  firstWord === '' || READING.has(firstWord)

/** Before the query in every statement that is made of it. */
const OPEN = 'FROM (\n'
const DESCRIBE = `DESCRIBE SELECT * ${OPEN}`

/** A line comment may end the query. */
export const toDescribe = (text: string) => `${DESCRIBE}${text}\n)`

export const toCount = (text: string) => `SELECT count(*)::VARCHAR ${OPEN}${text}\n)`

type Selected = { text: string; columns: readonly Column[]; sort: ResultSort | null }

/** DuckDB writes every value as text, so that none is rounded. One row more than is shown. */
export function toShown(selected: Selected): string {
  const shown = toNames(selected)
    .slice(0, SHOWN_COLUMNS)
    .map((name) => `left(${name}::VARCHAR, ${SHOWN_LENGTH + 1})`)
  const rows = `SELECT * ${toSource(selected)}`
  return `SELECT ${shown.join(', ')} FROM (${rows}) LIMIT ${SHOWN_ROWS + 1}`
}

export function toWhole(selected: Selected): string {
  const values = toNames(selected).map((name) => `${name}::VARCHAR`)
  return `SELECT ${values.join(', ')} ${toSource(selected)}`
}

/** By place: names may be odd. */
const toNames = ({ columns }: Selected) => columns.map((_, index) => toName(index))

function toSource(selected: Selected): string {
  const { text, columns, sort } = selected
  const place = sort === null ? -1 : columns.findIndex(({ name }) => name === sort.column)
  const order = sort && place >= 0 ? ` ORDER BY ${toName(place)} ${sort.direction} NULLS LAST` : ''
  return `${OPEN}${text}\n) AS rows(${toNames(selected).join(', ')})${order}`
}

const toName = (index: number) => `c${index}`

/** `at`: index into the query, or null if the place is unknown. */
export class SqlError extends Error {
  readonly at: number | null

  constructor(message: string, at: number | null = null) {
    super(message)
    this.name = 'SqlError'
    this.at = at
  }
}

export const toRefusal = (word: string, at: number | null = 0): SqlError =>
  new SqlError(
    `${word} does not run here. This page runs queries that read, such as SELECT. The data are your own copy in this browser, without network, files and extensions.`,
    at,
  )

export const toNothing = () => new SqlError('Write a query first.')

export const toSeveral = () => new SqlError('Run one query at a time.')

/** DuckDB makes several statements of one PIVOT without IN. They run, but cannot be prepared. */
export const isUnpreparable = (error: unknown): boolean =>
  error instanceof Error && /prepare multiple statements/.test(error.message)

/** Of a statement that runs on its own, but not as a subquery: WITH … INSERT. */
const MISPLACED = /^syntax error at or near "(\w+)"/

/** `sent`: the statement that DuckDB ran, in which the query is. */
export function toSqlError(message: string, sent: string, text: string): SqlError {
  const { type, said, position } = readError(message)
  const before = sent.indexOf(text)
  const at =
    position === null || before < 0
      ? null
      : toIndex(text, position - toBytes(sent.slice(0, before)).length)
  const misplaced = sent === text ? undefined : MISPLACED.exec(said)?.[1]
  if (misplaced !== undefined) return toRefusal(misplaced.toUpperCase(), at)
  return new SqlError(toSaid(type, said), at)
}

type EngineError = { type: string; said: string; position: number | null }

/** With `errors_as_json`, DuckDB writes `{"exception_type": …, "position": …}` after a name. */
function readError(message: string): EngineError {
  const plain = { type: '', said: message, position: null }
  try {
    const parsed: unknown = JSON.parse(message.slice(message.indexOf('{')))
    const read = (name: string) => {
      const value: unknown =
        typeof parsed === 'object' && parsed !== null ? Reflect.get(parsed, name) : null
      return typeof value === 'string' ? value : null
    }
    const said = read('exception_message')
    if (said === null) return plain
    const position = read('position')
    const error = {
      type: read('exception_type') ?? '',
      said,
      position: position === null ? null : Number(position),
    }
    // An error of a part of the statement is in the message of another.
    const inner = readError(said)
    return inner.type === '' ? error : inner
  } catch {
    return plain
  }
}

const toBytes = (text: string) => new TextEncoder().encode(text)

function toIndex(text: string, byte: number): number | null {
  const bytes = toBytes(text)
  if (byte < 0 || byte > bytes.length) return null
  return new TextDecoder().decode(bytes.subarray(0, byte)).length
}

const CLOSED =
  'This page has no network, no files and no extensions: it runs queries that read the tables.'

function toSaid(type: string, said: string): string {
  if (type === 'Out of Memory') {
    return 'The query needs more memory than this page may use. Select fewer rows or columns, or group them.'
  }
  if (type === 'Permission' || /\bextensions?\b|configuration has been locked/.test(said)) {
    return `${toLines(said)[0] ?? ''}. ${CLOSED}`.replace('!.', '.')
  }
  const name = type === '' || type === 'Invalid Input' ? '' : `${type} error: `
  return name + toLines(said).slice(0, MOST_LINES).join('\n')
}

const MOST_LINES = 4
const MOST_LENGTH = 500

const toLines = (said: string) =>
  said
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => toVisibleText(line.trim().slice(0, MOST_LENGTH)))

const NUMERIC = /^(?:U?(?:TINY|SMALL|BIG|HUGE)INT|U?INTEGER|FLOAT|DOUBLE|DECIMAL\(.*\))$/

export const isNumeric = (type: string): boolean => NUMERIC.test(type)

export const isTime = (type: string): boolean => /^(?:DATE|TIMESTAMP)/.test(type)

/** Reads `name` or `-name`. */
export function toSort(text: string, columns: readonly Column[]): ResultSort | null {
  const has = (name: string) => columns.some((column) => column.name === name)
  if (text === '') return null
  if (has(text)) return { column: text, direction: 'asc' }
  return has(text.slice(1)) && text.startsWith('-')
    ? { column: text.slice(1), direction: 'desc' }
    : null
}
