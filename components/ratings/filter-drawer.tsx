'use client'

import { type ReactNode, useRef } from 'react'
import { Button } from '#components/ui/button.tsx'
import { ModalDialog } from '#components/ui/overlays.tsx'

type FilterDrawerProps = {
  /** What the way back says: "Show 2,911 ratings". */
  done: string
  onClose: () => void
  children: ReactNode
}

/** The filters on a narrow screen. */
export function FilterDrawer({ done, onClose, children }: FilterDrawerProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  return (
    <ModalDialog
      ref={dialog}
      aria-label="Filters"
      onClose={onClose}
      className="m-0 h-dvh max-h-none w-[min(320px,88vw)] max-w-none border-r bg-paper text-ink backdrop:bg-black/40"
    >
      <div className="flex h-full flex-col">
        <div className="min-h-0 grow overflow-y-auto p-5 [scrollbar-width:thin]">{children}</div>
        <div className="border-t p-3">
          <Button
            variant="solid"
            size="large"
            className="w-full"
            onClick={() => dialog.current?.close()}
          >
            {done}
          </Button>
        </div>
      </div>
    </ModalDialog>
  )
}
