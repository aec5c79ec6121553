'use client'

import { type MouseEvent, type ReactNode, useLayoutEffect, useRef } from 'react'
import { KeyHelp } from './key-help.tsx'
import { Palette } from './palette.tsx'
import type { Shortcut } from './shortcut.ts'

export type PaletteDialogProps = {
  how: Shortcut
  /** What was typed while this was loading. */
  typed: string
  onClose: () => void
  onOpen: (how: Shortcut) => void
}

/** What the keys of every page open. Nothing else of it is loaded before somebody asks. */
export function PaletteDialog({ how, typed, onClose, onOpen }: PaletteDialogProps) {
  return how === 'keys' ? (
    <TopDialog label="Keys" onClose={onClose}>
      <KeyHelp onClose={onClose} />
    </TopDialog>
  ) : (
    <TopDialog label="Search and filter" onClose={onClose}>
      <Palette how={how} typed={typed} onClose={onClose} onKeys={() => onOpen('keys')} />
    </TopDialog>
  )
}

type TopDialogProps = { label: string; onClose: () => void; children: ReactNode }

/** A native dialog at the top of the window, open as long as it is mounted. Closed, it gives the focus back. */
function TopDialog({ label, onClose, children }: TopDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  // Before it is taken out of the page: a dialog that is gone gives no focus back.
  useLayoutEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  const onBackdrop = (event: MouseEvent) => event.target === dialog.current && onClose()
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape closes a native dialog
    <dialog
      ref={dialog}
      aria-label={label}
      // The event comes late: where the dialog is open again by then, nobody closed it.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      onClick={onBackdrop}
      className="mx-auto mt-2 mb-auto max-h-[calc(100dvh-1rem)] w-[min(640px,calc(100vw-1rem))] max-w-none overflow-hidden rounded-lg border border-line-2 bg-surface p-0 text-ink backdrop:bg-black/40 sm:mt-[8vh] sm:max-h-[84vh]"
    >
      {children}
    </dialog>
  )
}
