'use client'

import { type MouseEvent, type ReactNode, useRef } from 'react'
import { ModalDialog } from '#components/ui/overlays.tsx'
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

/** At the top of the window. A click beside it closes it, as Escape does. */
function TopDialog({ label, onClose, children }: TopDialogProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const onBackdrop = (event: MouseEvent) => event.target === dialog.current && onClose()
  return (
    <ModalDialog
      ref={dialog}
      aria-label={label}
      onClose={onClose}
      onClick={onBackdrop}
      className="mx-auto mt-2 mb-auto max-h-[calc(100dvh-1rem)] w-[min(640px,calc(100vw-1rem))] max-w-none overflow-hidden rounded-lg border border-line-2 bg-surface p-0 text-ink backdrop:bg-black/40 sm:mt-[8vh] sm:max-h-[84vh]"
    >
      {children}
    </ModalDialog>
  )
}
