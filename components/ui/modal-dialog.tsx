'use client'

import { type ComponentProps, type RefObject, useLayoutEffect } from 'react'

type ModalDialogProps = Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'onClose'> & {
  ref: RefObject<HTMLDialogElement | null>
  onClose: () => void
}

/** A native dialog over the page, open as long as it is mounted. Closed, it gives the focus back. */
export function ModalDialog({ ref, onClose, ...rest }: ModalDialogProps) {
  // Before it is taken out of the page: a dialog that is gone gives no focus back.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [ref])
  return (
    <dialog
      ref={ref}
      // The event comes late: where the dialog is open again by then, nobody closed it.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      {...rest}
    />
  )
}
