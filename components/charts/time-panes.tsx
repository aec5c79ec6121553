'use client'

import { useId, useMemo } from 'react'
import { ConsensusPane } from './consensus-pane.tsx'
import { CountsPane } from './counts-pane.tsx'
import type { PaneFrame, PointReading } from './pane-frame.ts'
import { AXIS_WIDTH, PANES_HEIGHT } from './pane-sizes.ts'
import { PredictionPane } from './prediction-pane.tsx'
import { type TimePoint, toTimeSpan } from './time-point.ts'
import { toTimeTicks } from './time-ticks.ts'
import { useWidth } from './use-width.ts'

const TICK_WIDTH = 72

type TimePanesProps = {
  /** At least one. */
  points: readonly TimePoint[]
  bucketSeconds: number
  /** What the title calls a bucket: "week". */
  bucket: string
  /** The exact texts of the point at an index. */
  describe: (index: number) => PointReading
}

/** Consensus, prediction and counts, one under the other on one time axis; pointer and keys move all three. */
export function TimePanes({ points, bucketSeconds, bucket, describe }: TimePanesProps) {
  const syncId = useId()
  const [ref, width] = useWidth()
  const frame = useMemo<PaneFrame>(() => {
    const span = toTimeSpan(points, bucketSeconds)
    const fitting = Math.max(2, Math.floor((width - AXIS_WIDTH) / TICK_WIDTH))
    const ticks = toTimeTicks(...span, fitting)
    return { points, bucketSeconds, span, ticks, width, syncId, describe }
  }, [points, bucketSeconds, width, syncId, describe])
  return (
    <div ref={ref} className="min-w-0 overflow-hidden" style={{ height: PANES_HEIGHT }}>
      {width > 0 && (
        <>
          <ConsensusPane frame={frame} bucket={bucket} />
          <PredictionPane frame={frame} bucket={bucket} />
          <CountsPane frame={frame} bucket={bucket} />
        </>
      )}
    </div>
  )
}
