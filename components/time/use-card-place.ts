'use client'

import { type RefObject, useEffect, useLayoutEffect } from 'react'
import { isInSight, toCardPlace } from './card-place.ts'

const STILL_THERE_MS = 400

type Placed = {
  card: RefObject<HTMLElement | null>
  time: HTMLElement
  /** The time is gone, out of sight, or another. Stays the same function, or the card is placed anew. */
  onGone: () => void
}

/** Lays a card over the page, beside its time, and keeps it there. */
export function useCardPlace({ card, time, onGone }: Placed) {
  useLayoutEffect(() => {
    const box = card.current
    if (!box) return
    if (!box.matches(':popover-open')) box.showPopover()
    place(box, time)
  }, [card, time])

  useEffect(() => {
    const follow = () => {
      if (!card.current) return
      if (isInSight(time.getBoundingClientRect(), window.innerHeight)) place(card.current, time)
      else onGone()
    }
    const shown = time.getAttribute('datetime')
    // Rows come and go without a word.
    const timer = setInterval(() => {
      if (!time.isConnected || time.getAttribute('datetime') !== shown) onGone()
    }, STILL_THERE_MS)
    window.addEventListener('scroll', follow, { capture: true, passive: true })
    window.addEventListener('resize', follow)
    return () => {
      clearInterval(timer)
      window.removeEventListener('scroll', follow, { capture: true })
      window.removeEventListener('resize', follow)
    }
  }, [card, time, onGone])
}

function place(box: HTMLElement, time: HTMLElement) {
  const { left, top } = toCardPlace(time.getBoundingClientRect(), box.getBoundingClientRect(), {
    width: document.documentElement.clientWidth,
    height: window.innerHeight,
  })
  box.style.left = `${left}px`
  box.style.top = `${top}px`
}
