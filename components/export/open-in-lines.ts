import { isNearHost } from '#components/address/near-host.ts'
import { withBase } from '#lib/contract/base-path.ts'
import {
  type ExportChoice,
  type ExportSubject,
  PLAIN_CSV,
  ROW_COLUMNS,
  toFilePath,
} from '#lib/contract/export-choice.ts'
import type { ExportFormat } from '#lib/contract/export-formats.ts'
import { type Kind, type TypedColumn, typedColumns } from '#lib/contract/export-types.ts'

export const TOOLS = {
  duckdb: 'DuckDB',
  pandas: 'pandas',
  polars: 'polars',
  r: 'R',
  sheets: 'Sheets',
  curl: 'curl',
  windows: 'curl on Windows',
} as const
export type Tool = keyof typeof TOOLS

export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN'

/** Addresses are absolute and need no escaping between quotes in any tool. */
export type LineSource = {
  /** As chosen, for curl. */
  file: string
  curlOptions: string
  /** Types and text exact. `parquet` is null if there is no such file. */
  csv: string
  parquet: string | null
  /** Without formulas. */
  sheet: string
  columns: readonly TypedColumn[]
  needsToken: boolean
}

/** Null: the tool cannot reach this server. */
export const toLines = (source: LineSource): Readonly<Record<Tool, string | null>> => ({
  duckdb: toDuckdb(source),
  pandas: toPandas(source),
  polars: toPolars(source),
  r: toR(source),
  sheets: toSheets(source),
  curl: toCurl('curl', source),
  // In Windows PowerShell, curl is a different command.
  windows: toCurl('curl.exe', source),
})

export type Server = { origin: string; needsToken: boolean }

type Exported = {
  of: ExportSubject
  query: URLSearchParams
  choice: ExportChoice
  formats: readonly ExportFormat[]
}

export function toExportSource(
  { of, query, choice, formats }: Exported,
  { origin, needsToken }: Server,
): LineSource {
  const { columns } = choice
  const toUrl = (written: ExportChoice) => toPlainUrl(origin, toFilePath(of, query, written))
  const chosen = of === 'ratings' && columns.length === 0 ? ROW_COLUMNS : columns
  return {
    file: toUrl(choice),
    curlOptions: '-fOJ',
    csv: toUrl({ ...PLAIN_CSV, columns, formulas: 'exact' }),
    parquet: formats.includes('parquet') ? toUrl({ ...choice, format: 'parquet' }) : null,
    sheet: toUrl({ ...PLAIN_CSV, columns }),
    columns: typedColumns(of, chosen),
    needsToken,
  }
}

/** Shells expand `*`. */
export const toPlainUrl = (origin: string, path: string): string =>
  (origin + withBase(path)).replaceAll('*', '%2A')

type Types = Partial<Record<Kind, string>>

const toTypes = (columns: readonly TypedColumn[], types: Types, toPair: ToPair): string =>
  columns.flatMap(({ name, kind }) => (types[kind] ? [toPair(name, types[kind])] : [])).join(', ')

type ToPair = (name: string, type: string) => string

const inParts = (parts: readonly string[]): string => parts.filter((part) => part !== '').join(', ')

const quoteAll = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ')

const selectInstants = ({ columns }: LineSource): string[] =>
  columns.flatMap(({ name, kind }) => (kind === 'instant' ? [name] : []))

const AUTHORIZATION = `Bearer ${TOKEN_PLACEHOLDER}`

const DUCKDB: Types = {
  whole: 'BIGINT',
  instant: 'BIGINT',
  day: 'DATE',
  decimal: 'DECIMAL(18,6)',
  text: 'VARCHAR',
  number: 'DOUBLE',
}

function toDuckdb(source: LineSource): string {
  const { csv, parquet, columns, needsToken } = source
  const secret = `CREATE OR REPLACE SECRET bellwether (TYPE http, SCOPE '${new URL(csv).origin}', EXTRA_HTTP_HEADERS MAP {'Authorization': '${AUTHORIZATION}'});\n`
  const times = selectInstants(source).map(
    (name) => `make_timestamp("${name}" * 1000000) AS "${name}"`,
  )
  const select = times.length > 0 ? `SELECT * REPLACE (${times.join(', ')})\n` : ''
  const types = toTypes(columns, DUCKDB, (name, type) => `'${name}': '${type}'`)
  const read =
    parquet === null
      ? `read_csv(${inParts([`'${csv}'`, types && `types = {${types}}`])})`
      : `read_parquet('${parquet}')`
  return `${needsToken ? secret : ''}${select}FROM ${read};`
}

