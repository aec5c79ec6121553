import type { Dump } from '#lib/contract/answers/state.ts'
import { AppError } from '#lib/contract/faults.ts'
import { RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import { createCsvReader, cutShort } from './csv-reader.ts'

const FIRST_ROWS = 20
/** `/downloads` shows the first rows: a cell that is a book is shown by its beginning. */
const CELL_SHOWN_LENGTH = 500
const DAY_SECONDS = 86_400
const INTEGER = /^[+-]?\d{1,18}$/
const DECIMAL = /^[+-]?\d{1,18}(?:\.\d{1,18})?$/

export type DumpContents = {
  rows: number
  columns: Dump['columns']
  firstRows: string[][]
  /** The newest `created_at` that is not far in the future, and between which ids the rows lie; null without such. */
  newestCreatedAt: number | null
  ids: { lowest: number; highest: number } | null
  /** False where the last record has no line break after it: whole only if the length says so. */
  ended: boolean
}

/** Reads a dump as it passes by: counts, types its columns, and throws AppError as soon as it is known to be none. */
export type DumpCheck = { push(bytes: Uint8Array): void; end(): DumpContents }

/** `at` is when the dump was asked for, in seconds since 1970. */
export function createDumpCheck(kind: DumpKind, at: number): DumpCheck {
  const reader = createCsvReader()
  const created = createBounds('created_at', at + DAY_SECONDS)
  const ids = createBounds('id', Number.MAX_SAFE_INTEGER)
  const firstRows: string[][] = []
  let types: (ColumnType | null)[] | null = null
  let rows = 0
  let lastLength = 0

  const start = (header: readonly string[]) => {
    refuseHeader(kind, header)
    lastLength = header.length
    return header.map(() => null)
  }
  const see = (records: readonly string[][]) => {
    const header = reader.header()
    if (header) types ??= start(header)
    for (const record of records) {
      if (types) widenTypes(types, record)
      created.see(header, record)
      ids.see(header, record)
      if (rows < FIRST_ROWS) firstRows.push(record.map(shorten))
      rows += 1
      lastLength = record.length
    }
  }

  return {
    push: (bytes) => see(reader.push(bytes)),
    end() {
      const { records, ended } = reader.end()
      see(records)
      const header = reader.header()
      if (!header) throw new AppError('upstream_contract', 'The dump is empty.')
      if (lastLength !== header.length) throw cutShort('within a row')
      const columns = header.map((name, index) => ({ name, type: types?.[index] ?? 'text' }))
      const newestCreatedAt = created.found()?.highest ?? null
      return { rows, columns, firstRows, newestCreatedAt, ids: ids.found(), ended }
    },
  }
}

/** The least and the greatest whole number under a column, but for what is above `limit`. */
function createBounds(name: string, limit: number) {
  let index: number | null = null
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  return {
    see(header: readonly string[] | null, record: readonly string[]) {
      index ??= header?.indexOf(name) ?? -1
      const cell = record[index] ?? ''
      const value = INTEGER.test(cell) ? Number(cell) : Number.NaN
      if (!Number.isSafeInteger(value) || value > limit) return
      if (value < lowest) lowest = value
      if (value > highest) highest = value
    },
    found: () => (highest < lowest ? null : { lowest, highest }),
  }
}

type ColumnType = Dump['columns'][number]['type']

/** The narrowest type that holds every value; empty cells say nothing. */
function widenTypes(types: (ColumnType | null)[], record: readonly string[]): void {
  for (let index = 0; index < types.length; index += 1) {
    if (types[index] === 'text') continue
    const cell = record[index] ?? ''
    if (cell === '') continue
    if (types[index] !== 'decimal' && INTEGER.test(cell)) types[index] = 'integer'
    else types[index] = DECIMAL.test(cell) ? 'decimal' : 'text'
  }
}

function refuseHeader(kind: DumpKind, header: readonly string[]): void {
  if (/^\s*[<{[]/.test(header[0] ?? '')) {
    throw new AppError('upstream_contract', 'What came instead of the dump is not CSV.')
  }
  if (new Set(header).size !== header.length) {
    throw new AppError('upstream_contract', 'The dump names a column twice.')
  }
  const missing = RATING_FIELDS.filter((name) => !header.includes(name))
  if (kind === 'lookups' || missing.length === 0) return
  const names = missing.join(', ')
  throw new AppError('upstream_contract', `The posts dump lacks columns: ${names}.`)
}

const shorten = (cell: string) =>
  cell.length > CELL_SHOWN_LENGTH ? `${cell.slice(0, CELL_SHOWN_LENGTH)}…` : cell
