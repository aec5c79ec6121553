'use client'

import { Line } from 'recharts'
import type { PaneFrame } from './pane-frame.ts'
import { PANE_HEIGHTS } from './pane-sizes.ts'
import { PaneTitle } from './pane-title.tsx'
import { type PointMark, PointMarks } from './point-marks.tsx'
import { TimePane } from './time-pane.tsx'
import { isLone, type TimePoint } from './time-point.ts'

const RATINGS = [1, 2, 3, 4, 5] as const
const Y_AXIS = {
  domain: [1, 5] as [number, number],
  ticks: [...RATINGS],
  padding: { top: 8, bottom: 8 },
}

/** The consensus as steps on the whole scale, and the mean of what was posted in each bucket as dots. */
export function ConsensusPane({ frame, bucket }: { frame: PaneFrame; bucket: string }) {
  return (
    <>
      <PaneTitle
        title="Consensus of active ratings, 1–5"
        legend={[
          { mark: 'line', label: 'consensus', colour: 'var(--ink)' },
          { mark: 'dots', label: `mean posted that ${bucket}`, colour: 'var(--rating-4)' },
        ]}
      />
      <TimePane
        frame={frame}
        height={PANE_HEIGHTS.consensus}
        label="Consensus of active ratings"
        name="consensus"
        yAxis={Y_AXIS}
      >
        {RATINGS.map((rating) => (
          <PointMarks
            key={rating}
            colour={`var(--rating-${rating})`}
            marks={selectPosted(frame.points, rating)}
          />
        ))}
        <PointMarks colour="var(--ink)" marks={selectStanding(frame.points)} />
        <Line
          activeDot={{ r: 3.5, fill: 'var(--ink)', stroke: 'var(--surface)' }}
          className="forced-colors:[&_path]:[stroke:CanvasText]"
          dataKey="consensus"
          dot={false}
          isAnimationActive={false}
          stroke="var(--ink)"
          strokeWidth={1.75}
          type="stepAfter"
        />
      </TimePane>
    </>
  )
}

/** The means that are drawn in one rating's colour: those nearest to it. */
const selectPosted = (points: readonly TimePoint[], rating: number): PointMark[] =>
  points.flatMap(({ t, postedRating: value }) =>
    value !== null && Math.round(value) === rating ? [{ t, value }] : [],
  )

/** Where the line cannot be seen or ends: points between two gaps, and the last one. */
function selectStanding(points: readonly TimePoint[]): PointMark[] {
  const values = points.map((point) => point.consensus)
  return points.flatMap(({ t, consensus: value }, index) =>
    value !== null && (isLone(values, index) || index === points.length - 1) ? [{ t, value }] : [],
  )
}
