import type { ToggleEvent } from 'react'

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
