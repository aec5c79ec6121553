import type { PaneFrame } from './pane-frame.ts'
import { PointMarks } from './point-marks.tsx'
import { toRuns } from './runs.ts'
import { toSides } from './time-frame.ts'

type BeyondMarksProps = {
  /** The buckets in which something lies beyond the edge, rising. */
  columns: readonly number[]
  frame: PaneFrame
  side: 'above' | 'below'
  /** The edge, in pixels from the pane's top. */
  y: number
}

/** How far triangles stand apart on a long run, in pixels. */
const APART = 90

/** The edge is drawn where something lies beyond it, with a triangle that points there. */
export function BeyondMarks({ columns, frame, side, y }: BeyondMarksProps) {
  const runs = toRuns(columns).map(({ from, to }) => {
    const [left] = toSides(frame, from)
    const [, right] = toSides(frame, to)
    return { left, right }
  })
  if (runs.length === 0) return null
  return (
    <>
      <path
        className="forced-colors:[stroke:CanvasText]"
        d={runs.map(({ left, right }) => `M${left.toFixed(1)} ${y}H${right.toFixed(1)}`).join('')}
        stroke="var(--ink-3)"
        strokeOpacity={0.6}
      />
      <PointMarks colour="var(--ink-2)" marks={toTriangles(runs, y)} shape={side} size={3.5} />
    </>
  )
}

/** One in the middle of each run, more on a long one, none where it would touch the one before. */
function toTriangles(runs: readonly { left: number; right: number }[], y: number) {
  let last = Number.NEGATIVE_INFINITY
  return runs.flatMap(({ left, right }) => {
    const count = Math.max(1, Math.floor((right - left) / APART))
    return Array.from({ length: count }, (_, index) => ({
      x: left + ((right - left) * (index + 0.5)) / count,
      y,
    })).filter(({ x }) => {
      const isFree = x - last >= 10
      if (isFree) last = x
      return isFree
    })
  })
}
