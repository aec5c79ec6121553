'use client'

import { useState } from 'react'
import { useSignsIn } from '#components/permissions/use-may.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { CopyButton } from '#components/ui/copy.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { type ExportChoice, ROW_COLUMNS, toFilePath } from '#lib/contract/export-choice.ts'
import type { ExportFormat } from '#lib/contract/export-formats.ts'
import { type FieldType, selectColumns, toDateName } from '#lib/contract/lists/define-list.ts'
import { LISTS, type ListPath } from '#lib/contract/lists/lists.ts'

export const TOOLS = {
  duckdb: 'DuckDB',
  pandas: 'pandas',
  curl: 'curl',
} as const
export type Tool = keyof typeof TOOLS

type OpenInProps = {
  toSource: (server: Server) => LineSource
  what: string
  /** The permission that a token needs. */
  scope: 'export' | 'inspect'
  className?: string
}

const OPTIONS = Object.entries(TOOLS).map(([value, label]) => ({ value: value as Tool, label }))

/** Only in the browser: the lines have its address of this server. */
export function OpenIn({ toSource, what, scope, className }: OpenInProps) {
  const [tool, setTool] = useState<Tool>('duckdb')
  const needsToken = useSignsIn()
  const source = toSource({ origin: window.location.origin, needsToken })
  const text = toLines(source)[tool]
  return (
    <div className={classNames('flex min-w-0 flex-col gap-2', className)}>
      <Segmented
        className="-ml-1 flex-wrap"
        label={`Open ${what} in`}
        onChange={setTool}
        options={OPTIONS}
        value={tool}
      />
      <div className="flex flex-col gap-1">
        <CopyButton className="self-end" text={text} what={`${TOOLS[tool]} lines for ${what}`} />
        <code className="block rounded-md bg-sunk px-3 py-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-all">
          {text}
        </code>
      </div>
      <p className="text-sm text-ink-3">
        {toNote(tool, source)} {needsToken && <TokenNote scope={scope} />}{' '}
        <a className="link" href={withBase('/docs/files#open-in')}>
          How to use the lines
        </a>
      </p>
    </div>
  )
}

function toNote(tool: Tool, { parquet }: LineSource): string {
  if (tool === 'duckdb') return 'Needs the extension httpfs, which DuckDB loads itself.'
  if (tool === 'curl') return 'For macOS, Linux and other Unix shells.'
  return parquet === null
    ? 'Decimals are read as text, so that they stay exact.'
    : 'Needs pyarrow. Decimals are exact.'
}

/** In the words of the token form. */
const TOKEN_USES = {
  export: 'download files',
  inspect: 'read metrics, rows set aside and the audit log',
}

const TokenNote = ({ scope }: Pick<OpenInProps, 'scope'>) => (
  <>
    Replace {TOKEN_PLACEHOLDER} with a token that may {TOKEN_USES[scope]}, from{' '}
    <a className="link" href={withBase('/account')}>
      Your account
    </a>
    .
  </>
)

export const TOKEN_PLACEHOLDER = 'YOUR_TOKEN'

/** Addresses are absolute and need no escaping between quotes in any tool. */
export type LineSource = {
  /** As chosen, for curl. */
  file: string
  curlOptions: string
  /** Types and text exact. `parquet` is null if there is no such file. */
  csv: string
  parquet: string | null
  columns: readonly TypedColumn[]
  needsToken: boolean
}

export const toLines = (source: LineSource): Readonly<Record<Tool, string>> => ({
  duckdb: toDuckdb(source),
  pandas: toPandas(source),
  curl: toCurl(source),
})

export type Server = { origin: string; needsToken: boolean }

type Exported = {
  of: ListPath
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
    csv: toUrl({ format: 'csv', columns, isForExcel: false }),
    parquet: formats.includes('parquet') ? toUrl({ ...choice, format: 'parquet' }) : null,
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
  const names = selectInstants(source)
    .map((name) => `"${name}"`)
    .join(', ')
  const times = `for time in [${names}]:\n    rows[time] = pandas.to_datetime(rows[time], unit="s", utc=True)`
  return ['import pandas', `rows = pandas.${read}`, ...(names ? [times] : [])].join('\n')
}

const toCurl = ({ file, curlOptions, needsToken }: LineSource): string =>
  [
    'curl',
    curlOptions,
    ...(needsToken ? [`-H "Authorization: ${AUTHORIZATION}"`] : []),
    `"${file}"`,
  ].join(' ')

type Kind = 'whole' | 'instant' | 'day' | 'decimal' | 'text' | 'number'
type TypedColumn = { name: string; kind: Kind }

const toKind = (type: FieldType): Kind => {
  if (type === 'count') return 'whole'
  if (type === 'figure') return 'decimal'
  if (type === 'drawing') return 'text'
  if (typeof type === 'string') return type
  return type.every((value) => typeof value === 'number') ? 'number' : 'text'
}

const KINDS: ReadonlyMap<ListPath, Readonly<Record<string, Kind>>> = new Map(
  LISTS.map((list) => {
    const kinds = selectColumns(list, 'export').flatMap(([name, { type, dated }]) => [
      [name, toKind(type)],
      ...(dated ? [[toDateName(name), 'text']] : []),
    ])
    return [list.path, Object.fromEntries(kinds)] as const
  }),
)

/** The columns of an export, in order. `names`: the chosen ones; empty means all. */
export function typedColumns(
  subject: ListPath,
  names: readonly string[] = [],
): readonly TypedColumn[] {
  const kinds = KINDS.get(subject) ?? {}
  const chosen = names.length > 0 ? names : Object.keys(kinds)
  return chosen.flatMap((name) => (kinds[name] ? [{ name, kind: kinds[name] }] : []))
}
