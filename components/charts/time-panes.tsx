'use client'

import { useMemo } from 'react'
import { formatDay } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { AttentionPane, readAttention } from './attention-pane.tsx'
import type { AnyPaneName, PaneName, TimePanesProps, TimePoint } from './chart-data.ts'
import { ChartReader, type CrosshairPane, type MarkToOpen } from './chart-reader.tsx'
import {
  ATTENTION_HEIGHT,
  PANE_HEIGHTS,
  PANES_HEIGHT,
  SYMBOL_PANES_HEIGHT,
  TITLE_HEIGHT,
} from './chart-sizes.ts'
import { type Drawing, type PaneViews, type PlacedDot, toDrawing, toPaneViews } from './layout.ts'
import { ConsensusPane, PredictionPane, TrendPane } from './opinion-panes.tsx'
import { PanesBox } from './pane.tsx'
import { CONSENSUS_SCALE, toClipped, toY } from './scales.ts'
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
      height={props.attention === undefined ? PANES_HEIGHT : SYMBOL_PANES_HEIGHT}
      reader={<PanesReader {...props} drawing={views[0].drawing} />}
      width={width}
    >
      <ConsensusPane
        {...shared}
        density={props.density}
        pending={pending}
        showsWeighted={props.showsWeighted}
      />
      <PredictionPane {...shared} />
      <TrendPane {...shared} unit={trend} />
      {props.attention && (
        <AttentionPane attention={props.attention} bucket={bucket} views={views} />
      )}
    </PanesBox>
  )
}

function useViews(props: TimePanesProps, width: number): PaneViews {
  const { points, bucketSeconds, bucket, dots, pending, moves, trend, edge } = props
  return useMemo(
    () =>
      toPaneViews(width, (wide) =>
        toDrawing({
          points,
          bucketSeconds,
          bucket,
          dots,
          pending,
          moves,
          trend,
          edge,
          width: wide,
        }),
      ),
    [points, bucketSeconds, bucket, dots, pending, moves, trend, edge, width],
  )
}

function PanesReader({ drawing, ...props }: TimePanesProps & { drawing: Drawing }) {
  const { points, onOpen, attention = null } = props
  const formats = useFormats()
  const marks = useMemo(() => toMarksToOpen(drawing, formats), [drawing, formats])
  const panes = useMemo(
    (): CrosshairPane<AnyPaneName>[] => [
      ...toReaderPanes(points, drawing),
      ...(attention === null ? [] : [ATTENTION_READER]),
    ],
    [points, drawing, attention],
  )
  return (
    <ChartReader
      describe={(index) => ({
        ...props.describe(index),
        attention: attention === null ? [] : readAttention(attention, index, formats),
      })}
      frame={drawing.frame}
      label="Rating and prediction over time"
      onZoom={props.onZoom}
      panes={panes}
      {...(onOpen ? { marks: marks.rated, twins: marks.predicted, onOpen } : {})}
    />
  )
}

const CONSENSUS_TOP = TITLE_HEIGHT
const PREDICTION_TOP = CONSENSUS_TOP + PANE_HEIGHTS.consensus + TITLE_HEIGHT
const TREND_TOP = PREDICTION_TOP + PANE_HEIGHTS.prediction + TITLE_HEIGHT

const ATTENTION_READER: CrosshairPane<AnyPaneName> = {
  name: 'attention',
  subject: 'Look-ups',
  top: TREND_TOP + PANE_HEIGHTS.trend + TITLE_HEIGHT,
  height: ATTENTION_HEIGHT,
  toMarks: () => [],
}

/** The panes as a crosshair goes through them, with a mark on each line that has a value. */
function toReaderPanes(
  points: readonly TimePoint[],
  { percents, percentScale }: Drawing,
): CrosshairPane<PaneName>[] {
  return [
    {
      name: 'consensus',
      subject: 'Rating',
      top: CONSENSUS_TOP,
      height: PANE_HEIGHTS.consensus,
      toMarks: (index) => {
        const value = points[index]?.consensus ?? null
        return value === null ? [] : [{ y: toY(CONSENSUS_SCALE, value), colour: 'var(--ink)' }]
      },
    },
    {
      name: 'prediction',
      subject: 'Prediction',
      top: PREDICTION_TOP,
      height: PANE_HEIGHTS.prediction,
      toMarks: (index) => {
        const value = toClipped(points[index]?.median ?? null, percents.bound)
        return value === null ? [] : [{ y: toY(percentScale, value), colour: 'var(--ink)' }]
      },
    },
    {
      name: 'trend',
      subject: 'Active ratings',
      top: TREND_TOP,
      height: PANE_HEIGHTS.trend,
      toMarks: () => [],
    },
  ]
}

/** A prediction with the digits that it was given with, at least two behind the point. */
function toGivenText(prediction: number): string {
  const text = String(prediction)
  return (text.split('.')[1]?.length ?? 0) < 2 ? prediction.toFixed(2) : text
}

/** The single ratings as marks: `rated` in the order of time, `predicted` the same ones at their prediction. */
function toMarksToOpen(
  { rated, predicted }: Drawing,
  formats: Formats,
): { rated: MarkToOpen[]; predicted: MarkToOpen[] } {
  const toMark = (dot: PlacedDot, top: number): MarkToOpen => ({
    id: dot.id,
    x: dot.x,
    y: dot.y + top,
    text: `${ratingLabel(dot.rating)}, ${formats.formatPrediction(toGivenText(dot.prediction))}, ${formatDay(dot.t)}`,
  })
  const byTime = rated.toSorted((a, b) => a.t - b.t || a.id - b.id)
  return {
    rated: byTime.map((dot) => toMark(dot, CONSENSUS_TOP)),
    predicted: predicted.map((dot) => toMark(dot, PREDICTION_TOP)),
  }
}
