import type { Dump } from '#lib/contract/answers/status.ts'
import { AppError } from '#lib/contract/faults.ts'
import { holdsMaskedKey, REPEATS_KEY, toReadableMask } from '#lib/contract/masked-key.ts'
import { parseIntegerCell, RATING_FIELDS } from '#lib/contract/rating-fields.ts'
import type { DumpKind } from '#lib/contract/weekly-clock.ts'
import type { CsvError } from '#lib/csv/csv-error.ts'
import { type CsvRecord, createCsvReader } from '#lib/csv/csv-reader.ts'

function toDumpFault({ code, message }: CsvError): AppError {
  if (code === 'unclosed_quote') return cutShort('inside quotes')
  if (code === 'cut_character') return cutShort('inside a character')
  const what = code === 'not_csv' ? 'The response in place of the dump' : 'The dump'
  return new AppError('upstream_contract', `${what} ${message}.`)
}

export const cutShort = (where: string) =>
  new AppError('upstream_unavailable', `The dump was cut short: it ends ${where}.`)

const FIRST_ROWS = 20
const CELL_SHOWN_LENGTH = 500
const DAY_SECONDS = 86_400
const INTEGER = /^[+-]?\d{1,18}$/
const DECIMAL = /^[+-]?\d{1,18}(?:\.\d{1,18})?$/

export type DumpContents = {
  rows: number
  columns: Dump['columns']
  firstRows: string[][]
  newestCreatedAt: number | null
  ids: { lowest: number; highest: number } | null
  /** Without a final line break, only the length shows that the dump is complete. */
  ended: boolean
  /** The last line has no line break, and begins like the rows but has too few cells. */
  endsWithinRow: boolean
}

/** Throws AppError as soon as the dump is invalid. */
export type DumpCheck = { push(bytes: Uint8Array): void; end(): DumpContents }

/** `at`: Unix seconds. */
export function createDumpCheck(kind: DumpKind, at: number): DumpCheck {
  const reader = createCsvReader()
  const created = createBounds('created_at', at + DAY_SECONDS)
  const ids = createBounds('id', Number.MAX_SAFE_INTEGER)
  const firstRows: string[][] = []
  let types: (ColumnType | null)[] | null = null
  let rows = 0
  let last: LastRow | null = null

  const start = (header: readonly string[]) => {
    refuseHeader(kind, header)
    return header.map(() => null)
  }
  const see = (records: readonly CsvRecord[]) => {
    const header = reader.header()
    if (header) types ??= start(header)
    for (const { cells } of records) {
      const type = types?.[0] ?? null
      if (types) widenTypes(types, cells)
      const expected = Math.min(header?.length ?? 0, last?.cells ?? Number.POSITIVE_INFINITY)
      // A footer such as `12 rows` is no cut row.
      last = { cells: cells.length, expected, isLikeRows: type === null || type === types?.[0] }
      created.see(header, cells)
      ids.see(header, cells)
      if (rows < FIRST_ROWS) firstRows.push(cells.map((cell) => shorten(toReadableMask(cell))))
      rows += 1
    }
    const error = reader.error()
    if (error) throw toDumpFault(error)
  }

  return {
    push: (bytes) => see(reader.push(bytes)),
    end() {
      const { records, isEnded: ended } = reader.end()
      see(records)
      const header = reader.header() ?? []
      const columns = header.map((name, index) => ({ name, type: types?.[index] ?? 'text' }))
      const newestCreatedAt = created.found()?.highest ?? null
      const endsWithinRow = !ended && isCutRow(last)
      return { rows, columns, firstRows, newestCreatedAt, ids: ids.found(), ended, endsWithinRow }
    },
  }
}

type LastRow = { cells: number; expected: number; isLikeRows: boolean }

const isCutRow = (last: LastRow | null) => last?.isLikeRows === true && last.cells < last.expected

function createBounds(name: string, limit: number) {
  let index: number | null = null
  let lowest = Number.POSITIVE_INFINITY
  let highest = Number.NEGATIVE_INFINITY
  return {
    see(header: readonly string[] | null, record: readonly string[]) {
      index ??= header?.indexOf(name) ?? -1
      const cell = record[index] ?? ''
      const value = parseIntegerCell(cell)
      if (value === null || value > limit) return
      if (value < lowest) lowest = value
      if (value > highest) highest = value
    },
    found: () => (highest < lowest ? null : { lowest, highest }),
  }
}

type ColumnType = Dump['columns'][number]['type']

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
  if (header.some(holdsMaskedKey)) throw new AppError('upstream_contract', REPEATS_KEY)
  const named = header.filter((name) => name !== '')
  if (new Set(named).size !== named.length) {
    throw new AppError('upstream_contract', 'The dump names a column twice.')
  }
  const missing = RATING_FIELDS.filter((name) => !header.includes(name))
  if (kind === 'lookups' || missing.length === 0) return
  const names = missing.join(', ')
  throw new AppError('upstream_contract', `The posts dump lacks columns: ${names}.`)
}

const shorten = (cell: string): string =>
  cell.length > CELL_SHOWN_LENGTH ? `${cell.slice(0, CELL_SHOWN_LENGTH)}…` : cell
