import { stack, stackOffsetExpand } from 'd3-shape'
import { Curve } from 'recharts'
import { type PaneFrame, type PendingPoint, RATINGS, type TimePoint } from './chart-data.ts'
import type { PlacedDot } from './layout.ts'
import { type Box, type Step, toBandPath, toBoxesPath, toDotsPath, toStepsPath } from './paths.ts'
import { type PaneScale, toY } from './scales.ts'
import { toSides, toX } from './time-axis.ts'

type StepStyle = {
  name?: string
  colour: string
  size: number
  opacity?: number
  dashes?: string
  isInk?: boolean
}

type StepLineProps = {
  frame: PaneFrame
  scale: PaneScale
  ends: readonly number[]
  /** One per bucket; null is a gap. */
  values: readonly (number | null)[]
  look: StepStyle
}

export function StepLine({ frame, scale, ends, values, look }: StepLineProps) {
  const heights = values.map((value) => (value === null ? null : toY(scale, value)))
  return (
    <Curve
      className={look.isInk ? 'forced-colors:[stroke:CanvasText]' : ''}
      data-mark={look.name}
      fill="none"
      path={toStepsPath(toSteps(frame, ends, heights))}
      stroke={look.colour}
      strokeOpacity={look.opacity}
      strokeWidth={look.size}
      {...(look.dashes && { strokeDasharray: look.dashes })}
    />
  )
}

type StepBandProps = Omit<StepLineProps, 'values' | 'look'> & {
  values: readonly (readonly [number, number] | null)[]
  look: { name: string; colour: string; opacity: number }
}

export function StepBand({ frame, scale, ends, values, look }: StepBandProps) {
  const heights = values.map((value) =>
    value === null ? null : ([toY(scale, value[0]), toY(scale, value[1])] as const),
  )
  return (
    <Curve
      className="forced-colors:[fill-opacity:0.3] forced-colors:[fill:CanvasText]"
      data-mark={look.name}
      fill={look.colour}
      fillOpacity={look.opacity}
      path={toBandPath(toSteps(frame, ends, heights))}
    />
  )
}

function toSteps<T>(
  frame: PaneFrame,
  ends: readonly number[],
  values: readonly (T | null)[],
): Step<T>[] {
  const steps = values.map((value, index) => ({ x: toX(frame, frame.edges[index] ?? 0), value }))
  return [...steps, { x: toX(frame, ends.at(-1) ?? 0), value: null }]
}

type PendingLineProps = {
  frame: PaneFrame
  scale: PaneScale
  pending: readonly PendingPoint[]
}

export function PendingLine({ frame, scale, pending }: PendingLineProps) {
  if (pending.length < 2) return null
  const steps = pending.map(({ t, consensus }) => ({
    x: toX(frame, t),
    value: consensus === null ? null : toY(scale, consensus),
  }))
  return (
    <Curve
      className="forced-colors:[stroke:CanvasText]"
      fill="none"
      path={toStepsPath(steps)}
      stroke="var(--ink)"
      strokeDasharray="1.5 3"
      strokeWidth={1.75}
    />
  )
}

type PointMark = { x: number; y: number }

type PointMarksProps = {
  marks: readonly PointMark[]
  colour: string
  /** Uses the system text color in forced-colors mode. */
  isInk?: boolean
  size: number
  opacity?: number
}

export function PointMarks(props: PointMarksProps) {
  const { marks, colour, isInk = false, size, opacity = 1 } = props
  if (marks.length === 0) return null
  return (
    <Curve
      className={isInk ? 'forced-colors:[stroke:CanvasText]' : ''}
      fill="none"
      opacity={opacity}
      path={toDotsPath(marks)}
      stroke={colour}
      strokeLinecap="round"
      strokeWidth={size}
    />
  )
}

export function RatingDots({ dots }: { dots: readonly PlacedDot[] }) {
  return RATINGS.map((rating) => (
    <PointMarks
      key={rating}
      colour={`var(--rating-${rating})`}
      marks={dots.filter((dot) => dot.rating === rating)}
      opacity={0.75}
      size={5.5}
    />
  ))
}

type StackedBarsProps = {
  points: readonly TimePoint[]
  frame: PaneFrame
  scale: PaneScale
}

/** Pixels; lower parts have no seam. */
const SEAMED = 3

export function StackedBars({ points, frame, scale }: StackedBarsProps) {
  const parts = toStack(points)
  return RATINGS.map((rating) => (
    <Curve
      key={rating}
      data-mark="bars"
      fill={`var(--rating-${rating})`}
      path={toBoxesPath(
        parts.filter((part) => part.rating === rating).map((part) => toBarBox(part, frame, scale)),
      )}
    />
  ))
}

type Counted = Pick<TimePoint, 'byRating'>

/** Percent. */
type StackPart = { column: number; rating: number; from: number; to: number }

/** Percentages are of the ratings on the scale, so that they fill the bar. */
export function toStack(points: readonly Counted[]): StackPart[] {
  const toSeries = stack<Counted, number>()
    .keys(RATINGS)
    .value(({ byRating }, rating) => byRating[rating - 1] ?? 0)
    .offset(stackOffsetExpand)
  return toSeries(points).flatMap((series) =>
    series.flatMap(([from, to], column) =>
      to > from ? [{ column, rating: series.key, from: from * 100, to: to * 100 }] : [],
    ),
  )
}

function toBarBox({ column, from, to }: StackPart, frame: PaneFrame, scale: PaneScale): Box {
  const [left, right] = toSides(frame, column)
  const width = right - left
  const gap = width >= 4 ? Math.min(3, Math.max(1, width * 0.14)) : 0
  const [low, high] = [toY(scale, from), toY(scale, to)]
  const seam = low - high >= SEAMED && width >= 4 ? 1 : 0
  return { left: left + gap / 2, right: right - gap / 2, top: high + seam, bottom: low }
}
