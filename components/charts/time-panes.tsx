'use client'

import { useCallback, useMemo } from 'react'
import { formatDay } from '#components/format/instants.ts'
import { formatPrediction } from '#components/format/numbers.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import type { PaneName, TimePanesProps, TimePoint } from './chart-data.ts'
import { ChartReader, type CrosshairPane, type MarkToOpen } from './chart-reader.tsx'
import { PANE_HEIGHTS, PANES_HEIGHT, TITLE_HEIGHT } from './chart-sizes.ts'
import { type Drawing, type PlacedDot, toDrawing } from './layout.ts'
import { LazyDrawing, lazyDrawing } from './lazy-drawing.tsx'
import { PanesBox } from './panes-box.tsx'
import { PRICE_COLOUR, type Priced, toPriceScale, toPriceY } from './price-scale.ts'
import { CONSENSUS_SCALE, type PaneScale, toClipped, toY } from './scales.ts'
import { useWidth } from './use-width.ts'

const opinionPanes = lazyDrawing(
  async () => (await import('./opinion-panes.tsx')).OpinionPanes,
  'The chart',
)

export function TimePanes(props: TimePanesProps) {
  const [ref, width] = useWidth()
  const { points, pending, closes, last } = props
  const priced = useMemo(() => (closes ? { closes, scale: toPriceScale(closes) } : null), [closes])
  const draw = useDraw(props)
  const drawing = useMemo(() => (width > 0 ? draw(width) : null), [draw, width])
  const content = useMemo(() => ({ draw, priced }), [draw, priced])
  return (
    <PanesBox
      box={ref}
      height={PANES_HEIGHT}
      reader={drawing && <PanesReader {...props} drawing={drawing} priced={priced} />}
      width={width}
    >
      <LazyDrawing
        drawing={opinionPanes}
        drawn={{ draw, drawing, points, pending, last, price: priced }}
        of={content}
      />
    </PanesBox>
  )
}

function useDraw(props: TimePanesProps): (width: number) => Drawing {
  const { points, bucketSeconds, bucket, dots, pending, edge } = props
  return useCallback(
    (width) => toDrawing({ points, bucketSeconds, bucket, dots, pending, edge, width }),
    [points, bucketSeconds, bucket, dots, pending, edge],
  )
}

type PanesReaderProps = TimePanesProps & { drawing: Drawing; priced: Priced | null }

function PanesReader({ drawing, priced, ...props }: PanesReaderProps) {
  const { points, onOpen } = props
  const marks = useMemo(() => toMarksToOpen(drawing), [drawing])
  const panes = useMemo(() => toReaderPanes(points, drawing, priced), [points, drawing, priced])
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

const CONSENSUS_TOP = TITLE_HEIGHT
const PREDICTION_TOP = CONSENSUS_TOP + PANE_HEIGHTS.consensus + TITLE_HEIGHT
const TREND_TOP = PREDICTION_TOP + PANE_HEIGHTS.prediction + TITLE_HEIGHT

function toReaderPanes(
  points: readonly TimePoint[],
  { percents, percentScale }: Drawing,
  priced: Priced | null,
): CrosshairPane<PaneName>[] {
  const toMark = (scale: PaneScale, value: number | null) =>
    value === null ? [] : [{ y: toY(scale, value), colour: 'var(--ink)' }]
  return [
    {
      name: 'consensus',
      subject: 'Rating',
      top: CONSENSUS_TOP,
      height: PANE_HEIGHTS.consensus,
      toMarks: (index) => {
        const y = priced && toPriceY(priced.scale, priced.closes[index] ?? null)
        return [
          ...(y === null ? [] : [{ y, colour: PRICE_COLOUR }]),
          ...toMark(CONSENSUS_SCALE, points[index]?.consensus ?? null),
        ]
      },
    },
    {
      name: 'prediction',
      subject: 'Prediction',
      top: PREDICTION_TOP,
      height: PANE_HEIGHTS.prediction,
      toMarks: (index) =>
        toMark(percentScale, toClipped(points[index]?.median ?? null, percents.bound)),
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

/** At least two decimal places. */
function toGivenText(prediction: number): string {
  const text = String(prediction)
  return (text.split('.')[1]?.length ?? 0) < 2 ? prediction.toFixed(2) : text
}

function toMarksToOpen({ rated, predicted }: Drawing): {
  rated: MarkToOpen[]
  predicted: MarkToOpen[]
} {
  const toMark = (dot: PlacedDot, top: number): MarkToOpen => ({
    id: dot.id,
    x: dot.x,
    y: dot.y + top,
    text: `${ratingLabel(dot.rating)}, ${formatPrediction(toGivenText(dot.prediction))}, ${formatDay(dot.t)}`,
  })
  const byTime = rated.toSorted((a, b) => a.t - b.t || a.id - b.id)
  return {
    rated: byTime.map((dot) => toMark(dot, CONSENSUS_TOP)),
    predicted: predicted.map((dot) => toMark(dot, PREDICTION_TOP)),
  }
}
