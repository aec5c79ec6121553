'use client'

import dynamic from 'next/dynamic'
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { Button } from '#components/ui/button.tsx'
import { LiveRegion } from '#components/ui/messages.tsx'
import type { QueryProps } from '#lib/contract/ratings-view.ts'
import { CellButton } from './cell-button.tsx'
import { clearSelection, copyRows, togglePage } from './commands.ts'
import { type RowContext, useSession } from './table-session.ts'

const CellMenu = dynamic(async () => (await import('./cell-menu.tsx')).CellMenu, { ssr: false })

type RowToolsProps = Pick<QueryProps, 'query'> & { context: RowContext }

const NOTE_MS = 6000

export function RowTools({ query, context }: RowToolsProps) {
  const { session } = context
  const menu = useSession(session, 'menu')
  const note = useNote(context)
  return (
    <div className="sticky bottom-[calc(var(--below)+var(--pager))] z-20 -mt-3 h-0 lg:relative">
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
      <Announcement note={note} context={context} />
    </div>
  )
}

function useNote({ session }: RowContext): string {
  const note = useSession(session, 'note')
  useEffect(() => {
    if (note === '') return
    const timer = setTimeout(() => session.set({ note: '' }), NOTE_MS)
    return () => clearTimeout(timer)
  }, [note, session])
  return note
}

/** A live region must exist before its text changes. */
function Announcement({ note, context }: { note: string; context: RowContext }) {
  const { size } = useSession(context.session, 'selected')
  const [said, setSaid] = useState('')
  const message = note || (size === 0 ? '' : `${formatCounted(size, 'row')} selected`)
  useEffect(() => setSaid(message), [message])
  return <LiveRegion message={said} />
}

function SelectionBar({ context }: { context: RowContext }) {
  const { session, table, rows } = context
  const bar = useRef<HTMLElement>(null)
  const selected = useSession(session, 'selected')
  useRoomBelow(context, bar, selected.size > 0)
  if (selected.size === 0) return null
  const here = table.getSelectedRowModel().rows.length
  const elsewhere = selected.size - here
  return (
    <section
      ref={bar}
      aria-label="Selection"
      className="pointer-events-auto flex max-w-full flex-wrap items-center justify-center gap-x-1 gap-y-1 rounded-lg border border-line-2 bg-surface py-1 pr-1 pl-3"
    >
      <span className="pr-1.5">
        <span className="font-semibold">{formatCount(selected.size)} selected</span>
        {elsewhere > 0 && (
          <span className="text-ink-3">, {formatCount(elsewhere)} not on this page</span>
        )}
      </span>
      {here < rows.length && (
        <Button variant="quiet" size="small" onClick={() => togglePage(context)}>
          Select all {formatCount(rows.length)} here
        </Button>
      )}
      <Button variant="quiet" size="small" onClick={() => void copyRows('csv', context)}>
        Copy as CSV
      </Button>
      <Button variant="quiet" size="small" onClick={() => void copyRows('json', context)}>
        Copy as JSON
      </Button>
      <Button variant="quiet" size="small" onClick={() => clearSelection(context)}>
        Clear<span className="sr-only"> the selection</span>
      </Button>
    </section>
  )
}

const GAP_PX = 16

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
