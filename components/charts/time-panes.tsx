'use client'

import { useMemo } from 'react'
import { formatDay } from '#components/format/instants.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import { AttentionPane, readAttention } from './attention-pane.tsx'
import type { AnyPaneName, PaneName, PriceLine, TimePanesProps, TimePoint } from './chart-data.ts'
import { ChartReader, type CrosshairPane, type MarkToOpen } from './chart-reader.tsx'
import { ATTENTION_HEIGHT, PANE_HEIGHTS, TITLE_HEIGHT, toPanesHeight } from './chart-sizes.ts'
import { type Drawing, type PaneViews, type PlacedDot, toDrawing, toPaneViews } from './layout.ts'
import { ConsensusPane, PredictionPane, TrendPane } from './opinion-panes.tsx'
import { PanesBox } from './pane.tsx'
import { PricePane } from './price-pane.tsx'
import { type PriceScale, toPriceScale, toPriceY } from './price-scale.ts'
import { CONSENSUS_SCALE, toClipped, toY } from './scales.ts'
import { useWidth } from './use-width.ts'

/**
 * Consensus, prediction and recommendation trend, one under the other on one time axis. They come drawn with the page,
 * for no width in particular; where scripts run they are drawn for their own, and then read and zoomed.
 */
export function TimePanes(props: TimePanesProps) {
  const [ref, width] = useWidth()
  const { points, bucket, pending, trend, price } = props
  const priceScale = useMemo(() => (price ? toPriceScale(price) : null), [price])
  const views = useViews(props, width)
  const shared = { views, points, bucket }
  return (
    <PanesBox
      box={ref}
      height={toPanesHeight({
        price: price !== undefined,
        attention: props.attention !== undefined,
      })}
      reader={<PanesReader {...props} drawing={views[0].drawing} priceScale={priceScale} />}
      width={width}
    >
      <ConsensusPane
        {...shared}
        density={props.density}
        pending={pending}
        showsWeighted={props.showsWeighted}
      />
      {price && priceScale && (
        <PricePane bucket={bucket} price={price} scale={priceScale} views={views} />
      )}
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

type PanesReaderProps = TimePanesProps & { drawing: Drawing; priceScale: PriceScale | null }

function PanesReader({ drawing, priceScale, ...props }: PanesReaderProps) {
  const { points, onOpen, price, attention = null } = props
  const formats = useFormats()
  const hasPrice = price !== undefined
  const marks = useMemo(
    () => toMarksToOpen(drawing, toTops(hasPrice), formats),
    [drawing, hasPrice, formats],
  )
  const panes = useMemo(
    (): CrosshairPane<AnyPaneName>[] => [
      ...toReaderPanes(points, drawing, price && priceScale ? { price, priceScale } : null),
      ...(attention === null ? [] : [toAttentionReader(hasPrice)]),
    ],
    [points, drawing, price, priceScale, attention, hasPrice],
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
/** The price stands between what people say now and what they say will come. */
const PRICE_TOP = CONSENSUS_TOP + PANE_HEIGHTS.consensus + TITLE_HEIGHT

function toTops(hasPrice: boolean) {
  const prediction = PRICE_TOP + (hasPrice ? PANE_HEIGHTS.price + TITLE_HEIGHT : 0)
  return { prediction, trend: prediction + PANE_HEIGHTS.prediction + TITLE_HEIGHT }
}

type Priced = { price: PriceLine; priceScale: PriceScale }

const toPricePane = ({ price, priceScale }: Priced): CrosshairPane<PaneName> => ({
  name: 'price',
  subject: 'Price',
  top: PRICE_TOP,
  height: PANE_HEIGHTS.price,
  toMarks: (index) => {
    const y = toPriceY(priceScale, price.closes[index] ?? null)
    return y === null ? [] : [{ y, colour: 'var(--ink)' }]
  },
})

const toAttentionReader = (hasPrice: boolean): CrosshairPane<AnyPaneName> => ({
  name: 'attention',
  subject: 'Look-ups',
  top: toTops(hasPrice).trend + PANE_HEIGHTS.trend + TITLE_HEIGHT,
  height: ATTENTION_HEIGHT,
  toMarks: () => [],
})

/** The panes as a crosshair goes through them, with a mark on each line that has a value. */
function toReaderPanes(
  points: readonly TimePoint[],
  { percents, percentScale }: Drawing,
  priced: Priced | null,
): CrosshairPane<PaneName>[] {
  const tops = toTops(priced !== null)
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
    ...(priced === null ? [] : [toPricePane(priced)]),
    {
      name: 'prediction',
      subject: 'Prediction',
      top: tops.prediction,
      height: PANE_HEIGHTS.prediction,
      toMarks: (index) => {
        const value = toClipped(points[index]?.median ?? null, percents.bound)
        return value === null ? [] : [{ y: toY(percentScale, value), colour: 'var(--ink)' }]
      },
    },
    {
      name: 'trend',
      subject: 'Active ratings',
      top: tops.trend,
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
  tops: { prediction: number },
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
    predicted: predicted.map((dot) => toMark(dot, tops.prediction)),
  }
}
