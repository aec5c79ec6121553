import { flushSync } from 'react-dom'
import type { RowContext } from './table-session.ts'

type Context = Pick<RowContext, 'session' | 'frame'>

/** Puts the keyboard at a row and brings it into sight, below the header that stays. */
export function goToRow(id: number, { session, frame }: Context): void {
  // Rows that are out of sight are not drawn, but the one that the keyboard is at always is.
  flushSync(() => session.set({ cursor: id }))
  const row = frame.current?.querySelector<HTMLElement>(`tr[data-rating="${id}"]`)
  if (!frame.current || !row) return
  row.focus({ preventScroll: true })
  revealRow(row, frame.current)
  revealInWindow(row, headHeight(frame.current))
}

const GAP_PX = 8

/** On a small screen the frame itself may be out of sight. */
function revealInWindow(row: Element, head: number) {
  const { top, bottom } = row.getBoundingClientRect()
  if (bottom > window.innerHeight) window.scrollBy(0, bottom - window.innerHeight + GAP_PX)
  else if (top < head) window.scrollBy(0, top - head - GAP_PX)
}

/** How many rows are seen at once, less one. */
export function pageSteps({ frame }: Pick<Context, 'frame'>): number {
  const row = frame.current?.querySelector('tr[data-rating]')
  if (!frame.current || !row) return 1
  const seenPx = frame.current.clientHeight - headHeight(frame.current)
  return Math.max(1, Math.floor(seenPx / row.getBoundingClientRect().height) - 1)
}

/** How much of the frame the header takes, which stays. */
export const headHeight = (frame: Element): number =>
  frame.querySelector('thead')?.getBoundingClientRect().height ?? 0

/** Scrolls the table until a row is in sight, below the header, where it is not. */
export function revealRow(row: Element, frame: Element): void {
  const seen = frame.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  const first = seen.top + headHeight(frame)
  const last = seen.top + frame.clientHeight
  if (top < first) frame.scrollTop -= first - top
  else if (bottom > last) frame.scrollTop += bottom - last
}
