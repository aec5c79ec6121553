'use client'

import { useMemo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { ChartReader } from './chart-reader.tsx'
import { ConsensusPane } from './consensus-pane.tsx'
import { type Drawing, toDrawing } from './drawing.ts'
import { toMarksToOpen, toReaderPanes } from './drawing-readings.ts'
import type { TimePanesProps } from './pane-frame.ts'
import { PANES_HEIGHT } from './pane-sizes.ts'
import { type PaneViews, toPaneViews } from './pane-view.ts'
import { PanesBox } from './panes-box.tsx'
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
    <PanesBox
      box={ref}
      height={PANES_HEIGHT}
      reader={<PanesReader {...props} drawing={views[0].drawing} />}
      width={width}
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
    </PanesBox>
  )
}

function useViews(props: TimePanesProps, width: number): PaneViews {
  const { points, bucketSeconds, bucket, dots, pending, moves, trend } = props
  return useMemo(
    () =>
      toPaneViews(width, (wide) =>
        toDrawing({ points, bucketSeconds, bucket, dots, pending, moves, trend, width: wide }),
      ),
    [points, bucketSeconds, bucket, dots, pending, moves, trend, width],
  )
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
