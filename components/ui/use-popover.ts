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

type Box = Pick<DOMRect, 'left' | 'top' | 'bottom' | 'width' | 'height'>
type Size = { width: number; height: number }

const MARGIN_PX = 8
const CARD_PLACE_GAP_PX = 4

/** Where a card stands for what it is about, in pixels of the window: below it, else above, and always in sight. */
export function toCardPlace(about: Box, card: Size, sight: Size): { left: number; top: number } {
  const below = about.bottom + CARD_PLACE_GAP_PX
  const above = about.top - CARD_PLACE_GAP_PX - card.height
  const fitsBelow = below + card.height <= sight.height - MARGIN_PX
  const top = fitsBelow || above < MARGIN_PX ? below : above
  return {
    left: within(about.left, sight.width - card.width - MARGIN_PX),
    top: within(top, sight.height - card.height - MARGIN_PX),
  }
}

/** Is any of it in sight? */
export const isInSight = ({ top, bottom }: Pick<DOMRect, 'top' | 'bottom'>, height: number) =>
  bottom > 0 && top < height

const within = (place: number, most: number) => Math.max(MARGIN_PX, Math.min(place, most))
