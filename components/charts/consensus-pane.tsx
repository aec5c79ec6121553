'use client'

import { memo, useMemo } from 'react'
import { Line } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import { CONSENSUS_SCALE } from './consensus-scale.ts'
import { RATINGS, toFullCount } from './density.ts'
import { DensityCells } from './density-cells.tsx'
import type { Drawing } from './drawing.ts'
import { AnnotationLabels, EdgeLabel, Landmarks } from './landmarks.tsx'
import type { TimePanesProps } from './pane-frame.ts'
import { toY } from './pane-scale.ts'
import { isNarrow, PANE_HEIGHTS } from './pane-sizes.ts'
import { type LegendItem, PaneTitle } from './pane-title.tsx'
import { PendingLine } from './pending-line.tsx'
import { PointMarks } from './point-marks.tsx'
import { RatingAxis } from './rating-axis.tsx'
import { RatingDots } from './rating-dots.tsx'
import { toStepRows } from './steps.ts'
import { toSides, toX } from './time-frame.ts'
import { STILL_LINE, TimePane } from './time-pane.tsx'
import { isLone, type PendingPoint, type TimePoint } from './time-point.ts'

type ConsensusPaneProps = {
  drawing: Drawing
  points: readonly TimePoint[]
  density: boolean
  edge: TimePanesProps['edge']
  pending: readonly PendingPoint[]
  showsWeighted: boolean
  bucket: string
}

/** The consensus as steps on the whole scale, what was posted behind it, and what would be left without renewals. */
export const ConsensusPane = memo(function ConsensusPane(props: ConsensusPaneProps) {
  const { drawing, points, density, edge, pending, showsWeighted } = props
  const { frame, ends, rated, annotations, landmarks } = drawing
  const rows = useMemo(() => toRows(points, ends), [points, ends])
  return (
    <div data-pane="consensus">
      <PaneTitle
        indent={frame.left}
        legend={useLegend(props)}
        title={isNarrow(frame.width) ? 'Consensus, 1–5' : 'Consensus of active ratings, 1–5'}
      />
      <TimePane
        frame={frame}
        height={PANE_HEIGHTS.consensus}
        rows={rows}
        scale={CONSENSUS_SCALE}
        ticks={[...RATINGS]}
      >
        <RatingAxis frame={frame} scale={CONSENSUS_SCALE} />
        {density && <DensityCells frame={frame} points={points} scale={CONSENSUS_SCALE} />}
        <RatingDots dots={rated} />
        <Landmarks {...landmarks} bottom={CONSENSUS_SCALE.low + 12} top={0} />
        <Line
          {...STEP}
          dataKey="consensus"
          stroke="var(--surface)"
          strokeOpacity={0.85}
          strokeWidth={5}
        />
        {showsWeighted && (
          <Line
            {...STEP}
            {...INK}
            dataKey="weighted"
            stroke="var(--accent)"
            strokeDasharray="5 3"
            strokeWidth={1.25}
          />
        )}
        <Line {...STEP} {...INK} dataKey="consensus" stroke="var(--ink)" strokeWidth={1.75} />
        <PendingLine frame={frame} pending={pending} scale={CONSENSUS_SCALE} />
        <PointMarks colour="var(--ink)" isInk marks={toStanding(drawing, points)} size={3} />
        <PointMarks colour="var(--ink)" isInk marks={toLast(drawing, points)} size={7} />
        <AnnotationLabels annotations={annotations} />
        {landmarks.now !== null && (
          <EdgeLabel frame={frame} text={edge} x={landmarks.now} y={CONSENSUS_SCALE.low + 4} />
        )}
      </TimePane>
    </div>
  )
})

const STEP = { ...STILL_LINE, type: 'stepAfter' } as const
const INK = { className: 'forced-colors:[&_path]:[stroke:CanvasText]' } as const

const toRows = (points: readonly TimePoint[], ends: readonly number[]) =>
  toStepRows(
    points.map(({ t, consensus, weighted }) => ({ t, consensus, weighted })),
    ends,
  )

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
  const { drawing, points, density, pending, showsWeighted, bucket } = props
  const { formatCount } = useFormats()
  const colour = 'var(--rating-4)'
  return [
    ...(isNarrow(drawing.frame.width) ? [] : [{ mark: 'line' as const, label: 'consensus' }]),
    ...(showsWeighted
      ? [{ mark: 'dashes' as const, label: 'weighted by agreement', colour: 'var(--accent)' }]
      : []),
    ...(pending.some(({ consensus }) => consensus !== null)
      ? [{ mark: 'dashes' as const, label: 'if nothing is renewed', colour: 'var(--ink)' }]
      : []),
    ...(drawing.rated.length > 0 ? [{ mark: 'dot' as const, label: 'one rating', colour }] : []),
    ...(density
      ? [
          {
            mark: 'block' as const,
            label: `posted that ${bucket}, full colour from ${formatCount(toFullCount(points))} on`,
            colour,
          },
        ]
      : []),
  ]
}
