'use client'

import { useEffect, useState } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import type { QueryProps } from '#components/ratings/query-change.ts'
import { LiveRegion } from '#components/ui/messages.tsx'
import { CellButton } from './cell-button.tsx'
import { CellMenu } from './cell-menu.tsx'
import type { RowContext } from './row-context.ts'
import { SelectionBar } from './selection-bar.tsx'
import { useSession } from './use-session.ts'

export type RowToolsProps = Pick<QueryProps, 'query'> & { context: RowContext }

const NOTE_MS = 6000

/**
 * What works on rows: the menu of a cell, what is selected, and what has just been done. It takes no room: it lies over
 * the end of the table, or of the window where that comes first.
 */
export function RowTools({ query, context }: RowToolsProps) {
  const { session } = context
  const menu = useSession(session, 'menu')
  const note = useNote(context)
  useEffect(loadSheetAhead, [])
  return (
    <div className="sticky bottom-0 z-20 -mt-3 h-0 lg:relative">
      <div className="pointer-events-none absolute inset-x-0 bottom-2 flex flex-col items-center gap-1.5">
        {note && (
          <p
            className="pointer-events-auto rounded-md border border-line-2 bg-ink px-3 py-1 text-surface"
            aria-hidden
          >
            {note}
          </p>
        )}
        <SelectionBar context={context} />
      </div>
      <CellButton context={context} />
      {menu && <CellMenu key={menu.row.id} menu={menu} view={query} context={context} />}
      <Said note={note} context={context} />
    </div>
  )
}

/** Whoever is near the rows may open one. Without a network that is said when they do. */
function loadSheetAhead() {
  import('#components/rating/rating-sheet.tsx').catch(() => undefined)
}

/** What has just been done, for a moment. */
function useNote({ session }: RowContext): string {
  const note = useSession(session, 'note')
  useEffect(() => {
    if (note === '') return
    const timer = setTimeout(() => session.set({ note: '' }), NOTE_MS)
    return () => clearTimeout(timer)
  }, [note, session])
  return note
}

/** Says the same, and how much is selected. A region that appears together with its text is not read. */
function Said({ note, context }: { note: string; context: RowContext }) {
  const { formatCounted } = useFormats()
  const { size } = useSession(context.session, 'selected')
  const [said, setSaid] = useState('')
  const message = note || (size === 0 ? '' : `${formatCounted(size, 'row')} selected`)
  useEffect(() => setSaid(message), [message])
  return <LiveRegion message={said} />
}
