'use client'

import { useMemo } from 'react'
import { Line } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import { CountBars } from './count-bars.tsx'
import { toCountScale } from './count-scale.ts'
import type { PaneFrame } from './pane-frame.ts'
import { PANE_HEIGHTS } from './pane-sizes.ts'
import { PaneTitle } from './pane-title.tsx'
import { TimePane } from './time-pane.tsx'

/** How many ratings were active at each bucket's end, as steps, and how many were posted in it, as bars. */
export function CountsPane({ frame, bucket }: { frame: PaneFrame; bucket: string }) {
  const { points } = frame
  const { formatCount } = useFormats()
  const scale = useMemo(
    () => toCountScale(points.flatMap((point) => [point.active, point.posted])),
    [points],
  )
  return (
    <>
      <PaneTitle
        title="Number of ratings"
        legend={[
          { mark: 'line', label: 'active', colour: 'var(--ink)' },
          { mark: 'bar', label: `posted that ${bucket}`, colour: 'var(--ink-3)' },
        ]}
      />
      <TimePane
        frame={frame}
        height={PANE_HEIGHTS.counts}
        label="Number of ratings"
        name="counts"
        showsTime
        yAxis={{
          domain: [0, scale.bound],
          ticks: scale.ticks,
          tickFormatter: formatCount,
        }}
      >
        <CountBars
          bars={points.map(({ t, posted }) => ({ t, count: posted }))}
          bucketSeconds={frame.bucketSeconds}
          colour="var(--ink-3)"
          span={frame.span}
        />
        <Line
          activeDot={{ r: 3, fill: 'var(--ink)', stroke: 'var(--surface)' }}
          className="forced-colors:[&_path]:[stroke:CanvasText]"
          dataKey="active"
          dot={false}
          isAnimationActive={false}
          stroke="var(--ink)"
          strokeWidth={1.5}
          type="stepAfter"
        />
      </TimePane>
    </>
  )
}
