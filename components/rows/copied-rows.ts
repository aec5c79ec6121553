import type { ColumnId } from '#components/columns/column-facts.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { ROW_COLUMNS } from '#lib/contract/export-choice.ts'
import { FREE_TEXTS, toFormulaSafe } from '#lib/contract/formula-safe.ts'
import { toCopiedHeader, toCopiedValue } from './cell-values.ts'

const NEWLINE = '\r\n'

/** Whole rows as CSV: the columns, the quotes and the guard against formulas of the exported file. */
export const toCopiedCsv = (rows: readonly RatingRow[]): string =>
  [ROW_COLUMNS.join(','), ...rows.map(toCsvLine)].map((line) => `${line}${NEWLINE}`).join('')

const toCsvLine = (row: RatingRow) =>
  ROW_COLUMNS.map((name) => toCsvCell(row[name], FREE_TEXTS.has(name))).join(',')

function toCsvCell(value: string | number | null, isText: boolean): string {
  if (value === null || !isText) return String(value ?? '')
  const text = String(value)
  const safe = toFormulaSafe(text)
  const isQuoted = safe !== text || text === '' || /[",\r\n]/.test(text)
  return isQuoted ? `"${safe.replaceAll('"', '""')}"` : text
}

/** Whole rows as JSON: an array of the objects that `/api/ratings` gives. */
export const toCopiedJson = (rows: readonly RatingRow[]): string => JSON.stringify(rows, null, 2)

/** What is seen of rows, as cells that a spreadsheet takes apart: the columns shown, with their names above. */
export function toCopiedCells(
  rows: readonly RatingRow[],
  columns: readonly ColumnId[],
  zone: string,
): string {
  const lines = rows.map((row) =>
    columns.map((id) => toPlainCell(toCopiedValue(row, id, zone), id)),
  )
  return [columns.map((id) => toCopiedHeader(id, zone)), ...lines]
    .map((cells) => cells.join('\t'))
    .join('\n')
}

const TEXT_COLUMNS: readonly ColumnId[] = ['symbol', 'rating', 'action']

/** A tab or a line's end inside a value would begin another cell. */
function toPlainCell(value: string, column: ColumnId): string {
  const text = value.replaceAll(/[\t\r\n]+/g, ' ')
  return TEXT_COLUMNS.includes(column) ? toFormulaSafe(text) : text
}
