import type { ExportFormat } from './export-formats.ts'
import { withoutPage } from './export-path.ts'
import { type ExportColumnOf, type Field, selectFieldNames } from './lists/define-list.ts'
import type { ListPath } from './lists/lists.ts'
import { ratingList } from './lists/ratings.ts'
import { parameter } from './query-parameters.ts'
import { querySchema, toParams } from './query-schema.ts'
import { ratingsQuery, toQueryText } from './ratings-query.ts'

export type ExportSubject = ListPath

export type ExportColumn = ExportColumnOf<typeof ratingList>
export const EXPORT_COLUMNS = selectFieldNames(ratingList)

const toField = (name: ExportColumn): Field => ratingList.fields[name]

export const ROW_COLUMNS = EXPORT_COLUMNS.filter(
  (name): name is Exclude<ExportColumn, 'extra'> => !toField(name).onRequest,
)

/** `safe`: an apostrophe before text that a spreadsheet would run as a formula. */
const FORMULAS = ['safe', 'exact'] as const

export type ExportChoice = {
  format: ExportFormat
  columns: readonly ExportColumn[]
  /** CSV only, as is `bom`. */
  formulas: (typeof FORMULAS)[number]
  bom: boolean
}

export const PLAIN_CSV: ExportChoice = { format: 'csv', columns: [], formulas: 'safe', bom: false }

const { page: _page, per_page: _perPage, ...EVERY_ROW } = ratingsQuery.parameters

export const everyRowQuery = querySchema(EVERY_ROW, ratingsQuery)

export const CSV_PARAMETERS = {
  formulas: parameter.choice(FORMULAS, 'safe', 'How to write text that looks like a formula.'),
  bom: parameter.choice(['0', '1'], '0', '`1` writes a byte order mark first.'),
}

export const fileQuery = querySchema({
  columns: parameter.names('Columns, in order.', 'symbol,rating'),
  ...CSV_PARAMETERS,
})

export function toFilePath(
  subject: ExportSubject,
  query: URLSearchParams,
  { format, columns, formulas, bom }: ExportChoice,
): string {
  const forCsv = format === 'csv' ? { formulas, bom: bom ? ('1' as const) : ('0' as const) } : {}
  const params = toParams(fileQuery, { columns, ...forCsv }, withoutPage(query))
  return `/api/${subject}.${format}${toQueryText(params)}`
}

export function toManifestPath(
  subject: ExportSubject,
  query: URLSearchParams,
  columns: readonly string[] = [],
): string {
  const params = toParams(fileQuery, { columns }, withoutPage(query))
  return `/api/${subject}.manifest${toQueryText(params)}`
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

/** For text columns only: a number must keep its sign. */
export const toFormulaSafe = (text: string): string => text.replace(EVERY_FORMULA, "$1'$2")
