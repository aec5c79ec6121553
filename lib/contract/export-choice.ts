import { RATING_FIELDS } from './rating-fields.ts'
import { EVERY_RATING, type RatingsQuery, toQueryText, toSearchParams } from './ratings-query.ts'

export const EXPORT_FORMATS = ['csv', 'json', 'ndjson', 'parquet'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The columns of a row of `/api/ratings`, in its order: what an export holds unless it is asked for others. */
export const ROW_COLUMNS = [
  ...RATING_FIELDS,
  'previous_rating',
  'previous_prediction',
  'state',
  'vanished_at',
] as const

/** Those, and `extra`: the fields that the specification does not know, as a JSON object. */
export const EXPORT_COLUMNS = [...ROW_COLUMNS, 'extra'] as const
export type ExportColumn = (typeof EXPORT_COLUMNS)[number]

/** How CSV writes a text that a spreadsheet would take for a formula: with an apostrophe before it, or as it is. */
export const FORMULAS = ['safe', 'exact'] as const

export type ExportChoice = {
  format: ExportFormat
  /** In their order; none means {@link ROW_COLUMNS}. */
  columns: readonly ExportColumn[]
  /** These two are CSV's alone. */
  formulas: (typeof FORMULAS)[number]
  bom: boolean
}

export const PLAIN_CSV: ExportChoice = { format: 'csv', columns: [], formulas: 'safe', bom: false }

/** The address of a file with every row of a query; its page does not count. */
export function toExportPath(query: RatingsQuery, choice: ExportChoice = PLAIN_CSV): string {
  const { format, columns, formulas, bom } = choice
  const { page, per_page } = EVERY_RATING
  const params = toSearchParams({ ...query, page, per_page })
  if (columns.length > 0) params.set('columns', columns.join(','))
  if (format === 'csv' && formulas === 'exact') params.set('formulas', formulas)
  if (format === 'csv' && bom) params.set('bom', '1')
  return `/api/ratings.${format}${toQueryText(params)}`
}
