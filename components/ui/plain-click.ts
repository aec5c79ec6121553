import type { MouseEvent } from 'react'

/** A click that asks for this page to change; with another button or a modifier key it opens the link elsewhere. */
export const isPlainClick = (event: MouseEvent): boolean =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey
