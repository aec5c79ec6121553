'use client'

import type { KeyboardEvent, MouseEvent, SyntheticEvent } from 'react'
import { isPlainClick } from '#components/ui/button.tsx'
import { useLazyEvents } from '#components/ui/use-lazy-events.ts'
import { isRatingLink, type RowContext } from './row-context.ts'
import type { RowSession } from './row-session.ts'

const load = () => import('./row-actions.ts')

/** The handlers of the table's body: all rows share them. */
export function useRowEvents(context: RowContext) {
  const act = useLazyEvents({ load, isTaken, context })
  return {
    onClick: act,
    onMouseDown: act,
    onPointerDown: act,
    onPointerOver: act,
    onContextMenu: act,
    onKeyDown: act,
    onFocus: act,
  }
}

const isText = () => window.getSelection()?.type === 'Range'

/** The keys of a row, wherever in it the focus is, and those of the row alone: a link in it has its own Enter. */
const KEYS = /^(Arrow(Up|Down)|Home|End|Page(Up|Down)|ContextMenu|f)$/
const OWN_KEYS = /^(Enter| )$/

function isTaken(event: SyntheticEvent, { session }: RowContext): boolean {
  switch (event.type) {
    case 'keydown':
      return isTakenKey(event as KeyboardEvent, session)
    case 'contextmenu':
      // Shift leaves the browser's own menu, and so does a text that somebody has just marked.
      return !(event as MouseEvent).shiftKey && !isText()
    case 'mousedown':
      // Shift would mark the text between two clicks.
      return (event as MouseEvent).shiftKey
    case 'click':
      return isRatingLink(event) && isPlainClick(event as MouseEvent)
    default:
      return false
  }
}

function isTakenKey(event: KeyboardEvent, session: RowSession): boolean {
  const { key, target, altKey, shiftKey } = event
  if (altKey || event.defaultPrevented) return false
  if (event.ctrlKey || event.metaKey) {
    const { selected } = session.get()
    return key === 'a' || (key === 'c' && selected.size > 0 && !isText())
  }
  if (key === 'F10') return shiftKey
  if (OWN_KEYS.test(key)) return target instanceof HTMLTableRowElement
  if (key === 'Escape') return session.get().open !== null || session.get().selected.size > 0
  return KEYS.test(key)
}
