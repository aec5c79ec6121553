'use client'

import { type RefObject, useLayoutEffect, useRef } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { Button } from '#components/ui/button.tsx'
import { clearSelection, copyRows, togglePage } from './row-commands.ts'
import type { RowContext } from './row-context.ts'
import { useSession } from './use-session.ts'

/** How many rows are selected, on all pages, and what can be done with them. It lies over the end of the table. */
export function SelectionBar({ context }: { context: RowContext }) {
  const { session, rows } = context
  const formats = useFormats()
  const bar = useRef<HTMLElement>(null)
  const selected = useSession(session, 'selected')
  useRoomBelow(context, bar, selected.size > 0)
  if (selected.size === 0) return null
  const here = rows.filter(({ id }) => selected.has(id)).length
  const elsewhere = selected.size - here
  return (
    <section
      ref={bar}
      aria-label="Selection"
      className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-x-1 gap-y-1 rounded-lg border border-line-2 bg-surface py-1 pr-1 pl-3"
    >
      <span className="pr-1.5">
        <span className="font-semibold">{formats.formatCount(selected.size)} selected</span>
        {elsewhere > 0 && (
          <span className="text-ink-3">, {formats.formatCount(elsewhere)} not on this page</span>
        )}
      </span>
      {here < rows.length && (
        <Button variant="quiet" size="small" onClick={() => togglePage(context)}>
          Select all {formats.formatCount(rows.length)} here
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => void copyRows('csv', context, formats)}>
        Copy as CSV
      </Button>
      <Button variant="quiet" size="small" onClick={() => void copyRows('json', context, formats)}>
        Copy as JSON
      </Button>
      <Button variant="quiet" size="small" onClick={() => clearSelection(context)}>
        Clear
      </Button>
    </section>
  )
}

const GAP_PX = 16

/** The last rows can be scrolled out from under the bar. Where nothing scrolls, nothing may grow. */
function useRoomBelow(
  { frame }: RowContext,
  bar: RefObject<HTMLElement | null>,
  isShown: boolean,
): void {
  useLayoutEffect(() => {
    const element = frame.current
    if (!isShown || !element || !bar.current) return
    if (element.scrollHeight <= element.clientHeight) return
    element.style.paddingBottom = `${bar.current.offsetHeight + GAP_PX}px`
    return () => {
      element.style.paddingBottom = ''
    }
  }, [frame, bar, isShown])
}
