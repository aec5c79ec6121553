'use client'

import dynamic from 'next/dynamic'
import { useId, useRef, useState } from 'react'
import { buttonClasses } from '#components/ui/button.tsx'
import { placeUnder } from '#components/ui/overlays.tsx'
import type { Columns } from './use-columns.ts'

const Panel = dynamic(async () => (await import('./columns-panel.tsx')).ColumnsPanel, {
  ssr: false,
})

const WIDTH_PX = 264

/** Which columns the table shows, in which order, and how high its rows are. What it holds is loaded when it opens. */
export function ColumnsMenu({ columns }: { columns: Columns }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        aria-haspopup="dialog"
        className={buttonClasses({}, 'max-sm:px-2.5')}
      >
        Columns
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Columns"
        className="inset-auto m-0 overflow-y-auto rounded-md border border-line-2 bg-surface p-2 text-ink [scrollbar-width:thin]"
        style={{ width: WIDTH_PX }}
        onBeforeToggle={(event) => placeUnder(button.current, WIDTH_PX, event)}
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && <Panel columns={columns} />}
      </div>
    </>
  )
}
