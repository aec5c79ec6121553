import { formatDay } from '#components/format/instants.ts'
import type { PaneFrame } from './pane-frame.ts'
import type { Columns } from './selection.ts'
import { toX } from './time-frame.ts'

/** The elements that show a selection. They are moved by hand: a drag draws nothing anew. */
export type BandElements = { band: HTMLElement | null; note: HTMLElement | null }

/** Shows a selection over a chart, or none, and writes its days beside it. */
export function showBand(
  { band, note }: BandElements,
  frame: PaneFrame,
  columns: Columns | null,
): void {
  if (!band || !note) return
  band.hidden = columns === null
  note.hidden = columns === null
  if (columns === null) return
  const [from, to] = toRange(frame, columns)
  const [left, right] = [toX(frame, from), toX(frame, to)]
  band.style.transform = `translateX(${left}px) scaleX(${right - left})`
  note.textContent = toSelectionText(frame, columns)
  const room = frame.width - frame.right - note.offsetWidth
  const x = Math.max(frame.left, Math.min(room, (left + right - note.offsetWidth) / 2))
  note.style.transform = `translateX(${x}px)`
}

/** The instants of a selection: `to` is exclusive. Seconds since 1970. */
export const toRange = ({ edges }: PaneFrame, { from, to }: Columns): [number, number] => [
  edges[from] ?? 0,
  edges[to] ?? 0,
]

/** A selection in words, both days within it: `2024-01-01 to 2024-03-03`. */
export function toSelectionText(frame: PaneFrame, columns: Columns): string {
  const [from, to] = toRange(frame, columns)
  return `${formatDay(from)} to ${formatDay(to - 1)}`
}
