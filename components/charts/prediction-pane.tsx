import { memo } from 'react'
import { useFormats } from '#components/format/use-formats.tsx'
import { GridLines, ValueTexts } from './axis-texts.tsx'
import { BeyondMarks } from './beyond-marks.tsx'
import type { Drawing } from './drawing.ts'
import { Landmarks } from './landmarks.tsx'
import { toY } from './pane-scale.ts'
import { PANE_HEIGHTS } from './pane-sizes.ts'
import { PaneTitle } from './pane-title.tsx'
import type { PaneViews } from './pane-view.ts'
import { toClipped } from './percent-scale.ts'
import { PlotPane } from './plot-pane.tsx'
import { toBoundText } from './prediction-scale.ts'
import { RatingDots } from './rating-dots.tsx'
import { StepBand, StepLine } from './step-line.tsx'
import type { TimePoint } from './time-point.ts'

type PredictionPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  bucket: string
}

/** Median and middle half of the active predictions around zero, and how far the lowest and the highest go. */
export const PredictionPane = memo(function PredictionPane(props: PredictionPaneProps) {
  const { views, points, bucket } = props
  const { percents, percentScale } = views[0].drawing
  const formats = useFormats()
  const beyond = `beyond ${toBoundText(percents.bound, formats)}: ${formats.formatCount(percents.beyond)} of ${formats.formatCounted(points.length, bucket)}`
  return (
    <div data-pane="prediction">
      <PaneTitle
        legend={[
          { mark: 'line', label: 'median' },
          { mark: 'block', label: 'middle half', colour: BAND_COLOUR },
          { mark: 'faint', label: 'lowest and highest', colour: 'var(--ink-3)' },
          ...(percents.beyond > 0 ? [{ mark: 'tick' as const, label: beyond }] : []),
        ]}
        short="Prediction"
        title="Prediction, active ratings"
      />
      <PlotPane
        axis={
          <ValueTexts
            format={(percent) => formats.formatPrediction(String(percent))}
            scale={percentScale}
            ticks={percents.ticks}
          />
        }
        height={PANE_HEIGHTS.prediction}
        views={views}
      >
        <Marks drawing={views[0].drawing} points={points} />
      </PlotPane>
    </div>
  )
})

function Marks({ drawing, points }: { drawing: Drawing; points: readonly TimePoint[] }) {
  const { frame, ends, percents, percentScale: scale, predicted, landmarks } = drawing
  const line = { frame, ends, scale }
  const values = toDrawn(points, percents.bound)
  return (
    <>
      <GridLines frame={frame} scale={scale} ticks={percents.ticks} />
      <path
        className="forced-colors:[stroke:CanvasText]"
        d={`M${frame.left} ${toY(scale, 0)}H${frame.width - frame.right}`}
        stroke="var(--edge)"
      />
      <StepBand {...line} look={BAND} values={values.band} />
      <StepLine {...line} look={EXTREME} values={values.low} />
      <StepLine {...line} look={EXTREME} values={values.high} />
      <RatingDots dots={predicted} />
      <Landmarks {...landmarks} bottom={PANE_HEIGHTS.prediction} top={0} />
      <BeyondMarks columns={percents.above} frame={frame} side="above" y={scale.high} />
      <BeyondMarks columns={percents.below} frame={frame} side="below" y={scale.low} />
      <StepLine {...line} look={MEDIAN} values={values.median} />
    </>
  )
}

/** Neutral inks, as of the median: a colour is a rating's. */
const BAND_COLOUR = 'color-mix(in srgb, var(--ink) 16%, transparent)'
const BAND = { name: 'band', colour: 'var(--ink)', opacity: 0.12 } as const
const EXTREME = { colour: 'var(--ink-3)', size: 1, opacity: 0.6, isInk: true } as const
const MEDIAN = { name: 'median', colour: 'var(--ink)', size: 1.75, isInk: true } as const

/** The values of each line and of the band; null is a gap, for the lowest and the highest the edge too. */
function toDrawn(points: readonly TimePoint[], bound: number) {
  return {
    median: points.map(({ median }) => toClipped(median, bound)),
    band: points.map(({ q1, q3 }) => {
      const [from, to] = [toClipped(q1, bound), toClipped(q3, bound)]
      return from === null || to === null ? null : ([from, to] as const)
    }),
    low: points.map(({ low }) => (low !== null && low < -bound ? null : low)),
    high: points.map(({ high }) => (high !== null && high > bound ? null : high)),
  }
}
