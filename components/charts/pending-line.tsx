import type { PaneFrame } from './pane-frame.ts'
import { type PaneScale, toY } from './pane-scale.ts'
import { toStepPath } from './steps.ts'
import { toX } from './time-frame.ts'
import type { PendingPoint } from './time-point.ts'

type PendingLineProps = {
  frame: PaneFrame
  scale: PaneScale
  pending: readonly PendingPoint[]
}

/** The consensus that would be left, from now on, each value until the next. */
export function PendingLine({ frame, scale, pending }: PendingLineProps) {
  if (pending.length < 2) return null
  const steps = pending.map(({ t, consensus }) => ({
    x: toX(frame, t),
    value: consensus === null ? null : toY(scale, consensus),
  }))
  return (
    <path
      className="forced-colors:[stroke:CanvasText]"
      d={toStepPath(steps)}
      fill="none"
      stroke="var(--ink)"
      strokeDasharray="3 2.5"
      strokeWidth={1.5}
    />
  )
}
