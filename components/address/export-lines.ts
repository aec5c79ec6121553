import { type ExportChoice, ROW_COLUMNS, toExportPath } from '#lib/contract/export-choice.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'

export type ExportLine = { tool: string; text: string }

/** The same rows from elsewhere: a line of shell, of Python, of DuckDB, and a cell of a spreadsheet. */
export function toExportLines(
  query: RatingsQuery,
  choice: ExportChoice,
  origin: string,
): ExportLine[] {
  const toUrl = (changed: Partial<ExportChoice>) =>
    toAbsolute(origin, query, { ...choice, ...changed })
  return [
    { tool: 'curl', text: `curl -fOJ ${quoteShell(toUrl({}))}` },
    { tool: 'pandas', text: toPandas(choice, toUrl) },
    { tool: 'DuckDB', text: toDuckdb(choice, toUrl) },
    {
      tool: 'Google Sheets',
      text: `=IMPORTDATA(${quoteSheets(toUrl({ format: 'csv', bom: false }))})`,
    },
  ]
}

type ToUrl = (changed: Partial<ExportChoice>) => string

/** Programs want texts as they are, and no mark before them. */
const FOR_PROGRAMS = { formulas: 'exact', bom: false } as const

/** `*` is a letter of addresses, and a pattern to many who read them. */
const toAbsolute = (origin: string, query: RatingsQuery, choice: ExportChoice): string =>
  (origin + toExportPath(query, choice)).replaceAll('*', '%2A')

const decimalsOf = ({ columns }: ExportChoice) =>
  ['prediction', 'previous_prediction'].filter((name) =>
    (columns.length > 0 ? columns : ROW_COLUMNS).some((column) => column === name),
  )

/** Decimals stay the texts that they are; a float would round them. */
function toPandas(choice: ExportChoice, toUrl: ToUrl): string {
  const types = decimalsOf(choice).map((name) => `${quotePython(name)}: str`)
  const dtype = types.length > 0 ? `, dtype={${types.join(', ')}}` : ''
  switch (choice.format) {
    case 'parquet':
      return `pandas.read_parquet(${quotePython(toUrl({}))})`
    case 'csv':
      return `pandas.read_csv(${quotePython(toUrl(FOR_PROGRAMS))}${dtype})`
    default: {
      const url = quotePython(toUrl({ format: 'ndjson' }))
      return `pandas.read_json(${url}, lines=True, convert_dates=False${dtype})`
    }
  }
}

function toDuckdb(choice: ExportChoice, toUrl: ToUrl): string {
  const types = decimalsOf(choice).map((name) => `${quoteSql(name)}: 'DECIMAL(18,6)'`)
  const typed = types.length > 0 ? `, types = {${types.join(', ')}}` : ''
  switch (choice.format) {
    case 'parquet':
      return `FROM read_parquet(${quoteSql(toUrl({}))})`
    case 'csv':
      return `FROM read_csv(${quoteSql(toUrl(FOR_PROGRAMS))}${typed})`
    default:
      return `FROM read_ndjson(${quoteSql(toUrl({ format: 'ndjson' }))})`
  }
}

/** In double quotes, which the shells of Windows know too. */
export const quoteShell = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`

export const quotePython = (text: string): string => JSON.stringify(text)

export const quoteSql = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const quoteSheets = (text: string): string => `"${text.replaceAll('"', '""')}"`

const NEAR =
  /^(?:localhost|.*\.(?:localhost|local|lan|internal|home)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cde].*)$/i

/** Whether a host is one of this computer or its own network, which nobody outside can reach. */
export const isNearHost = (host: string): boolean => NEAR.test(host) || !/[.:]/.test(host)
