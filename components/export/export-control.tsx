'use client'

import { type ComponentType, type MouseEvent, useRef, useState } from 'react'
import { Button, ButtonLink, isPlainClick } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { DotsIcon } from '#components/ui/icons.tsx'
import { usePressToggle } from '#components/ui/overlays.tsx'
import { useSearchAction } from '#components/ui/search-actions.ts'
import { withBase } from '#lib/contract/base-path.ts'
import { EXPORT_FORMATS } from '#lib/contract/export-formats.ts'
import { toPlainPath } from '#lib/contract/export-path.ts'
import type { ExportControlProps, ExportPanelProps } from './export-panel.tsx'

/** Without JavaScript a plain link to the CSV. */
export function ExportControl({
  formats = EXPORT_FORMATS,
  isDimmed = false,
  ...props
}: ExportControlProps) {
  const more = useRef<HTMLButtonElement>(null)
  const [Panel, setPanel] = useState<ComponentType<ExportPanelProps> | null>(null)
  const [csvClicks, setCsvClicks] = useState(0)
  const [isOpen, setOpen] = useState(false)
  const press = usePressToggle(isOpen, setOpen)
  const [share, setShare] = useState<number | null>(null)
  const href = toPlainPath(props.named.of, props.query)

  const load = (onFailed: () => void) => {
    if (Panel) return
    import('./export-panel.tsx').then((loaded) => setPanel(() => loaded.ExportPanel), onFailed)
  }
  const onCsv = (event: MouseEvent) => {
    if (!isPlainClick(event) || !('popover' in HTMLElement.prototype)) return
    event.preventDefault()
    setCsvClicks(csvClicks + 1)
    load(() => window.location.assign(withBase(href)))
  }
  useSearchAction({
    name: 'Export these rows',
    detail: 'CSV, JSON, Parquet',
    key: 'e',
    run: () => {
      more.current?.focus()
      setOpen(true)
      load(() => setOpen(false))
    },
  })
  const onMore = (event: MouseEvent) => {
    press.toggle(event)
    load(() => setOpen(false))
  }
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
            style={{ width: `${share * 100}%` }}
            className="absolute bottom-0 left-0 h-[3px] bg-accent forced-colors:bg-[Highlight]"
          />
        )}
      </ButtonLink>
      <Button
        ref={more}
        variant="solid"
        className="ml-px rounded-l-none px-2 max-sm:min-w-10"
        aria-label="More for this view"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="E"
        onPointerDown={press.onPointerDown}
        onClick={onMore}
      >
        <DotsIcon />
      </Button>
      {Panel && (
        <Panel
          {...props}
          formats={formats}
          anchor={more}
          csvClicks={csvClicks}
          isOpen={isOpen}
          onOpen={setOpen}
          onShare={setShare}
        />
      )}
    </div>
  )
}
