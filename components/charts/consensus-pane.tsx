import { memo } from 'react'
import { formatDay } from '#components/format/instants.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { GridLines } from './axis-texts.tsx'
import { CONSENSUS_SCALE } from './consensus-scale.ts'
import { RATINGS, toFullCount } from './density.ts'
import { DensityCells } from './density-cells.tsx'
import type { Drawing } from './drawing.ts'
import { AnnotationLabels, EdgeLabel, Landmarks } from './landmarks.tsx'
import type { TimePanesProps } from './pane-frame.ts'
import { toY } from './pane-scale.ts'
import { PANE_HEIGHTS } from './pane-sizes.ts'
import { type LegendItem, PaneTitle } from './pane-title.tsx'
import type { PaneViews } from './pane-view.ts'
import { PendingLine } from './pending-line.tsx'
import { PlotPane } from './plot-pane.tsx'
import { PointMarks } from './point-marks.tsx'
import { RatingAxis } from './rating-axis.tsx'
import { RatingDots } from './rating-dots.tsx'
import { StepLine } from './step-line.tsx'
import { toSides, toX } from './time-frame.ts'
import { isLone, type PendingPoint, type TimePoint } from './time-point.ts'

type ConsensusPaneProps = {
  views: PaneViews
  points: readonly TimePoint[]
  density: boolean
  edge: TimePanesProps['edge']
  pending: readonly PendingPoint[]
  showsWeighted: boolean
  bucket: string
}

/** The consensus as steps on the whole scale, what was posted behind it, and what would be left without renewals. */
export const ConsensusPane = memo(function ConsensusPane(props: ConsensusPaneProps) {
  const { views, edge } = props
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
        texts={({ frame, annotations, landmarks }) => (
          <>
            <AnnotationLabels annotations={annotations} frame={frame} />
            {landmarks.now !== null && (
              <EdgeLabel frame={frame} text={edge} x={landmarks.now} y={CONSENSUS_SCALE.low + 4} />
            )}
          </>
        )}
        views={views}
      >
        <Marks {...props} drawing={views[0].drawing} />
      </PlotPane>
    </div>
  )
})

function Marks({ drawing, ...props }: ConsensusPaneProps & { drawing: Drawing }) {
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
