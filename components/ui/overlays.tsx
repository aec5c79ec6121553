'use client'

import {
  type ComponentProps,
  type MouseEvent,
  type RefObject,
  type ToggleEvent,
  useLayoutEffect,
  useRef,
} from 'react'

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

const MARGIN_PX = 8
const GAP_PX = 4

/** Lays a popover of a width (px) under the button that opens it, right edge on right edge, within the window. */
export function placeUnder(
  button: HTMLElement | null,
  widthPx: number,
  { currentTarget: { style }, newState }: ToggleEvent<HTMLElement>,
) {
  const about = button?.getBoundingClientRect()
  if (!about || newState !== 'open') return
  const most = window.innerWidth - widthPx - MARGIN_PX
  style.right = `${Math.max(MARGIN_PX, Math.min(window.innerWidth - about.right, most))}px`
  style.top = `${about.bottom + GAP_PX}px`
  style.maxHeight = `${window.innerHeight - about.bottom - GAP_PX - MARGIN_PX}px`
}

/**
 * Opens and closes a native popover by a button outside it. A press elsewhere closes the popover, and the button is
 * elsewhere: what counts is what was there when the press began.
 */
export function usePressToggle(isOpen: boolean, setOpen: (isOpen: boolean) => void) {
  const openAtPress = useRef(false)
  return {
    onPointerDown: () => {
      openAtPress.current = isOpen
    },
    toggle: ({ detail }: Pick<MouseEvent, 'detail'>) =>
      setOpen(detail === 0 ? !isOpen : !openAtPress.current),
  }
}
