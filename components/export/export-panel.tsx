'use client'

import { useRef } from 'react'
import {
  createFilterReader,
  selectFilters,
  toFilterPhrase,
} from '#components/format/filter-words.ts'
import { formatCounted } from '#components/format/numbers.ts'
import { AsOfLink } from '#components/time/as-of.tsx'
import { Button } from '#components/ui/button.tsx'
import { Checkbox, Segmented } from '#components/ui/fields.tsx'
import { PopoverClose } from '#components/ui/popover.tsx'
import { useZone } from '#components/ui/time-zone.ts'
import { toListSql } from '#lib/contract/database/open-in-sql.ts'
import {
  EXPORT_COLUMNS,
  type ExportChoice,
  type ExportColumn,
  ROW_COLUMNS,
  toFilePath,
} from '#lib/contract/export-choice.ts'
import { type ExportFormat, FORMAT_NAMES } from '#lib/contract/export-formats.ts'
import type { LISTS, ListPath } from '#lib/contract/lists/lists.ts'
import { toRatingsLinks, toSqlHref, type ViewLinks } from '#lib/contract/page-addresses.ts'
import type { RatingsQuery } from '#lib/contract/ratings-query.ts'
import { RATINGS_PAGE } from '#lib/contract/ratings-view.ts'
import { ExportReport, isBroken, type useExport } from './export-progress.tsx'
import { OpenIn, toExportSource } from './open-in.tsx'
import { canPickFile } from './receive-export.ts'
import { ViewLinkRows } from './view-links.tsx'

export const SETTINGS: ExportSettings = {
  format: 'csv',
  isForExcel: true,
  of: 'all',
  withExtra: false,
}

export function ExportPanel(props: ExportPanelProps) {
  const { named, query, formats, counted, shown, settings, exporting } = props
  const { state } = exporting
  const downloadButton = useRef<HTMLButtonElement>(null)
  const links = useLinks(named)
  const { of } = named
  const columns = shown === null ? [] : toChosenColumns(settings, shown)
  const choice: ExportChoice = { ...settings, columns }
  const fileName = props.toFileName(choice.format)
  const job = { url: toFilePath(of, query, choice), format: choice.format, fileName }
  const isRunning = state.phase === 'running'
  return (
    <>
      <ViewLinkRows {...links}>
        <PopoverClose />
      </ViewLinkRows>
      <h2 className="border-t pt-4 font-semibold">
        {counted === null ? 'Export every row' : `Export ${formatCounted(counted.rows, 'row')}`}
      </h2>
      <ExportForm formats={formats} settings={settings} onChange={props.onSettings} shown={shown} />
      <FileLine fileName={counted ? fileName : null} rows={counted?.rows ?? null} />
      <ExportReport
        state={state}
        onCancel={() => {
          exporting.cancel()
          downloadButton.current?.focus()
        }}
      />
      <div className="flex gap-2">
        {/* Not disabled, so that keyboard focus stays. */}
        <Button
          ref={downloadButton}
          variant="solid"
          size="large"
          className="grow"
          aria-disabled={isRunning}
          onClick={() => exporting.download(job)}
        >
          {isBroken(state) ? 'Try again' : `Download ${FORMAT_NAMES[choice.format]}`}
        </Button>
        {canPickFile() && (
          <Button
            size="large"
            title="Save directly to a file"
            aria-disabled={isRunning}
            onClick={() => exporting.saveTo(job)}
          >
            Save to…
          </Button>
        )}
      </div>
      <details className="group border-t pt-3">
        <summary className="cursor-pointer font-medium text-ink-2 hover:text-ink">
          Open in DuckDB, pandas, curl
        </summary>
        <OpenIn
          className="pt-3"
          toSource={(origin) => toExportSource({ of, query, choice, formats }, origin)}
          what="these rows"
          scope={'list' in named && named.list.permission === 'inspect' ? 'inspect' : 'export'}
        />
      </details>
      <OpenInSql at={counted?.asOf ?? null} of={of} query={query} />
    </>
  )
}

function useLinks(named: ExportTarget): ViewLinks | undefined {
  const reader = createFilterReader(useZone())
  if (named.of !== 'ratings') return undefined
  const phrase = toFilterPhrase(selectFilters(RATINGS_PAGE, named.asked, reader))
  return toRatingsLinks(named.asked, phrase)
}

function FileLine({ fileName, rows }: { fileName: string | null; rows: number | null }) {
  return (
    <p className="text-sm text-ink-3">
      {fileName && (
        <>
          <span className="font-mono wrap-anywhere text-ink-2">{fileName}</span>
          <br />
        </>
      )}
      {rows === 0
        ? 'Nothing matches: the file will contain no rows. '
        : rows !== null && `All ${formatCounted(rows, 'row')}, not only this page. `}
      Times in the file are in UTC.
    </p>
  )
}

type OpenInSqlProps = {
  of: ListPath
  query: URLSearchParams
  /** Seconds since 1970; null if unknown. */
  at: number | null
}

