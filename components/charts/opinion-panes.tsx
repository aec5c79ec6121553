import { memo } from 'react'
import { formatDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ratingLabel } from '#lib/contract/rating-fields.ts'
import {
  AnnotationLabels,
  EdgeLabel,
  GridLines,
  Landmarks,
  RatingAxis,
  TimeTexts,
  ValueTexts,
  ZeroLine,
} from './axes.tsx'
import { isLone, type PendingPoint, type TimePoint, type TrendUnit } from './chart-data.ts'
import { PANE_HEIGHTS } from './chart-sizes.ts'
import type { Drawing, PaneViews } from './layout.ts'
import { type LegendItem, PaneTitle, PlotPane } from './pane.tsx'
import { RATINGS, toFullCount } from './rating-counts.ts'
import { CONSENSUS_SCALE, toBoundText, toClipped, toY } from './scales.ts'
import {
  BarTexts,
  BeyondMarks,
  DensityCells,
  PendingLine,
  PointMarks,
  RatingDots,
  StackedBars,
  StepBand,
  StepLine,
} from './shapes.tsx'
import { toSides, toX } from './time-axis.ts'

type ConsensusPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  density: boolean
  pending: readonly PendingPoint[]
  showsWeighted: boolean
  bucket: string
}

/** The consensus as steps on the whole scale, what was posted behind it, and what would be left without renewals. */
export const ConsensusPane = memo(function ConsensusPane(props: ConsensusPaneProps) {
  const { views } = props
  return (
    <div data-pane="consensus">
      <PaneTitle
        legend={useLegend(props)}
        short="Consensus, 1–5"
        title="Consensus of active ratings, 1–5"
      />
      <PlotPane
        axis={<RatingAxis scale={CONSENSUS_SCALE} />}
        height={PANE_HEIGHTS.consensus}
        texts={({ frame, annotations, edge }) => (
          <>
            <AnnotationLabels annotations={annotations} frame={frame} />
            {edge && <EdgeLabel edge={edge} frame={frame} />}
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
  'points' | 'density' | 'pending' | 'showsWeighted'
>

/** What is drawn in the pane, in pixels of the drawing. */
export function ConsensusMarks({ drawing, ...props }: ConsensusMarksProps) {
  const { points, density, pending, showsWeighted } = props
  const { frame, ends, rated, landmarks } = drawing
  const line = { frame, ends, scale: CONSENSUS_SCALE }
  const consensus = points.map((point) => point.consensus)
  return (
    <>
      <GridLines frame={frame} scale={CONSENSUS_SCALE} ticks={RATINGS} />
      {density && <DensityCells frame={frame} points={points} scale={CONSENSUS_SCALE} />}
      <RatingDots dots={rated} />
      <Landmarks {...landmarks} bottom={CONSENSUS_SCALE.low + 12} top={0} />
      <StepLine {...line} look={HALO} values={consensus} />
      {showsWeighted && (
        <StepLine {...line} look={WEIGHTED} values={points.map((point) => point.weighted)} />
      )}
      <StepLine {...line} look={LINE} values={consensus} />
      <PendingLine frame={frame} pending={pending} scale={CONSENSUS_SCALE} />
      <PointMarks colour="var(--ink)" isInk marks={toStanding(drawing, points)} size={3} />
      <PointMarks colour="var(--ink)" isInk marks={toLast(drawing, points)} size={7} />
    </>
  )
}

const HALO = { colour: 'var(--surface)', size: 5, opacity: 0.85 } as const
const WEIGHTED = { colour: 'var(--accent)', size: 1.25, dashes: '5 3', isInk: true } as const
const LINE = { name: 'consensus', colour: 'var(--ink)', size: 1.75, isInk: true } as const

/** Between two gaps a step may be narrower than it is seen: a dot marks its middle. */
function toStanding({ frame }: Drawing, points: readonly TimePoint[]) {
  const values = points.map((point) => point.consensus)
  return points.flatMap(({ consensus }, index) => {
    if (consensus === null || !isLone(values, index) || index === points.length - 1) return []
    const [from, to] = toSides(frame, index)
    return [{ x: (from + to) / 2, y: toY(CONSENSUS_SCALE, consensus) }]
  })
}

/** Where the line has come to. */
function toLast({ frame, ends }: Drawing, points: readonly TimePoint[]) {
  const [last, end] = [points.at(-1)?.consensus ?? null, ends.at(-1) ?? 0]
  return last === null ? [] : [{ x: toX(frame, end), y: toY(CONSENSUS_SCALE, last) }]
}

function useLegend(props: ConsensusPaneProps): LegendItem[] {
  const { views, points, density, pending, showsWeighted, bucket } = props
  const { formatCount } = useFormats()
  const colour = 'var(--rating-4)'
  return [
    { mark: 'line', label: 'consensus', isWide: true },
    ...(showsWeighted
      ? [{ mark: 'dashes' as const, label: 'weighted by agreement', colour: 'var(--accent)' }]
      : []),
    ...(pending.some(({ consensus }) => consensus !== null)
      ? [{ mark: 'dashes' as const, label: 'if nothing is renewed', more: toReachText(pending) }]
      : []),
    ...(views[0].drawing.rated.length > 0
      ? [{ mark: 'dot' as const, label: 'one rating', colour }]
      : []),
    ...(density
      ? [
          {
            mark: 'block' as const,
            label: `posted that ${bucket}, full colour from ${formatCount(toFullCount(points))} on`,
            colour,
          },
        ]
      : []),
    ...(views[0].drawing.landmarks.moves.length > 0
      ? [{ mark: 'dotted' as const, label: 'notable move', colour: 'var(--ink-3)', isWide: true }]
      : []),
  ]
}

/** How far what is to come is drawn. */
const toReachText = (pending: readonly PendingPoint[]): string =>
  `, to ${formatDay(pending.at(-1)?.t ?? 0)}`

type PredictionPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  bucket: string
}

/** Median and middle half of the active predictions around zero, and how far the lowest and the highest go. */
export const PredictionPane = memo(function PredictionPane(props: PredictionPaneProps) {
  const { views, points, bucket } = props
  const { percents, percentScale, predicted } = views[0].drawing
  const formats = useFormats()
  const sole = selectSolePrediction(points, predicted)
  if (sole !== null) {
    return (
      <div data-pane="prediction">
        <PaneTitle legend={[]} title="Prediction" />
        <p
          className="pt-2 text-ink-2"
          style={{ height: PANE_HEIGHTS.prediction, paddingLeft: 'var(--axis)' }}
        >
          All predictions are {formats.formatPrediction(String(sole))}.
        </p>
      </div>
    )
  }
  const { isMarked } = percents
  const beyond = `beyond ${toBoundText(percents.bound, formats)}: ${formats.formatCount(percents.beyond)} of ${formats.formatCounted(points.length, bucket)}`
  return (
    <div data-pane="prediction">
      <PaneTitle
        legend={[
          { mark: 'line', label: 'median' },
          { mark: 'block', label: 'middle half', colour: BAND_COLOUR },
          {
            mark: 'faint',
            label: `lowest and highest${percents.beyond > 0 && !isMarked ? `; ${beyond}` : ''}`,
            colour: 'var(--ink-3)',
          },
          ...(isMarked ? [{ mark: 'tick' as const, label: beyond }] : []),
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
        <PredictionMarks drawing={views[0].drawing} points={points} />
      </PlotPane>
    </div>
  )
})

/** The prediction that all ratings of the range have, where more than one bucket has any; null where they differ. */
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
  const { frame, ends, percents, percentScale: scale, predicted, landmarks } = drawing
  const line = { frame, ends, scale }
  const values = toDrawn(points, percents.bound)
  return (
    <>
      <GridLines frame={frame} scale={scale} ticks={percents.ticks} />
      <ZeroLine frame={frame} y={toY(scale, 0)} />
      <StepBand {...line} look={BAND} values={values.band} />
      <StepLine {...line} look={EXTREME} values={values.low} />
      <StepLine {...line} look={EXTREME} values={values.high} />
      <RatingDots dots={predicted} />
      <Landmarks {...landmarks} bottom={PANE_HEIGHTS.prediction} top={0} />
      {percents.isMarked && (
        <>
          <BeyondMarks columns={percents.above} frame={frame} side="above" y={scale.high} />
          <BeyondMarks columns={percents.below} frame={frame} side="below" y={scale.low} />
        </>
      )}
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

type TrendPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  unit: TrendUnit
  bucket: string
}

/** Where there is no room for all of it, the axis of the first pane has the same colours with their glyphs. */
const LEGEND = RATINGS.toReversed().map((rating) => ({
  mark: 'block' as const,
  label: ratingLabel(rating),
  colour: `var(--rating-${rating})`,
  isWide: true,
}))

/** The active set at each bucket's end, stacked by label, with its n above the bars. */
export const TrendPane = memo(function TrendPane(props: TrendPaneProps) {
  const { views, points, unit, bucket } = props
  const { frame, landmarks, trend } = views[0].drawing
  const { ticks, scale } = trend
  const { formatCount, formatShare } = useFormats()
  return (
    <div data-pane="trend">
      <PaneTitle
        legend={LEGEND}
        title={`Active ratings by label, each ${bucket}${unit === 'percent' ? ', in percent of n' : ''}`}
      />
      <PlotPane
        axis={
          <ValueTexts
            format={unit === 'percent' ? formatShare : formatCount}
            scale={scale}
            ticks={ticks}
          />
        }
        height={PANE_HEIGHTS.trend}
        texts={(drawing) => (
          <>
            <TimeTexts frame={drawing.frame} height={PANE_HEIGHTS.trend} />
            <BarTexts frame={drawing.frame} points={points} scale={scale} unit={unit} />
          </>
        )}
        views={views}
      >
        <GridLines frame={frame} scale={scale} ticks={ticks} />
        <Landmarks {...landmarks} bottom={scale.low} top={0} />
        <StackedBars frame={frame} points={points} scale={scale} unit={unit} />
      </PlotPane>
    </div>
  )
})
