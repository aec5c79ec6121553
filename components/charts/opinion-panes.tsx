import { memo, useMemo } from 'react'
import { formatDecimal, formatPrediction, formatShare } from '#components/format/numbers.ts'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import {
  EdgeLabel,
  GridLines,
  LabelBands,
  LastText,
  NowLine,
  OffScaleTexts,
  RatingAxis,
  TimeTexts,
  ValueTexts,
  ZeroLine,
} from './axes.tsx'
import {
  isLone,
  type LastTexts,
  type PaneFrame,
  type PendingPoint,
  RATINGS,
  type TimePoint,
} from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'
import { type Drawing, LAST_ABOVE, type PaneViews, toPaneViews, toShare } from './layout.ts'
import { type LegendItem, PaneTitle, PlotPane } from './pane.tsx'
import { PRICE_COLOUR, type Priced, type PriceScale } from './price-scale.ts'
import { CONSENSUS_SCALE, toClipped, toPaneScale, toY } from './scales.ts'
import { PendingLine, PointMarks, RatingDots, StackedBars, StepBand, StepLine } from './shapes.tsx'
import { toSides, toX } from './time-axis.ts'

type OpinionPanesProps = Omit<ConsensusPaneProps, 'views'> & {
  /** Null until the width is known. */
  drawing: Drawing | null
  draw: (width: number) => Drawing
}

export function OpinionPanes({ drawing, draw, ...props }: OpinionPanesProps) {
  const { points, last } = props
  const views = useMemo(() => toPaneViews(drawing, draw), [drawing, draw])
  return (
    <>
      <ConsensusPane {...props} views={views} />
      <PredictionPane last={last} points={points} views={views} />
      <TrendPane last={last} points={points} views={views} />
    </>
  )
}

type ConsensusPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  pending: readonly PendingPoint[]
  price: Priced | null
  last: LastTexts
}

const ConsensusPane = memo(function ConsensusPane(props: ConsensusPaneProps) {
  const { views, points, price, last } = props
  return (
    <div data-pane="consensus">
      <PaneTitle
        legend={toLegend(props)}
        short="Consensus, 1–5"
        title="Consensus of active ratings, 1–5"
      />
      <PlotPane
        axis={<RatingAxis scale={CONSENSUS_SCALE} />}
        height={PANE_HEIGHTS.consensus}
        texts={(drawing) => (
          <>
            {drawing.edge && <EdgeLabel edge={drawing.edge} frame={drawing.frame} />}
            {toLast(drawing, points).map(({ x, y }) => (
              <LastText
                key={x}
                text={last.consensus}
                x={toShare(drawing.frame, x)}
                y={y - LAST_ABOVE}
              />
            ))}
            {price && <PriceTexts scale={price.scale} />}
          </>
        )}
        views={views}
      >
        <ConsensusMarks {...props} drawing={views[0].drawing} />
      </PlotPane>
    </div>
  )
})

type ConsensusMarksProps = { drawing: Drawing } & Pick<
  ConsensusPaneProps,
  'points' | 'pending' | 'price'
>

function ConsensusMarks({ drawing, ...props }: ConsensusMarksProps) {
  const { points, pending, price } = props
  const { frame, ends, rated, now } = drawing
  const line = { frame, ends, scale: CONSENSUS_SCALE }
  const consensus = points.map((point) => point.consensus)
  return (
    <>
      <LabelBands frame={frame} scale={CONSENSUS_SCALE} />
      <RatingDots dots={rated} />
      <NowLine bottom={CONSENSUS_SCALE.low} now={now} />
      {price && <PriceLine ends={ends} frame={frame} priced={price} />}
      <StepLine {...line} look={HALO} values={consensus} />
      <StepLine {...line} look={LINE} values={consensus} />
      <PendingLine frame={frame} pending={pending} scale={CONSENSUS_SCALE} />
      <PointMarks colour="var(--ink)" isInk marks={toStanding(drawing, points)} size={3} />
      <PointMarks colour="var(--ink)" isInk marks={toLast(drawing, points)} size={7} />
    </>
  )
}

type PriceLineProps = { priced: Priced; frame: PaneFrame; ends: readonly number[] }

const PriceLine = ({ priced: { closes, scale }, frame, ends }: PriceLineProps) => (
  <StepLine
    ends={ends}
    frame={frame}
    look={{ name: 'close', colour: PRICE_COLOUR, size: 1.25, isInk: true }}
    scale={scale.pane}
    values={closes}
  />
)

function PriceTexts({ scale }: { scale: PriceScale }) {
  return (
    <g fill="var(--accent)" fontSize={11}>
      {scale.ticks.map((tick) => (
        <text key={tick} dx={8} dy="0.355em" x="100%" y={toY(scale.pane, tick)}>
          {formatDecimal(String(tick))}
        </text>
      ))}
    </g>
  )
}

const HALO = { colour: 'var(--surface)', size: 5, opacity: 0.85 } as const
const LINE = { name: 'consensus', colour: 'var(--ink)', size: 2, isInk: true } as const

function toStanding({ frame }: Drawing, points: readonly TimePoint[]) {
  const values = points.map((point) => point.consensus)
  return points.flatMap(({ consensus }, index) => {
    if (consensus === null || !isLone(values, index) || index === points.length - 1) return []
    const [from, to] = toSides(frame, index)
    return [{ x: (from + to) / 2, y: toY(CONSENSUS_SCALE, consensus) }]
  })
}

function toLast({ frame, ends }: Drawing, points: readonly TimePoint[]) {
  const [last, end] = [points.at(-1)?.consensus ?? null, ends.at(-1) ?? 0]
  return last === null ? [] : [{ x: toX(frame, end), y: toY(CONSENSUS_SCALE, last) }]
}

