'use client'

import { type ComponentProps, type RefObject, useLayoutEffect } from 'react'

type ModalDialogProps = Omit<ComponentProps<'dialog'>, 'ref' | 'open' | 'onClose'> & {
  ref: RefObject<HTMLDialogElement | null>
  onClose: () => void
}

export function ModalDialog({ ref, onClose, ...rest }: ModalDialogProps) {
  // Closes before removal: a removed dialog does not return the focus.
  useLayoutEffect(() => {
    const dialog = ref.current
    dialog?.showModal()
    return () => dialog?.close()
  }, [ref])
  return (
    <dialog
      ref={ref}
      // Asynchronous; the dialog may be open again.
      onClose={({ currentTarget }) => !currentTarget.open && onClose()}
      {...rest}
    />
  )
}
