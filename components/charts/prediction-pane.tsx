'use client'

import { useMemo } from 'react'
import { Line, ReferenceLine } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { PaneFrame } from './pane-frame.ts'
import { PANE_HEIGHTS } from './pane-sizes.ts'
import { PaneTitle } from './pane-title.tsx'
import { type PercentScale, toClipped } from './percent-scale.ts'
import { PointMarks } from './point-marks.tsx'
import { toPredictionScale } from './prediction-scale.ts'
import { TimePane } from './time-pane.tsx'
import type { TimePoint } from './time-point.ts'

/** The mean prediction of the active set as steps, that of what was posted as dots, around zero. */
export function PredictionPane({ frame, bucket }: { frame: PaneFrame; bucket: string }) {
  const { points } = frame
  const { formatPrediction } = useFormats()
  const scale = useMemo(() => toPredictionScale(points), [points])
  const drawn = useMemo(() => points.map((point) => toDrawn(point, scale)), [points, scale])
  return (
    <>
      <PaneTitle
        title="Mean prediction"
        legend={[
          { mark: 'line', label: 'of active ratings', colour: 'var(--rating-5)' },
          { mark: 'dots', label: `posted that ${bucket}`, colour: 'var(--ink-3)' },
        ]}
      />
      <TimePane
        data={drawn}
        frame={frame}
        height={PANE_HEIGHTS.prediction}
        label="Mean prediction"
        name="prediction"
        yAxis={{
          domain: [-scale.bound, scale.bound],
          ticks: scale.ticks,
          tickFormatter: (percent: number) => formatPrediction(String(percent)),
          padding: { top: 8, bottom: 8 },
        }}
      >
        <ReferenceLine stroke="var(--edge)" y={0} />
        <PointMarks
          colour="var(--ink-3)"
          marks={drawn.flatMap(({ t, dot: value }) => (value === null ? [] : [{ t, value }]))}
          size={3}
        />
        {(['above', 'below'] as const).map((side) => (
          <PointMarks
            key={side}
            colour="var(--ink)"
            marks={selectBeyond(points, scale, side)}
            shape={side}
            size={3.5}
          />
        ))}
        <Line
          activeDot={{ r: 3, fill: 'var(--rating-5)', stroke: 'var(--surface)' }}
          className="forced-colors:[&_path]:[stroke:CanvasText]"
          dataKey="line"
          dot={false}
          isAnimationActive={false}
          stroke="var(--rating-5)"
          strokeWidth={1.75}
          type="stepAfter"
        />
      </TimePane>
    </>
  )
}

const toDrawn = (point: TimePoint, { bound }: PercentScale) => ({
  t: point.t,
  line: toClipped(point.activePrediction, bound),
  dot: toClipped(point.postedPrediction, bound),
})

/** A triangle on the edge for every bucket with a value beyond it. */
function selectBeyond(
  points: readonly TimePoint[],
  { bound }: PercentScale,
  side: 'above' | 'below',
) {
  const isBeyond = (value: number | null) =>
    value !== null && (side === 'above' ? value > bound : value < -bound)
  const edge = side === 'above' ? bound : -bound
  return points
    .filter((point) => isBeyond(point.activePrediction) || isBeyond(point.postedPrediction))
    .map(({ t }) => ({ t, value: edge }))
}
