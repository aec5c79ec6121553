import type { PaneFrame } from './pane-frame.ts'
import { toTicksPath } from './path-text.ts'
import { toSides } from './time-frame.ts'

type BeyondMarksProps = {
  /** The buckets in which something lies beyond the edge, rising. */
  columns: readonly number[]
  frame: PaneFrame
  side: 'above' | 'below'
  /** The edge, in pixels from the pane's top. */
  y: number
}

/** A tick at the edge for each bucket in which something lies beyond it: as many are seen as there are. */
export function BeyondMarks(props: BeyondMarksProps) {
  if (props.columns.length === 0) return null
  return (
    <path
      className="forced-colors:[stroke:CanvasText]"
      d={toTicksPath(toEdgePlaces(props), props.side === 'above' ? -TICK : TICK)}
      data-mark="beyond"
      stroke="var(--ink-2)"
    />
  )
}

/** In pixels, away from the pane. */
const TICK = 4

/** The middle of each bucket, at the edge. */
export const toEdgePlaces = ({ columns, frame, y }: Omit<BeyondMarksProps, 'side'>) =>
  columns.map((column) => {
    const [left, right] = toSides(frame, column)
    return { x: (left + right) / 2, y }
  })
