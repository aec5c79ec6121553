'use client'

import { memo, useMemo } from 'react'
import { Area, Line, ReferenceLine } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import { BeyondMarks } from './beyond-marks.tsx'
import type { Drawing } from './drawing.ts'
import { Landmarks } from './landmarks.tsx'
import { isNarrow, PANE_HEIGHTS } from './pane-sizes.ts'
import { type LegendItem, PaneTitle } from './pane-title.tsx'
import { toClipped } from './percent-scale.ts'
import { toBoundText } from './prediction-scale.ts'
import { RatingDots } from './rating-dots.tsx'
import { toStepRows } from './steps.ts'
import { STILL_LINE, TimePane } from './time-pane.tsx'
import type { TimePoint } from './time-point.ts'

type PredictionPaneProps = {
  drawing: Drawing
  points: readonly TimePoint[]
  bucket: string
}

/** Median and middle half of the active predictions around zero, and how far the lowest and the highest go. */
export const PredictionPane = memo(function PredictionPane(props: PredictionPaneProps) {
  const { drawing, points, bucket } = props
  const { frame, ends, percents, percentScale: scale, predicted, landmarks } = drawing
  const formats = useFormats()
  const rows = useMemo(() => toRows(points, ends, percents.bound), [points, ends, percents])
  const beyond = `${formats.formatCount(percents.beyond)} of ${formats.formatCounted(points.length, bucket)} beyond ${toBoundText(percents.bound, formats)}`
  return (
    <div data-pane="prediction">
      <PaneTitle
        indent={frame.left}
        legend={[
          { mark: 'line', label: 'median', colour: 'var(--rating-5)' },
          { mark: 'block', label: 'middle half', colour: BAND_COLOUR },
          { mark: 'faint', label: 'lowest and highest', colour: 'var(--ink-3)' },
          ...(percents.beyond > 0 ? [toBeyondItem(beyond)] : []),
        ]}
        title={isNarrow(frame.width) ? 'Prediction' : 'Prediction, active ratings'}
      />
      <TimePane
        frame={frame}
        height={PANE_HEIGHTS.prediction}
        rows={rows}
        scale={scale}
        format={(percent: number) => formats.formatPrediction(String(percent))}
        ticks={percents.ticks}
      >
        <ReferenceLine
          zIndex={0}
          className="forced-colors:[&_line]:[stroke:CanvasText]"
          stroke="var(--edge)"
          y={0}
        />
        <Area
          {...STEP}
          activeDot={false}
          dataKey="band"
          fill="var(--rating-5)"
          fillOpacity={0.16}
          stroke="none"
        />
        {(['low', 'high'] as const).map((key) => (
          <Line
            {...STEP}
            {...INK}
            key={key}
            dataKey={key}
            stroke="var(--ink-3)"
            strokeOpacity={0.6}
            strokeWidth={1}
          />
        ))}
        <RatingDots dots={predicted} />
        <Landmarks {...landmarks} bottom={PANE_HEIGHTS.prediction} top={0} />
        <BeyondMarks columns={percents.above} frame={frame} side="above" y={scale.high} />
        <BeyondMarks columns={percents.below} frame={frame} side="below" y={scale.low} />
        <Line {...STEP} {...INK} dataKey="median" stroke="var(--rating-5)" strokeWidth={1.75} />
      </TimePane>
    </div>
  )
})

const BAND_COLOUR = 'color-mix(in srgb, var(--rating-5) 28%, transparent)'
const STEP = { ...STILL_LINE, type: 'stepAfter' } as const
const INK = { className: 'forced-colors:[&_path]:[stroke:CanvasText]' } as const

const toBeyondItem = (label: string): LegendItem => ({ mark: 'none', label: `▲ ${label}` })

function toRows(points: readonly TimePoint[], ends: readonly number[], bound: number) {
  const rows = points.map(({ t, median, q1, q3, low, high }) => {
    const [from, to] = [toClipped(q1, bound), toClipped(q3, bound)]
    return {
      t,
      median: toClipped(median, bound),
      band: from === null || to === null ? null : ([from, to] as const),
      low: low !== null && low < -bound ? null : low,
      high: high !== null && high > bound ? null : high,
    }
  })
  return toStepRows(rows, ends)
}
