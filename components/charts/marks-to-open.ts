import type { PaneFrame } from './pane-frame.ts'
import { toColumn } from './time-frame.ts'

/** Something single in a chart that can be opened; its place in pixels from the overlay's corner. */
export type MarkToOpen = { id: number; x: number; y: number; text: string }

/** How near a pointer must come, in pixels. */
const REACH = 8

/** The mark at a place: the nearest within reach. */
export function selectMark(
  marks: readonly MarkToOpen[],
  place: { x: number; y: number },
): MarkToOpen | null {
  let best: MarkToOpen | null = null
  let least = REACH
  for (const mark of marks) {
    const distance = Math.hypot(mark.x - place.x, mark.y - place.y)
    if (distance <= least) [best, least] = [mark, distance]
  }
  return best
}

type Step = { step: number; frame: PaneFrame; index: number | null }

/**
 * The mark before or after another one; from a bucket, the first or last within it or beyond. Marks are in the order
 * of time, and there is at least one. `column` is the bucket that the mark stands in.
 */
export function nextMark(
  marks: readonly MarkToOpen[],
  from: MarkToOpen | null,
  { step, frame, index }: Step,
): { mark: MarkToOpen | null; column: number } {
  const columns = marks.map((mark) => toColumn(frame, mark.x))
  const found = from
    ? marks.findIndex(({ id }) => id === from.id) + step
    : toEntry(columns, index, step)
  const at = Math.max(0, Math.min(marks.length - 1, found))
  return { mark: marks[at] ?? null, column: columns[at] ?? 0 }
}

function toEntry(columns: readonly number[], index: number | null, step: number): number {
  if (index === null) return step > 0 ? 0 : columns.length - 1
  if (step < 0) return columns.findLastIndex((column) => column <= index)
  const entry = columns.findIndex((column) => column >= index)
  return entry < 0 ? columns.length - 1 : entry
}
