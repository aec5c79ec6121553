import { toZonedDay, toZonedText } from '#components/format/instants.ts'
import { formatCount, formatPrediction } from '#components/format/numbers.ts'
import { toCopiedLines } from '#components/list/copied-lines.ts'
import type { RatingRow } from '#lib/contract/answers/ratings.ts'
import { FREE_TEXTS, ROW_COLUMNS, toFormulaSafe } from '#lib/contract/export-choice.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { type ColumnId, columnLabel } from './columns.ts'

export type CellFormat = { zone: string }

/** Also stands for an expiry of 0. */
export const NO_EXPIRY = 'no expiry'

export function toCellWords(row: RatingRow, column: ColumnId, { zone }: CellFormat): string {
  const tally = (word: string) => `${formatCount(Number(row[column]))} ${word}`
  switch (column) {
    case 'symbol':
      return toVisibleText(row.symbol)
    case 'user_id':
      return `user ${row.user_id}`
    case 'id':
      return `rating ${row.id}`
    case 'rating':
      return toVisibleText(row.rating_label)
    case 'action':
      return toVisibleText(row.action_label)
    case 'prediction':
      return formatPrediction(row.prediction)
    case 'tally_agree':
      return tally('agree')
    case 'tally_disagree':
      return tally('disagree')
    case 'tally_comment':
      return tally(row.tally_comment === 1 ? 'comment' : 'comments')
    case 'created_at':
      return toZonedDay(row.created_at, zone)
    case 'expired_at':
      return row.expired_at ? toZonedDay(row.expired_at, zone) : NO_EXPIRY
  }
}

export function toCopiedValue(row: RatingRow, column: ColumnId, zone: string): string {
  switch (column) {
    case 'rating':
      return row.rating_label
    case 'action':
      return row.action_label
    case 'created_at':
      return toZonedText(row.created_at, zone, 'second')
    case 'expired_at':
      return row.expired_at ? toZonedText(row.expired_at, zone, 'second') : ''
    default:
      return String(row[column])
  }
}

export const toCopiedHeader = (column: ColumnId, zone: string): string =>
  column === 'created_at' || column === 'expired_at'
    ? `${columnLabel(column)} (${zone})`
    : columnLabel(column)

const NEWLINE = '\r\n'

/** Must match the exported file: columns, quoting, formula guard. */
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

export const toCopiedJson = (rows: readonly RatingRow[]): string => JSON.stringify(rows, null, 2)

export function toCopiedCells(
  rows: readonly RatingRow[],
  columns: readonly ColumnId[],
  zone: string,
): string {
  const lines = rows.map((row) =>
    columns.map((id) => toPlainCell(toCopiedValue(row, id, zone), id)),
  )
  return toCopiedLines([columns.map((id) => toCopiedHeader(id, zone)), ...lines])
}

const TEXT_COLUMNS: readonly ColumnId[] = ['symbol', 'rating', 'action']

const toPlainCell = (value: string, column: ColumnId): string =>
  TEXT_COLUMNS.includes(column) ? toFormulaSafe(value.replaceAll(/[\t\r\n]+/g, ' ')) : value