const toLegend = ({ views, pending, price }: ConsensusPaneProps): LegendItem[] => [
  { mark: 'line', label: 'consensus', isWide: true },
  ...(price ? [{ mark: 'line' as const, label: 'price', colour: PRICE_COLOUR }] : []),
  ...(pending.some(({ consensus }) => consensus !== null)
    ? [{ mark: 'dots' as const, label: 'if none is renewed' }]
    : []),
  ...(views[0].drawing.rated.length > 0
    ? [{ mark: 'dot' as const, label: 'one rating', colour: 'var(--rating-4)' }]
    : []),
]

type PredictionPaneProps = { views: PaneViews; points: readonly TimePoint[]; last: LastTexts }

const PredictionPane = memo(function PredictionPane(props: PredictionPaneProps) {
  const { views, points, last } = props
  const { percents, percentScale, predicted } = views[0].drawing
  const sole = selectSolePrediction(points, predicted)
  if (sole !== null) {
    return (
      <div data-pane="prediction">
        <PaneTitle legend={[]} title="Prediction" />
        <p
          className="pt-2 text-ink-2"
          style={{ height: PANE_HEIGHTS.prediction, paddingLeft: 'var(--axis)' }}
        >
          All predictions are {formatPrediction(String(sole))}.
        </p>
      </div>
    )
  }
  const median = toClipped(points.at(-1)?.median ?? null, percents.bound)
  return (
    <div data-pane="prediction">
      <PaneTitle
        legend={[
          { mark: 'line', label: 'median' },
          { mark: 'block', label: 'middle half', colour: BAND_COLOUR },
        ]}
        short="Prediction"
        title="Prediction, active ratings"
      />
      <PlotPane
        axis={
          <ValueTexts
            format={(percent) => formatPrediction(String(percent))}
            scale={percentScale}
            ticks={percents.ticks}
          />
        }
        height={PANE_HEIGHTS.prediction}
        texts={(drawing) => (
          <>
            <OffScaleTexts {...drawing} />
            {median !== null && (
              <LastText isAside text={last.median} x="100%" y={toY(percentScale, median)} />
            )}
          </>
        )}
        views={views}
      >
        <PredictionMarks drawing={views[0].drawing} points={points} />
      </PlotPane>
    </div>
  )
})

/** Null if predictions differ or there are none. */
export function selectSolePrediction(
  points: readonly Pick<TimePoint, 'low' | 'high'>[],
  dots: readonly { prediction: number }[],
): number | null {
  const values = new Set([
    ...points.flatMap(({ low, high }) => [low, high]).filter((value) => value !== null),
    ...dots.map(({ prediction }) => prediction),
  ])
  const [first] = values
  return first !== undefined && values.size === 1 ? first : null
}

function PredictionMarks({ drawing, points }: { drawing: Drawing; points: readonly TimePoint[] }) {
  const { frame, ends, percents, percentScale: scale, predicted, now } = drawing
  const line = { frame, ends, scale }
  const values = toDrawn(points, percents.bound)
  return (
    <>
      <GridLines frame={frame} scale={scale} ticks={percents.ticks} />
      <ZeroLine frame={frame} y={toY(scale, 0)} />
      <StepBand {...line} look={BAND} values={values.band} />
      <RatingDots
        dots={predicted.filter(({ prediction }) => Math.abs(prediction) <= percents.bound)}
      />
      <NowLine bottom={PANE_HEIGHTS.prediction} now={now} />
      <StepLine {...line} look={MEDIAN} values={values.median} />
    </>
  )
}

const BAND_COLOUR = 'color-mix(in srgb, var(--ink) 16%, transparent)'
const BAND = { name: 'band', colour: 'var(--ink)', opacity: 0.12 } as const
const MEDIAN = { name: 'median', colour: 'var(--ink)', size: 1.75, isInk: true } as const

function toDrawn(points: readonly TimePoint[], bound: number) {
  return {
    median: points.map(({ median }) => toClipped(median, bound)),
    band: points.map(({ q1, q3 }) => {
      const [from, to] = [toClipped(q1, bound), toClipped(q3, bound)]
      return from === null || to === null ? null : ([from, to] as const)
    }),
  }
}

type TrendPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  last: LastTexts
}

const LEGEND = RATINGS.toReversed().map((rating) => ({
  mark: 'block' as const,
  label: ratingLabel(rating),
  colour: `var(--rating-${rating})`,
  isWide: true,
}))

const SHARES = [0, 50, 100]
const SHARE_SCALE = toPaneScale({
  height: PANE_HEIGHTS.trend,
  domain: [0, 100],
  padding: { top: 0, bottom: 0 },
  showsTime: true,
})

const TrendPane = memo(function TrendPane(props: TrendPaneProps) {
  const { views, points, last } = props
  const { frame, now } = views[0].drawing
  return (
    <div data-pane="trend">
      <PaneTitle legend={LEGEND} short="Share by label" title="Share by label, active ratings" />
      <PlotPane
        axis={<ValueTexts format={formatShare} scale={SHARE_SCALE} ticks={SHARES} />}
        height={PANE_HEIGHTS.trend}
        texts={(drawing) => (
          <>
            <TimeTexts frame={drawing.frame} height={PANE_HEIGHTS.trend} />
            <LastText isAside text={last.active} x="100%" y={SHARE_SCALE.high + 8} />
          </>
        )}
        views={views}
      >
        <GridLines frame={frame} scale={SHARE_SCALE} ticks={SHARES} />
        <StackedBars frame={frame} points={points} scale={SHARE_SCALE} />
        <NowLine bottom={SHARE_SCALE.low} now={now} />
      </PlotPane>
    </div>
  )
})
