import { withBase } from '#lib/contract/base-path.ts'
import {
  type ExportChoice,
  type ExportSubject,
  ROW_COLUMNS,
  toFilePath,
} from '#lib/contract/export-choice.ts'
import { selectDecimals } from '#lib/contract/lists/define-list.ts'
import { LISTS } from '#lib/contract/lists/lists.ts'

type ExportLine = { tool: string; text: string }

export function toExportLines(file: Exported, choice: ExportChoice, origin: string): ExportLine[] {
  const toUrl = (changed: Partial<ExportChoice>) =>
    toAbsolute(origin, file, { ...choice, ...changed })
  return [
    { tool: 'curl', text: `curl -fOJ ${quoteShell(toUrl({}))}` },
    { tool: 'pandas', text: toPandas(file, choice, toUrl) },
    { tool: 'DuckDB', text: toDuckdb(file, choice, toUrl) },
    {
      tool: 'Google Sheets',
      text: `=IMPORTDATA(${quoteSheets(toUrl({ format: 'csv', bom: false }))})`,
    },
  ]
}

type ToUrl = (changed: Partial<ExportChoice>) => string

const FOR_PROGRAMS = { formulas: 'exact', bom: false } as const

/** `*` is valid in URLs but a glob pattern in many shells. */
const toAbsolute = (origin: string, { of, query }: Exported, choice: ExportChoice): string =>
  (origin + withBase(toFilePath(of, query, choice))).replaceAll('*', '%2A')

type Exported = { of: ExportSubject; query: URLSearchParams }

type Decimals = { names: readonly string[]; type: string }

const DECIMALS: ReadonlyMap<ExportSubject, Decimals> = new Map<ExportSubject, Decimals>([
  ['ratings', { names: ['prediction', 'previous_prediction'], type: 'DECIMAL(18,6)' }],
  [
    'symbols',
    {
      names: [
        'consensus',
        'consensus_low',
        'consensus_high',
        'change_30d',
        'change_shrunk',
        'avg_prediction',
        'prediction_shrunk',
        'dispersion',
      ],
      type: 'DECIMAL(18,4)',
    },
  ],
  ['users', { names: ['agreement_low', 'bias'], type: 'DECIMAL(18,4)' }],
  ...LISTS.map(
    (list) => [list.path, { names: selectDecimals(list), type: 'DECIMAL(18,6)' }] as const,
  ),
])

const NO_DECIMALS: Decimals = { names: [], type: 'DECIMAL(18,6)' }

const decimalsOf = ({ of }: Exported, { columns }: ExportChoice) => {
  const { names } = DECIMALS.get(of) ?? NO_DECIMALS
  if (of !== 'ratings') return names
  const asked: readonly string[] = columns.length > 0 ? columns : ROW_COLUMNS
  return names.filter((name) => asked.includes(name))
}

/** As text: a float would round decimals. */
function toPandas(file: Exported, choice: ExportChoice, toUrl: ToUrl): string {
  const types = decimalsOf(file, choice).map((name) => `${quotePython(name)}: str`)
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

function toDuckdb(file: Exported, choice: ExportChoice, toUrl: ToUrl): string {
  const types = decimalsOf(file, choice).map(
    (name) => `${quoteSql(name)}: '${(DECIMALS.get(file.of) ?? NO_DECIMALS).type}'`,
  )
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

/** Double quotes also work in Windows shells. */
export const quoteShell = (text: string): string => `"${text.replace(/[\\"$`]/g, '\\$&')}"`

export const quotePython = (text: string): string => JSON.stringify(text)

export const quoteSql = (text: string): string => `'${text.replaceAll("'", "''")}'`

export const quoteSheets = (text: string): string => `"${text.replaceAll('"', '""')}"`

const NEAR =
  /^(?:localhost|.*\.(?:localhost|local|lan|internal|home)|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|\[::1\]|\[f[cde].*)$/i

export const isNearHost = (host: string): boolean => NEAR.test(host) || !/[.:]/.test(host)
