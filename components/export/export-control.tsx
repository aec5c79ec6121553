'use client'

import { type ComponentType, type CSSProperties, type MouseEvent, useRef, useState } from 'react'
import { joinByOr } from '#components/format/texts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ButtonLink, isPlainClick } from '#components/ui/button.tsx'
import { usePressToggle } from '#components/ui/overlays.tsx'
import { withBase } from '#lib/contract/base-path.ts'
import { EXPORT_FORMATS, FORMAT_NAMES, PLAIN_CSV, toFilePath } from '#lib/contract/export-choice.ts'
import type { ExportControlProps, ExportPanelProps } from './export-panel.tsx'

/**
 * All matching rows as a file. Without scripts a link to the CSV; with them it opens the panel, which is loaded when it
 * is first asked for. Where it cannot be loaded, the link is one again.
 */
export function ExportControl(props: ExportControlProps) {
  const { formatCount, formatCounted } = useFormats()
  const link = useRef<HTMLAnchorElement>(null)
  const [Panel, setPanel] = useState<ComponentType<ExportPanelProps> | null>(null)
  const [isOpen, setOpen] = useState(false)
  const press = usePressToggle(isOpen, setOpen)
  const [share, setShare] = useState<number | null>(null)
  const { named, query, formats = EXPORT_FORMATS, counted } = props
  const href = toFilePath(named.of, query, PLAIN_CSV)

  const onClick = (event: MouseEvent) => {
    if (!isPlainClick(event) || !('popover' in HTMLElement.prototype)) return
    event.preventDefault()
    press.toggle(event)
    if (Panel) return
    import('./export-panel.tsx').then(
      (loaded) => setPanel(() => loaded.ExportPanel),
      () => window.location.assign(withBase(href)),
    )
  }
  const text = counted === null ? '' : formatCounted(counted.rows, 'row')
  const [count, unit] = [text.slice(0, text.lastIndexOf(' ')), text.slice(text.lastIndexOf(' '))]
  return (
    <div>
      <ButtonLink
        ref={link}
        id="export"
        data-opens="export"
        variant="solid"
        className="relative overflow-hidden max-sm:px-2.5"
        href={href}
        download
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-keyshortcuts="E"
        onPointerDown={press.onPointerDown}
        onClick={onClick}
      >
        Export
        {/* As wide as for all rows, or the buttons beside it would move with the count. On a phone the word has no room. */}
        {counted !== null && (
          <>
            {' '}
            <span
              className="min-w-(--count) sm:min-w-[calc(var(--count)+2.7em)]"
              style={toStyle(formatCount(counted.all))}
            >
              {count}
              <span className="max-sm:sr-only">{unit}</span>
            </span>
          </>
        )}
        <span className="sr-only">
          {' '}
          as {joinByOr(formats.map((format) => FORMAT_NAMES[format]))}
        </span>
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
        <Panel
          {...props}
          formats={formats}
          anchor={link}
          isOpen={isOpen}
          onOpen={setOpen}
          onShare={setShare}
        />
      )}
    </div>
  )
}

/** The width of a number: digits are a unit wide, what stands between them is about half of that. */
function toStyle(text: string): CSSProperties {
  const digits = text.replace(/\D/g, '').length
  return { '--count': `${digits + (text.length - digits) / 2}ch` } as CSSProperties
}
