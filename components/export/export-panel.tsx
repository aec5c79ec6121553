'use client'

import { useEffect, useId, useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { usePopover } from '#components/ui/use-popover.ts'
import { type ExportChoice, PLAIN_CSV, toExportPath } from '#lib/contract/export-choice.ts'
import { toExportName } from '#lib/contract/export-name.ts'
import { Elsewhere } from './elsewhere.tsx'
import { ExportForm, type ExportSettings, toChosenColumns } from './export-form.tsx'
import type { ExportPanelProps } from './export-props.ts'
import { announce, ExportReport, toShare } from './export-report.tsx'
import { canPickFile } from './sinks.ts'
import { type ExportState, useExport } from './use-export.ts'

/** What a row takes at about, all fields. */
const ROW_BYTES = { csv: 150, json: 430, ndjson: 430, parquet: 40 } as const
/** More than this goes straight to a file of the reader's choice, where a browser can do that. */
const HELD_MAX_BYTES = 256_000_000

const SETTINGS: ExportSettings = { ...PLAIN_CSV, of: 'all', withExtra: false }

/** What to export and how, how far it is, and the same rows from elsewhere. It goes on while the panel is closed. */
export function ExportPanel(props: ExportPanelProps) {
  const { query, counted, shown, anchor, isOpen, onOpen, onShare } = props
  const { formatCounted } = useFormats()
  const heading = useId()
  const [settings, setSettings] = useState(SETTINGS)
  const exporting = useExport()
  const { state } = exporting
  const popover = usePopover({ anchor, isOpen, onOpen })
  useShare(state, onShare)
  useShownFailure(state, onOpen)

  const choice: ExportChoice = { ...settings, columns: toChosenColumns(settings, shown) }
  const fileName = toFileName(props, choice)
  const job = { url: toExportPath(query, choice), format: choice.format, fileName }
  const isLarge = (counted?.rows ?? 0) * ROW_BYTES[choice.format] > HELD_MAX_BYTES
  const isRunning = state.phase === 'running'
  return (
    <>
      <div
        {...popover}
        role="dialog"
        aria-labelledby={heading}
        className="fixed inset-x-2 top-auto bottom-2 m-0 max-h-[calc(100dvh-1rem)] w-auto overflow-y-auto rounded-lg border border-line-2 bg-surface p-0 text-base text-ink sm:inset-x-auto sm:top-(--panel-top) sm:right-(--panel-right) sm:bottom-auto sm:max-h-[calc(100dvh-var(--panel-top)-0.5rem)] sm:w-[26rem]"
      >
        <div className="flex flex-col gap-4 p-4">
          <div className="flex items-center justify-between gap-3">
            <h2 id={heading} className="font-semibold">
              {counted ? `Export ${formatCounted(counted.rows, 'row')}` : 'Export every row'}
            </h2>
            <Button
              variant="quiet"
              size="small"
              aria-label="Close the export"
              className="-my-1 -mr-2"
              onClick={() => onOpen(false)}
            >
              ×
            </Button>
          </div>
          <ExportForm settings={settings} onChange={setSettings} shown={shown} />
          <FileLine fileName={counted ? fileName : null} rows={counted?.rows ?? null} />
          <ExportReport state={state} onCancel={exporting.cancel} />
          <div className="flex gap-2">
            <Button
              variant="solid"
              size="large"
              className="grow"
              disabled={isRunning}
              onClick={() =>
                isLarge && canPickFile() ? exporting.saveTo(job) : exporting.download(job)
              }
            >
              {isBroken(state) ? 'Try again' : `Download ${FORMAT_NAMES[choice.format]}`}
            </Button>
            {canPickFile() && (
              <Button
                size="large"
                title="Straight to the disk, where you choose"
                disabled={isRunning}
                onClick={() => exporting.saveTo(job)}
              >
                Save to…
              </Button>
            )}
          </div>
          <Elsewhere query={query} choice={choice} />
        </div>
      </div>
      <LiveRegion message={announce(state)} />
    </>
  )
}

const FORMAT_NAMES = { csv: 'CSV', json: 'JSON', ndjson: 'NDJSON', parquet: 'Parquet' } as const

/** The name that the file will have, but for the rows and the minutes that may come until then. */
function toFileName({ query, counted }: ExportPanelProps, { format, columns }: ExportChoice) {
  if (!counted) return `ratings.${format}`
  const { rows, asOf, completeTo } = counted
  const chosen = columns.length > 0 ? columns.length : null
  return toExportName(query, { format, rows, asOf, completeTo, columns: chosen })
}

const isBroken = ({ phase }: ExportState) => phase === 'cut-short' || phase === 'failed'

function FileLine({ fileName, rows }: { fileName: string | null; rows: number | null }) {
  const { formatCounted } = useFormats()
  return (
    <p className="text-sm text-ink-3">
      {fileName && (
        <>
          <span className="font-mono wrap-anywhere text-ink-2">{fileName}</span>
          <br />
        </>
      )}
      {rows === 0
        ? 'Nothing matches: the file will say so, and hold no rows. '
        : rows !== null && `All ${formatCounted(rows, 'row')}, not only this page. `}
      Times in the file are in UTC.
    </p>
  )
}

function useShare(state: ExportState, onShare: (share: number | null) => void) {
  const share = toShare(state)
  useEffect(() => onShare(share), [share, onShare])
}

/** What failed is seen, though the panel was closed meanwhile. */
function useShownFailure(state: ExportState, onOpen: (isOpen: boolean) => void) {
  useEffect(() => {
    if (isBroken(state)) onOpen(true)
  }, [state, onOpen])
}
