'use client'

import { type MouseEvent, useRef } from 'react'

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
