'use client'

import {
  type CSSProperties,
  type RefObject,
  type ToggleEvent,
  useEffect,
  useRef,
  useState,
} from 'react'

type PopoverOptions = {
  /** What it opens under, right edge on right edge. */
  anchor: RefObject<HTMLElement | null>
  isOpen: boolean
  onOpen: (isOpen: boolean) => void
}

const GAP_PX = 6

/**
 * A native popover under its anchor: Escape and a click elsewhere close it, and it gives the focus back. What is
 * returned are the attributes of its element, which places itself by `--panel-top` and `--panel-right`. What has
 * `data-first` gets the focus, else the radio button that is chosen.
 */
export function usePopover({ anchor, isOpen, onOpen }: PopoverOptions) {
  const panel = useRef<HTMLDivElement>(null)
  const [place, setPlace] = useState({ top: 0, right: 0 })

  useEffect(() => {
    const element = panel.current
    if (!element) return
    const toPlace = () => {
      const rect = anchor.current?.getBoundingClientRect()
      if (!rect) return
      const width = document.documentElement.clientWidth
      setPlace({ top: rect.bottom + GAP_PX, right: Math.max(8, width - rect.right) })
    }
    if (!isOpen) {
      if (element.matches(':popover-open')) element.hidePopover()
      return
    }
    toPlace()
    if (!element.matches(':popover-open')) element.showPopover()
    element.querySelector<HTMLElement>('[data-first], input:checked')?.focus()
    const leaving = new AbortController()
    const { signal } = leaving
    window.addEventListener('resize', toPlace, { signal })
    window.addEventListener('scroll', toPlace, { signal, capture: true, passive: true })
    return () => leaving.abort()
  }, [anchor, isOpen])

  return {
    ref: panel,
    popover: 'auto',
    onToggle: ({ newState }: ToggleEvent) => {
      if (newState === 'closed') onOpen(false)
    },
    style: {
      '--panel-top': `${place.top}px`,
      '--panel-right': `${place.right}px`,
    } as CSSProperties,
  } as const
}