/** A decimal as text: a float would round it. */
const PANDAS: Types = { decimal: 'str', text: 'str', day: 'str' }

function toPandas(source: LineSource): string {
  const { csv, parquet, columns, needsToken } = source
  const token = needsToken ? `storage_options={"Authorization": "${AUTHORIZATION}"}` : ''
  const types = toTypes(columns, PANDAS, (name, type) => `"${name}": ${type}`)
  const typed = [types && `dtype={${types}}`, 'keep_default_na=False', 'na_values=[""]']
  const read =
    parquet === null
      ? `read_csv(${inParts([`"${csv}"`, ...typed, token])})`
      : `read_parquet(${inParts([`"${parquet}"`, token])})`
  const names = quoteAll(selectInstants(source))
  const times = `for time in [${names}]:\n    rows[time] = pandas.to_datetime(rows[time], unit="s", utc=True)`
  return ['import pandas', `rows = pandas.${read}`, ...(names ? [times] : [])].join('\n')
}

const POLARS: Types = {
  whole: 'polars.Int64',
  instant: 'polars.Int64',
  day: 'polars.Date',
  decimal: 'polars.Decimal(18, 6)',
  text: 'polars.String',
  number: 'polars.Float64',
}

/** polars itself reads only addresses with ranges. */
function toPolars(source: LineSource): string {
  const { csv, parquet, columns, needsToken } = source
  const token = needsToken ? `headers={"Authorization": "${AUTHORIZATION}"}` : ''
  const types = toTypes(columns, POLARS, (name, type) => `"${name}": ${type}`)
  const read =
    parquet === null
      ? `read_csv(${inParts(['file', types && `schema_overrides={${types}}`, 'infer_schema_length=None'])})`
      : 'read_parquet(file)'
  const names = quoteAll(selectInstants(source))
  const times = `rows = rows.with_columns(polars.from_epoch(polars.col(${names})).dt.replace_time_zone("UTC"))`
  return [
    'import polars, urllib.request',
    `request = urllib.request.Request(${inParts([`"${parquet ?? csv}"`, token])})`,
    'file = urllib.request.urlopen(request).read()',
    `rows = polars.${read}`,
    ...(names ? [times] : []),
  ].join('\n')
}

const R: Types = { instant: 'numeric', decimal: 'character', text: 'character', day: 'Date' }

/** CSV, because R reads the decimals of Parquet as floats. */
function toR(source: LineSource): string {
  const { csv, columns, needsToken } = source
  const address = needsToken
    ? `url("${csv}", headers = c(Authorization = "${AUTHORIZATION}"))`
    : `"${csv}"`
  const types = toTypes(columns, R, (name, type) => `"${name}" = "${type}"`)
  const typed = [types && `colClasses = c(${types})`, 'na.strings = ""', 'encoding = "UTF-8"']
  const names = quoteAll(selectInstants(source))
  const times = `times <- c(${names})\nrows[times] <- lapply(rows[times], .POSIXct, tz = "UTC")`
  return [`rows <- read.csv(${inParts([address, ...typed])})`, ...(names ? [times] : [])].join('\n')
}

function toSheets({ sheet, needsToken }: LineSource): string | null {
  if (isNearHost(new URL(sheet).hostname)) return null
  if (!needsToken) return `=IMPORTDATA("${sheet}")`
  return `function bellwether() {
  const headers = { Authorization: "${AUTHORIZATION}" }
  return Utilities.parseCsv(UrlFetchApp.fetch("${sheet}", { headers }).getContentText())
}`
}

const toCurl = (command: string, { file, curlOptions, needsToken }: LineSource): string =>
  [
    command,
    curlOptions,
    ...(needsToken ? [`-H "Authorization: ${AUTHORIZATION}"`] : []),
    `"${file}"`,
  ].join(' ')
