import Papa from 'papaparse'
import { toFormulaSafe } from '#lib/contract/export-choice.ts'
import type { Cells } from './engine.ts'
import { type Column, isNumeric } from './statement.ts'

export const RESULT_FORMATS = ['csv', 'json', 'ndjson'] as const
export type ResultFormat = (typeof RESULT_FORMATS)[number]

export const RESULT_TYPES: Readonly<Record<ResultFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
}

export type FileOptions = { format: ResultFormat; formulas: 'safe' | 'exact' }

type ResultWriter = {
  begin(columns: readonly Column[]): string
  rows(rows: readonly Cells[]): string
  end(): string
}

/** As exports of the server: numbers beyond double precision are text in JSON. */
export function createResultWriter({ format, formulas }: FileOptions): ResultWriter {
  let columns: readonly Column[] = []
  let count = 0
  const toRow = format === 'csv' ? toRecord(formulas) : toObject
  return {
    begin(given) {
      columns = given
      const names = given.map(({ name }) => name)
      if (format === 'csv') return `${Papa.unparse([names.map(toFormulaSafe)])}\r\n`
      return format === 'json' ? `{"columns":${JSON.stringify(given)},"data":[` : ''
    },
    rows(rows) {
      const lines = rows.map((row) => toRow(row, columns))
      const isFirst = count === 0
      count += rows.length
      if (lines.length === 0) return ''
      if (format === 'csv') return `${lines.join('\r\n')}\r\n`
      if (format === 'ndjson') return `${lines.join('\n')}\n`
      return `${isFirst ? '' : ','}\n${lines.join(',\n')}`
    },
    end: () => (format === 'json' ? `\n],"rows":${count}}\n` : ''),
  }
}

const toRecord =
  (formulas: FileOptions['formulas']) => (row: Cells, columns: readonly Column[]) => {
    const safe = row.map((value, index) => {
      if (value === null || formulas === 'exact') return value
      return isNumeric(columns[index]?.type ?? '') ? value : toFormulaSafe(value)
    })
    // Empty text is quoted, NULL is not.
    return Papa.unparse([safe], { quotes: safe.map((value) => value === '') })
  }

const toObject = (row: Cells, columns: readonly Column[]) =>
  `{${columns.map(({ name, type }, index) => `${JSON.stringify(name)}:${toJson(row[index] ?? null, type)}`).join(',')}}`

const PLAIN_NUMBERS: ReadonlySet<string> = new Set([
  ...['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'FLOAT', 'DOUBLE'],
])

function toJson(value: string | null, type: string): string {
  if (value === null) return 'null'
  if (type === 'BOOLEAN') return value
  if (!PLAIN_NUMBERS.has(type)) return JSON.stringify(value)
  const number = Number(value)
  return Number.isFinite(number) ? JSON.stringify(number) : JSON.stringify(value)
}
