import type { ExportFormat } from './export-formats.ts'
import { FOR_EXCEL, withoutPage } from './export-path.ts'
import { type ExportColumnOf, type Field, selectFieldNames } from './lists/define-list.ts'
import type { ListPath } from './lists/lists.ts'
import { ratingList } from './lists/ratings.ts'
import { parameter } from './query-parameters.ts'
import { querySchema, toParams, toQueryText } from './query-schema.ts'
import { ratingsQuery } from './ratings-query.ts'

export type ExportColumn = ExportColumnOf<typeof ratingList>
export const EXPORT_COLUMNS = selectFieldNames(ratingList)

const toField = (name: ExportColumn): Field => ratingList.fields[name]

export const ROW_COLUMNS = EXPORT_COLUMNS.filter(
  (name): name is Exclude<ExportColumn, 'extra'> => !toField(name).onRequest,
)

export type ExportChoice = {
  format: ExportFormat
  columns: readonly ExportColumn[]
  /** CSV only. */
  isForExcel: boolean
}

const { page: _page, per_page: _perPage, ...EVERY_ROW } = ratingsQuery.parameters

export const everyRowQuery = querySchema(EVERY_ROW, ratingsQuery)

export const CSV_PARAMETERS = {
  [FOR_EXCEL]: parameter.choice(
    ['0', '1'],
    '0',
    '`1` writes a byte order mark, and an apostrophe before text that looks like a formula.',
  ),
}

export const fileQuery = querySchema({
  columns: parameter.names('Columns, in order.', 'symbol,rating'),
  ...CSV_PARAMETERS,
})

export function toFilePath(
  subject: ListPath,
  query: URLSearchParams,
  { format, columns, isForExcel }: ExportChoice,
): string {
  const forCsv = format === 'csv' && isForExcel ? { excel: '1' as const } : {}
  const params = toParams(fileQuery, { columns, ...forCsv }, withoutPage(query))
  return `/api/${subject}.${format}${toQueryText(params)}`
}

export const FREE_TEXTS: ReadonlySet<string> = new Set(
  EXPORT_COLUMNS.filter((name) => toField(name).type === 'text'),
)

/**
 * Formulas start at the beginning, and after `;`, tab or newline, which some spreadsheets take for
 * cell separators.
 */
export const FORMULA = '(^|[;\\t\\r\\n]+)([=+\\-@\\uff0b\\uff0d\\uff1d\\uff20])'

const EVERY_FORMULA = new RegExp(FORMULA, 'g')

/** Puts an apostrophe before formulas. For text columns only: a number must keep its sign. */
export const toFormulaSafe = (text: string): string => text.replace(EVERY_FORMULA, "$1'$2")
