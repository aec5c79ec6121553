import { flushSync } from 'react-dom'
import type { RowContext } from './table-session.ts'

type Context = Pick<RowContext, 'session' | 'frame'>

type Frame = Context['frame']

export const findRow = (id: number | null, frame: Frame): HTMLElement | null =>
  frame.current?.querySelector<HTMLElement>(
    id === null ? 'tr[data-rating]' : `tr[data-rating="${id}"]`,
  ) ?? null

/** The first row if there is no such row. */
export function focusRow(id: number | null, frame: Frame): void {
  const row = findRow(id, frame) ?? findRow(null, frame)
  row?.focus({ preventScroll: true })
}

export function goToRow(id: number, { session, frame }: Context): void {
  // The cursor's row is always rendered.
  flushSync(() => session.set({ cursor: id }))
  const row = findRow(id, frame)
  if (!frame.current || !row) return
  row.focus({ preventScroll: true })
  revealRow(row, frame.current)
  revealInWindow(row, headHeight(frame.current))
}

const GAP_PX = 8

function revealInWindow(row: Element, head: number) {
  const { top, bottom } = row.getBoundingClientRect()
  if (bottom > window.innerHeight) window.scrollBy(0, bottom - window.innerHeight + GAP_PX)
  else if (top < head) window.scrollBy(0, top - head - GAP_PX)
}

export function pageSteps({ frame }: Pick<Context, 'frame'>): number {
  const row = findRow(null, frame)
  if (!frame.current || !row) return 1
  const seenPx = frame.current.clientHeight - headHeight(frame.current)
  return Math.max(1, Math.floor(seenPx / row.getBoundingClientRect().height) - 1)
}

const headHeight = (frame: Element): number =>
  frame.querySelector('thead')?.getBoundingClientRect().height ?? 0

export function revealRow(row: Element, frame: Element): void {
  const seen = frame.getBoundingClientRect()
  const { top, bottom } = row.getBoundingClientRect()
  const first = seen.top + headHeight(frame)
  const last = seen.top + frame.clientHeight
  if (top < first) frame.scrollTop -= first - top
  else if (bottom > last) frame.scrollTop += bottom - last
}
