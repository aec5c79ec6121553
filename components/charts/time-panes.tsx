'use client'

import { useMemo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { ChartReader } from './chart-reader.tsx'
import { ConsensusPane } from './consensus-pane.tsx'
import { type Drawing, toDrawing } from './drawing.ts'
import { toMarksToOpen, toReaderPanes } from './drawing-readings.ts'
import type { TimePanesProps } from './pane-frame.ts'
import { NARROW_ONLY, NARROW_WIDTH, PANES_HEIGHT, WIDE_ONLY, WIDE_WIDTH } from './pane-sizes.ts'
import type { PaneViews } from './pane-view.ts'
import { PredictionPane } from './prediction-pane.tsx'
import { TrendPane } from './trend-pane.tsx'
import { useWidth } from './use-width.ts'

/**
 * Consensus, prediction and recommendation trend, one under the other on one time axis. They come drawn with the page,
 * for no width in particular; where scripts run they are drawn for their own, and then read and zoomed.
 */
export function TimePanes(props: TimePanesProps) {
  const [ref, width] = useWidth()
  const { points, bucket, pending, trend } = props
  const views = useViews(props, width)
  const shared = { views, points, bucket }
  return (
    <div
      ref={ref}
      className="@container relative min-w-0 overflow-hidden"
      style={{ height: PANES_HEIGHT }}
    >
      <div
        className="[--axis:112px] @max-[640px]:[--axis:48px]"
        style={width > 0 ? { width } : undefined}
      >
        <ConsensusPane
          {...shared}
          density={props.density}
          edge={props.edge}
          pending={pending}
          showsWeighted={props.showsWeighted}
        />
        <PredictionPane {...shared} />
        <TrendPane {...shared} unit={trend} />
      </div>
      {width > 0 && <PanesReader {...props} drawing={views[0].drawing} />}
    </div>
  )
}

/** The drawing for a width; before it is known (0), one for the marks of any, and texts for a narrow and a wide one. */
function useViews(props: TimePanesProps, width: number): PaneViews {
  const { points, bucketSeconds, bucket, dots, pending, moves, trend } = props
  return useMemo(() => {
    const draw = (wide: number) =>
      toDrawing({ points, bucketSeconds, bucket, dots, pending, moves, trend, width: wide })
    if (width > 0) return [{ drawing: draw(width) }]
    return [
      { drawing: draw(WIDE_WIDTH), className: WIDE_ONLY },
      { drawing: draw(NARROW_WIDTH), className: NARROW_ONLY },
    ]
  }, [points, bucketSeconds, bucket, dots, pending, moves, trend, width])
}

function PanesReader({ drawing, ...props }: TimePanesProps & { drawing: Drawing }) {
  const { points, onOpen } = props
  const formats = useFormats()
  const marks = useMemo(() => toMarksToOpen(drawing, formats), [drawing, formats])
  const panes = useMemo(() => toReaderPanes(points, drawing), [points, drawing])
  return (
    <ChartReader
      describe={props.describe}
      frame={drawing.frame}
      label="Rating and prediction over time"
      onZoom={props.onZoom}
      panes={panes}
      {...(onOpen ? { marks: marks.rated, twins: marks.predicted, onOpen } : {})}
    />
  )
}
