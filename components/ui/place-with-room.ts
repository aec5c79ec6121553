import type { ToggleEvent } from 'react'

const MARGIN_PX = 8
const GAP_PX = 4

type Beside = {
  widthPx: number
  /** Where its left edge is wanted (px), if not under the button's. */
  leftPx?: number | undefined
}

/**
 * Lays a popover of a width above or below the button that opens it, wherever there is more room, so that none of it
 * lies beyond the window.
 */
export function placeWithRoom(
  button: HTMLElement | null,
  { widthPx, leftPx }: Beside,
  { currentTarget: { style }, newState }: ToggleEvent<HTMLElement>,
) {
  const about = button?.getBoundingClientRect()
  if (!about || newState !== 'open') return
  const most = window.innerWidth - widthPx - MARGIN_PX
  const below = window.innerHeight - about.bottom
  const isAbove = about.top > below
  style.left = `${Math.max(MARGIN_PX, Math.min(leftPx ?? about.left, most))}px`
  style.top = isAbove ? 'auto' : `${about.bottom + GAP_PX}px`
  style.bottom = isAbove ? `${window.innerHeight - about.top + GAP_PX}px` : 'auto'
  style.maxHeight = `${Math.max(about.top, below) - GAP_PX - MARGIN_PX}px`
}
