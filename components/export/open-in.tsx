'use client'

import { type ReactNode, useState } from 'react'
import { useSignsIn } from '#components/permissions/use-may.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { CopyButton } from '#components/ui/copy.tsx'
import { Segmented } from '#components/ui/fields.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import {
  type LineSource,
  type Server,
  TOKEN_PLACEHOLDER,
  TOOLS,
  type Tool,
  toLines,
} from './open-in-lines.ts'

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
  const { origin, hostname } = window.location
  const source = toSource({ origin, needsToken })
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
      {text !== null && (
        <div className="flex flex-col gap-1">
          <CopyButton className="self-end" text={text} what={`${TOOLS[tool]} lines for ${what}`} />
          <code className="block rounded-md bg-sunk px-3 py-2 font-mono text-sm whitespace-pre-wrap wrap-anywhere select-all">
            {text}
          </code>
        </div>
      )}
      <p className="text-sm text-ink-3">
        {tool === 'sheets' ? (
          <SheetsNote host={text === null ? hostname : null} needsToken={needsToken} />
        ) : (
          NOTES[source.parquet === null ? 'csv' : 'parquet'][tool]
        )}{' '}
        {needsToken && text !== null && <TokenNote scope={scope} />}{' '}
        <a className="link" href={withBase('/docs/files#open-in')}>
          How to use the lines
        </a>
      </p>
    </div>
  )
}

type Notes = Readonly<Record<Exclude<Tool, 'sheets'>, ReactNode>>

const CURL_NOTES = {
  curl: 'For macOS, Linux and other Unix shells.',
  windows: 'For PowerShell and the command prompt.',
}

const NOTES: Readonly<Record<'csv' | 'parquet', Notes>> = {
  csv: {
    duckdb: 'Needs the extension httpfs, which DuckDB loads itself.',
    pandas: 'Decimals are read as text, so that they stay exact.',
    polars: 'Downloads the whole file first.',
    r: 'Needs no package. Decimals are read as text, so that they stay exact.',
    ...CURL_NOTES,
  },
  parquet: {
    duckdb: 'Needs the extension httpfs, which DuckDB loads itself.',
    pandas: 'Needs pyarrow. Decimals are exact.',
    polars: 'Downloads the whole file first. Decimals are exact.',
    r: 'Reads CSV and needs no package. Decimals are read as text, so that they stay exact.',
    ...CURL_NOTES,
  },
}

/** `host`: one that Google cannot reach. */
function SheetsNote({ host, needsToken }: { host: string | null; needsToken: boolean }) {
  if (host !== null) {
    return `Google cannot reach ${host}. Download the CSV, then choose File → Import in Google Sheets.`
  }
  return needsToken
    ? 'IMPORTDATA cannot send a token. Paste this under Extensions → Apps Script, then enter =bellwether() in a cell.'
    : 'Google reads this address itself, so it must be public.'
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
