'use client'

import Papa from 'papaparse'
import { useEffect, useRef, useState } from 'react'
import { createHeldSink } from '#components/export/receive-export.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { Button } from '#components/ui/button.tsx'
import { Checkbox } from '#components/ui/fields.tsx'
import { Fold } from '#components/ui/fold.tsx'
import { ProgressBar } from '#components/ui/loading.tsx'
import { toFormulaSafe } from '#lib/contract/export-choice.ts'
import { FORMAT_NAMES } from '#lib/contract/export-formats.ts'
import type { Cells } from './engine.ts'
import type { FinishedQuery, Session } from './session.ts'
import { type Column, isNumeric } from './statement.ts'

type ResultFilesProps = { shown: FinishedQuery; session: Session; rows: number | null }

type State =
  | { name: 'idle' }
  | { name: 'writing'; rows: number }
  | { name: 'saved'; rows: number; fileName: string }
  | { name: 'failed'; message: string }

export function ResultFiles({ shown, session, rows }: ResultFilesProps) {
  const [isForExcel, setForExcel] = useState(true)
  const [state, setState] = useState<State>({ name: 'idle' })
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const save = async (format: ResultFormat) => {
    abort.current?.abort()
    abort.current = new AbortController()
    const { signal } = abort.current
    const onRows = (written: number) => {
      if (!signal.aborted) setState({ name: 'writing', rows: written })
    }
    onRows(0)
    try {
      const saved = await saveResult({ shown, session, format, isForExcel, signal, onRows })
      setState({ name: 'saved', ...saved })
    } catch (error) {
      if (signal.aborted) return
      setState({ name: 'failed', message: error instanceof Error ? error.message : '' })
    }
  }
  const cancel = () => {
    abort.current?.abort()
    setState({ name: 'idle' })
  }
  return (
    <Fold title={rows === null ? 'Export all rows' : `Export ${formatCounted(rows, 'row')}`}>
      <div className="flex max-w-text flex-col gap-2 py-1">
        <div className="flex flex-wrap gap-2">
          {RESULT_FORMATS.map((format) => (
            <Button key={format} onClick={() => void save(format)}>
              {FORMAT_NAMES[format]}
            </Button>
          ))}
        </div>
        <Checkbox
          checked={isForExcel}
          label="CSV for Excel"
          onChange={({ target }) => setForExcel(target.checked)}
          title="A byte order mark, and an apostrophe before text that would run as a formula"
        />
        <p className="text-ink-3">
          All rows, not only those shown. Times are in UTC. The engine cannot write Parquet without
          an extension from elsewhere; exports of the lists can.
        </p>
        {state.name === 'writing' && (
          <div className="flex items-end gap-3">
            <ProgressBar
              className="grow"
              detail={formatCounted(state.rows, 'row')}
              done={state.rows}
              label="Writing the file"
              total={rows}
            />
            <Button onClick={cancel} size="small">
              Cancel<span className="sr-only"> the export</span>
            </Button>
          </div>
        )}
        <p aria-live="polite">
          {state.name === 'saved' && (
            <>
              Saved <span className="font-mono">{state.fileName}</span>:{' '}
              {formatCounted(state.rows, 'row')}.
            </>
          )}
          {state.name === 'failed' && (
            <span className="text-rating-text-1">
              The file could not be written. {state.message} Nothing was saved.
            </span>
          )}
        </p>
      </div>
    </Fold>
  )
}

type Saving = Pick<ResultFilesProps, 'shown' | 'session'> & {
  format: ResultFormat
  isForExcel: boolean
  signal: AbortSignal
  onRows: (rows: number) => void
}

async function saveResult({ shown, session, format, isForExcel, signal, onRows }: Saving) {
  const writer = createResultWriter({ format, isForExcel })
  const sink = createHeldSink(RESULT_TYPES[format])
  const encoder = new TextEncoder()
  const write = async (text: string) => await sink.write(encoder.encode(text))
  let written = 0
  let hasBegun = false
  const columns = await session.readAll(shown.query, {
    signal,
    onRows: async (rows, known) => {
      if (!hasBegun) await write(writer.begin(known))
      hasBegun = true
      await write(writer.rows(rows))
      written += rows.length
      onRows(written)
    },
  })
  if (!hasBegun) await write(writer.begin(columns))
  await write(writer.end())
  signal.throwIfAborted()
  return { rows: written, fileName: await sink.keep(`query.${format}`) }
}

const RESULT_FORMATS = ['csv', 'json', 'ndjson'] as const
type ResultFormat = (typeof RESULT_FORMATS)[number]

const RESULT_TYPES: Readonly<Record<ResultFormat, string>> = {
  csv: 'text/csv;charset=utf-8',
  json: 'application/json',
  ndjson: 'application/x-ndjson',
}

/** `isForExcel`: CSV only. */
export type FileOptions = { format: ResultFormat; isForExcel: boolean }

type ResultWriter = {
  begin(columns: readonly Column[]): string
  rows(rows: readonly Cells[]): string
  end(): string
}

/** As exports of the server: numbers beyond double precision are text in JSON. */
export function createResultWriter({ format, isForExcel }: FileOptions): ResultWriter {
  let columns: readonly Column[] = []
  let count = 0
  const toRow = format === 'csv' ? toRecord(isForExcel) : toObject
  return {
    begin(given) {
      columns = given
      const names = given.map(({ name }) => name)
      if (format === 'csv') return toHeader(names, isForExcel)
      return format === 'json' ? `{"columns":${JSON.stringify(given)},"data":[` : ''
    },
    rows(rows) {
      const lines = rows.map((row) => toRow(row, columns))
      const isFirst = count === 0
      count += rows.length
      if (lines.length === 0) return ''
      if (format === 'csv') return `${lines.join('\r\n')}\r\n`
      if (format === 'ndjson') return `${lines.join('\n')}\n`
      return `${isFirst ? '' : ','}\n${lines.join(',\n')}`
    },
    end: () => (format === 'json' ? `\n],"rows":${count}}\n` : ''),
  }
}

const toHeader = (names: readonly string[], isForExcel: boolean) =>
  isForExcel
    ? `\ufeff${Papa.unparse([names.map(toFormulaSafe)])}\r\n`
    : `${Papa.unparse([names])}\r\n`

const toRecord = (isForExcel: boolean) => (row: Cells, columns: readonly Column[]) => {
  const safe = row.map((value, index) => {
    if (value === null || !isForExcel) return value
    return isNumeric(columns[index]?.type ?? '') ? value : toFormulaSafe(value)
  })
  // Empty text is quoted, NULL is not.
  return Papa.unparse([safe], { quotes: safe.map((value) => value === '') })
}

const toObject = (row: Cells, columns: readonly Column[]) =>
  `{${columns.map(({ name, type }, index) => `${JSON.stringify(name)}:${toJson(row[index] ?? null, type)}`).join(',')}}`

const PLAIN_NUMBERS: ReadonlySet<string> = new Set([
  ...['TINYINT', 'SMALLINT', 'INTEGER', 'UTINYINT', 'USMALLINT', 'UINTEGER', 'FLOAT', 'DOUBLE'],
])

function toJson(value: string | null, type: string): string {
  if (value === null) return 'null'
  if (type === 'BOOLEAN') return value
  if (!PLAIN_NUMBERS.has(type)) return JSON.stringify(value)
  const number = Number(value)
  return Number.isFinite(number) ? JSON.stringify(number) : JSON.stringify(value)
}
