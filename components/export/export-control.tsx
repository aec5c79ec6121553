'use client'

import { useQuery } from '@tanstack/react-query'
import { type MouseEvent, useEffect, useState } from 'react'
import { formatCounted } from '#components/format/numbers.ts'
import { Button, ButtonLink, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { DotsIcon } from '#components/ui/icons.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import { Popover } from '#components/ui/popover.tsx'
import { useSearchAction } from '#components/ui/search-actions.ts'
import { statusSummaryOptions } from '#lib/client/query-options.ts'
import { EXPORT_FORMATS } from '#lib/contract/export-formats.ts'
import { toExportName, toListName } from '#lib/contract/export-name.ts'
import { toPlainPath } from '#lib/contract/export-path.ts'
import { type ExportControlProps, ExportPanel, SETTINGS } from './export-panel.tsx'
import { announce, isBroken, toShare, useExport } from './export-progress.tsx'

/** Without JavaScript a plain link to the CSV. */
export function ExportControl(props: ExportControlProps) {
  const { named, query, counted, formats = EXPORT_FORMATS, isDimmed = false } = props
  const [isOpen, setOpen] = useState(false)
  const [settings, setSettings] = useState(SETTINGS)
  const rows = counted?.rows ?? null
  const exporting = useExport(rows)
  const { state } = exporting
  const toFileName = useFileName(props)
  useEffect(() => {
    if (isBroken(state)) setOpen(true)
  }, [state])
  const share = toShare(state)
  const href = toPlainPath(named.of, query)
  const onCsv = (event: MouseEvent) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    exporting.download({ url: href, fileName: toFileName('csv'), format: 'csv' })
  }
  useSearchAction({
    name: 'Export these rows',
    detail: 'CSV, JSON, Parquet',
    key: 'e',
    run: () => setOpen(true),
  })
  return (
    <div aria-busy={isDimmed} className={classNames('flex', isDimmed && 'dimmed')}>
      <ButtonLink
        id="export"
        variant="solid"
        className="relative overflow-hidden rounded-r-none max-sm:px-2.5"
        href={href}
        download
        onClick={onCsv}
      >
        Export CSV
        {share !== null && (
          <span
            aria-hidden
            data-share
            style={{ width: `${share * 100}%` }}
            className="absolute bottom-0 left-0 h-[3px] bg-accent forced-colors:bg-[Highlight]"
          />
        )}
      </ButtonLink>
      <Popover
        label={rows === null ? 'Export every row' : `Export ${formatCounted(rows, 'row')}`}
        open={isOpen}
        onOpenChange={setOpen}
        className="flex w-104 flex-col gap-4 p-4 text-base"
        trigger={
          <Button
            variant="solid"
            className="ml-px rounded-l-none px-2 max-sm:min-w-10"
            aria-label="More for this view"
            aria-keyshortcuts="E"
          >
            <DotsIcon />
          </Button>
        }
      >
        <ExportPanel
          {...props}
          formats={formats}
          settings={settings}
          onSettings={setSettings}
          exporting={exporting}
          toFileName={toFileName}
        />
      </Popover>
      <LiveRegion message={announce(state)} />
    </div>
  )
}

function useFileName({ named, counted }: ExportControlProps) {
  const invented = useQuery(statusSummaryOptions()).data?.service.invented ?? false
  return (format: string) => {
    if (!counted) return `${named.of}.${format}`
    const facts = { format, asOf: counted.asOf, invented }
    return named.of === 'ratings'
      ? toExportName(named.asked, facts)
      : toListName(named.list, named.asked, facts)
  }
}
