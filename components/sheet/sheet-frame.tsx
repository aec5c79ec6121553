'use client'

import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { ModalDialog } from '#components/ui/modal-dialog.tsx'

type SheetFrameProps = {
  name: string
  isWide: boolean
  onClose: () => void
  frame: RefObject<HTMLElement | null>
  children: ReactNode
}

/**
 * Where there is room the sheet lies over the right end of the table, which stays in use and does not move; elsewhere
 * it is a dialog of the whole width.
 */
export function SheetFrame({ name, isWide, onClose, frame, children }: SheetFrameProps) {
  if (!isWide) {
    return (
      <ModalFrame name={name} onClose={onClose} frame={frame}>
        {children}
      </ModalFrame>
    )
  }
  return (
    <aside
      ref={frame}
      aria-label={name}
      className="absolute inset-y-0 right-0 z-30 flex w-[420px] flex-col border-l border-line-2 bg-surface transition-[opacity,translate] starting:translate-x-2 starting:opacity-0"
    >
      {children}
    </aside>
  )
}

function ModalFrame({ name, onClose, frame, children }: Omit<SheetFrameProps, 'isWide'>) {
  const dialog = useRef<HTMLDialogElement>(null)
  useLayoutEffect(() => {
    frame.current = dialog.current
    // The dialog itself, whose name is read, rather than the first of its buttons.
    dialog.current?.focus()
  }, [frame])
  return (
    <ModalDialog
      ref={dialog}
      aria-label={name}
      tabIndex={-1}
      onClose={onClose}
      className="m-0 size-full max-h-none max-w-none bg-surface text-ink outline-none"
    >
      <div className="flex h-full flex-col">{children}</div>
    </ModalDialog>
  )
}