/** Nothing for lists that the database file lacks, and for filters too long for an address. */
function OpenInSql({ of, query, at }: OpenInSqlProps) {
  const sql = at === null ? null : toListSql(of, query, at)
  const href = sql === null ? null : toSqlHref(sql)
  if (href === null) return null
  return (
    <p className="border-t pt-3">
      <AsOfLink className="link" href={href}>
        Open in SQL
      </AsOfLink>{' '}
      <span className="text-ink-3">queries these rows in this browser.</span>
    </p>
  )
}

type ExportTarget =
  | { of: 'ratings'; asked: RatingsQuery }
  | {
      of: Exclude<ListPath, 'ratings'>
      list: (typeof LISTS)[number]
      asked: Readonly<Record<string, unknown>>
    }

export type ExportControlProps = {
  named: ExportTarget
  query: URLSearchParams
  formats?: readonly ExportFormat[]
  /** `asOf`: seconds since 1970. Null if unknown. */
  counted: { rows: number; asOf: number } | null
  /** Null if columns cannot be chosen. */
  shown: readonly string[] | null
  isDimmed?: boolean
}

type ExportPanelProps = Omit<ExportControlProps, 'isDimmed'> & {
  formats: readonly ExportFormat[]
  settings: ExportSettings
  onSettings: (settings: ExportSettings) => void
  exporting: ReturnType<typeof useExport>
  toFileName: (format: string) => string
}

type ExportSettings = Omit<ExportChoice, 'columns'> & {
  of: 'all' | 'shown'
  withExtra: boolean
}

const USES: Readonly<Record<ExportFormat, string>> = {
  csv: 'For spreadsheets and any other program.',
  json: 'One document with a row count; decimals as text.',
  ndjson: 'One object per line, for streaming.',
  parquet: 'Exact types and the smallest file, for DuckDB, pandas and R.',
}

function toChosenColumns(
  { of, withExtra }: ExportSettings,
  shown: readonly string[],
): ExportColumn[] {
  if (of === 'all') return withExtra ? [...ROW_COLUMNS, 'extra'] : []
  return withExtra ? [...toShownFields(shown), 'extra'] : toShownFields(shown)
}

type FormProps = {
  formats: readonly ExportFormat[]
  settings: ExportSettings
  onChange: (settings: ExportSettings) => void
  shown: readonly string[] | null
}

function ExportForm({ formats, settings, onChange, shown }: FormProps) {
  const change = (changed: Partial<ExportSettings>) => onChange({ ...settings, ...changed })
  return (
    <>
      <div className="flex flex-col gap-1">
        <Segmented
          label="Format"
          className="-ml-1"
          options={formats.map((value) => ({ value, label: FORMAT_NAMES[value] }))}
          value={settings.format}
          onChange={(format) => change({ format })}
        />
        <p className="text-sm text-ink-3">{USES[settings.format]}</p>
      </div>
      <div className="flex flex-col gap-1">
        {shown !== null && <ColumnChoice settings={settings} onChange={change} shown={shown} />}
        {settings.format === 'csv' && (
          <>
            <Checkbox
              label="CSV for Excel"
              checked={settings.isForExcel}
              onChange={({ target }) => change({ isForExcel: target.checked })}
            />
            <p className="text-sm text-ink-3">
              {settings.isForExcel
                ? 'Starts with a byte order mark. Text that would run as a formula gets an apostrophe.'
                : 'Text exactly as received. A spreadsheet may run some of it as formulas.'}
            </p>
          </>
        )}
      </div>
    </>
  )
}

type ColumnProps = {
  settings: ExportSettings
  onChange: (changed: Partial<ExportSettings>) => void
  shown: readonly string[]
}

const ColumnChoice = ({ settings, onChange, shown }: ColumnProps) => (
  <>
    <Segmented
      label="Columns"
      className="-ml-1"
      options={[
        { value: 'all', label: `All ${ROW_COLUMNS.length} fields` },
        { value: 'shown', label: `The ${shown.length} columns shown` },
      ]}
      value={settings.of}
      onChange={(of) => onChange({ of })}
    />
    {settings.of === 'shown' && (
      <p className="text-sm wrap-anywhere text-ink-3">
        In table order, codes with labels: {toShownFields(shown).join(', ')}
      </p>
    )}
    <Checkbox
      label="Include unknown fields as “extra”"
      checked={settings.withExtra}
      onChange={({ target }) => onChange({ withExtra: target.checked })}
    />
  </>
)

const WITH: Partial<Record<ExportColumn, ExportColumn>> = {
  rating: 'rating_label',
  action: 'action_label',
  created_at: 'created_at_date',
  expired_at: 'expired_at_date',
}

export const toShownFields = (shown: readonly string[]): ExportColumn[] => [
  ...new Set(
    shown
      .flatMap((id) => EXPORT_COLUMNS.find((name) => name === id) ?? [])
      .flatMap((name) => [name, ...(WITH[name] ? [WITH[name]] : [])]),
  ),
]
