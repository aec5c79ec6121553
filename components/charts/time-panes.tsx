'use client'

import { useMemo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { ChartReader } from './chart-reader.tsx'
import { ConsensusPane } from './consensus-pane.tsx'
import { toDrawing } from './drawing.ts'
import { toMarksToOpen, toReaderPanes } from './drawing-readings.ts'
import type { TimePanesProps } from './pane-frame.ts'
import { PANES_HEIGHT } from './pane-sizes.ts'
import { PredictionPane } from './prediction-pane.tsx'
import { TrendPane } from './trend-pane.tsx'
import { useWidth } from './use-width.ts'

/** Consensus, prediction and recommendation trend, one under the other on one time axis. */
export function TimePanes(props: TimePanesProps) {
  const [ref, width] = useWidth()
  return (
    <div ref={ref} className="relative min-w-0 overflow-hidden" style={{ height: PANES_HEIGHT }}>
      {width > 0 && <Panes {...props} width={width} />}
    </div>
  )
}

function Panes({ width, ...props }: TimePanesProps & { width: number }) {
  const { points, bucketSeconds, bucket, dots, pending, moves, trend, onOpen } = props
  const formats = useFormats()
  const drawing = useMemo(
    () => toDrawing({ points, bucketSeconds, bucket, dots, pending, moves, trend, width }),
    [points, bucketSeconds, bucket, dots, pending, moves, trend, width],
  )
  const marks = useMemo(() => toMarksToOpen(drawing, formats), [drawing, formats])
  const panes = useMemo(() => toReaderPanes(points, drawing), [points, drawing])
  const shared = { drawing, points, bucket }
  return (
    <>
      <ConsensusPane
        {...shared}
        density={props.density}
        edge={props.edge}
        pending={pending}
        showsWeighted={props.showsWeighted}
      />
      <PredictionPane {...shared} />
      <TrendPane {...shared} unit={trend} />
      <ChartReader
        describe={props.describe}
        frame={drawing.frame}
        label="Rating and prediction over time"
        onZoom={props.onZoom}
        panes={panes}
        {...(onOpen ? { marks: marks.rated, twins: marks.predicted, onOpen } : {})}
      />
    </>
  )
}
