'use client'

import { type ComponentType, type MouseEvent, useRef, useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { ButtonLink, isPlainClick } from '#components/ui/button.tsx'
import { usePressToggle } from '#components/ui/overlays.tsx'
import { toExportPath } from '#lib/contract/export-choice.ts'
import type { ExportControlProps, ExportPanelProps } from './export-panel.tsx'

/**
 * All matching rows as a file. Without scripts a link to the CSV; with them it opens the panel, which is loaded when it
 * is first asked for. Where it cannot be loaded, the link is one again.
 */
export function ExportControl(props: ExportControlProps) {
  const { formatCounted } = useFormats()
  const link = useRef<HTMLAnchorElement>(null)
  const [Panel, setPanel] = useState<ComponentType<ExportPanelProps> | null>(null)
  const [isOpen, setOpen] = useState(false)
  const press = usePressToggle(isOpen, setOpen)
  const [share, setShare] = useState<number | null>(null)
  const { query, counted } = props
  const href = toExportPath(query)

  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event) || !('popover' in HTMLElement.prototype)) return
    event.preventDefault()
    press.toggle(event)
    if (Panel) return
    import('./export-panel.tsx').then(
      (loaded) => setPanel(() => loaded.ExportPanel),
      () => window.location.assign(href),
    )
  }
  const text = counted === null ? '' : formatCounted(counted.rows, 'row')
  const [count, unit] = [text.slice(0, text.lastIndexOf(' ')), text.slice(text.lastIndexOf(' '))]
  return (
    <div>
      <ButtonLink
        ref={link}
        variant="solid"
        className="relative overflow-hidden max-sm:px-2.5"
        href={href}
        download
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onPointerDown={press.onPointerDown}
        onClick={onClick}
      >
        {counted === null ? 'Export' : `Export ${count}`}
        {/* On a phone there is no room for the word at any count, and the buttons must not move as the count changes. */}
        <span className="max-sm:sr-only">{unit}</span>
        <span className="sr-only"> as CSV, JSON, NDJSON or Parquet</span>
        <span aria-hidden>▾</span>
        {share !== null && (
          <span
            aria-hidden
            style={{ width: `${share * 100}%` }}
            className="absolute bottom-0 left-0 h-[3px] bg-accent forced-colors:bg-[Highlight]"
          />
        )}
      </ButtonLink>
      {Panel && (
        <Panel {...props} anchor={link} isOpen={isOpen} onOpen={setOpen} onShare={setShare} />
      )}
    </div>
  )
}
