'use client'

import { type KeyboardEvent, useEffect, useEffectEvent, useLayoutEffect, useRef } from 'react'
import { toCardPlace } from '#components/ui/use-popover.ts'
import { moveInMenu } from './menu-keys.ts'
import type { Place } from './row-session.ts'

type MenuOptions = {
  place: Place
  /** What the menu holds at the moment: with other items it is placed anew and begins at the first. */
  level: string
  /** Leads a level up. */
  onBack: (() => void) | undefined
  /** By a key or by a choice the focus goes back to where it came from. */
  onClose: (isByKey: boolean) => void
}

const itemsOf = (menu: HTMLElement | null) => [
  ...(menu?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? []),
]

/** A menu in the top layer: in sight beside its place, moved in by arrow keys, gone with a click elsewhere. */
export function useMenu({ place, level, onBack, onClose }: MenuOptions) {
  const element = useRef<HTMLDivElement>(null)
  const close = useEffectEvent(onClose)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another level has other items, of another size
  useLayoutEffect(() => {
    const menu = element.current
    if (!menu) return
    if (!menu.matches(':popover-open')) menu.showPopover()
    const { width, height } = menu.getBoundingClientRect()
    const sight = { width: window.innerWidth, height: window.innerHeight }
    const { left, top } = toCardPlace(place, { width, height }, sight)
    menu.style.left = `${left}px`
    menu.style.top = `${top}px`
    itemsOf(menu)[0]?.focus({ preventScroll: true })
  }, [place, level])
  useEffect(() => {
    const ended = new AbortController()
    const options = { signal: ended.signal, capture: true }
    const leave = ({ target }: Event) => {
      if (!(target instanceof Node && element.current?.contains(target))) close(false)
    }
    window.addEventListener('pointerdown', leave, options)
    window.addEventListener('scroll', leave, options)
    window.addEventListener('resize', () => close(false), options)
    return () => ended.abort()
  }, [])
  const onKeyDown = (event: KeyboardEvent) => {
    const items = itemsOf(element.current)
    const { activeElement } = document
    const at = activeElement instanceof HTMLElement ? items.indexOf(activeElement) : -1
    const texts = items.map(({ textContent }) => textContent ?? '')
    const step = moveInMenu(event.key, { at, texts })
    if (event.key === 'Escape' || event.key === 'Tab') onClose(true)
    else if (event.key === 'ArrowLeft') onBack?.()
    else if (event.key === 'ArrowRight') {
      const item = items[at]
      if (item?.hasAttribute('aria-haspopup')) item.click()
    } else if (step !== null) items[step]?.focus()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return { element, onKeyDown, close: onClose }
}
