import { memo } from 'react'
import { Curve } from 'recharts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { PaneFrame, PendingPoint, TimePoint, TrendUnit } from './chart-data.ts'
import { type PlacedDot, toShare } from './layout.ts'
import {
  type Box,
  type Step,
  toBandPath,
  toBoxesPath,
  toDotsPath,
  toSegmentPoints,
  toStepsPath,
} from './paths.ts'
import {
  DENSITY_STEPS,
  type DensityCell,
  RATINGS,
  type StackPart,
  toDensityCells,
  toHighest,
  toLabelled,
  toStack,
} from './rating-counts.ts'
import { type PaneScale, toY } from './scales.ts'
import { toColumn, toSides, toX } from './time-axis.ts'

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
  /** The end of each bucket's step, seconds since 1970. */
  ends: readonly number[]
  /** One for each bucket; null is a gap. */
  values: readonly (number | null)[]
  look: StepStyle
}

/** A value for each bucket as steps, each drawn to the bucket's end. */
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

/** What lies between two values of each bucket. */
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

/** With the end of the last bucket behind them, which closes its step. */
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

/** The consensus that would be left, from now on, each value until the next. */
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
      strokeDasharray="3 2.5"
      strokeWidth={1.5}
    />
  )
}

/** Where dots stand, in pixels from the pane's corner. */
export type PointMark = { x: number; y: number }

type PointMarksProps = {
  marks: readonly PointMark[]
  /** A CSS colour. */
  colour: string
  /** Ink becomes the reader's own text colour where he has set one; ratings keep theirs. */
  isInk?: boolean
  /** In pixels. */
  size?: number
  opacity?: number
}

/** Dots of one colour, all in one path: hundreds of them cost one element. */
export function PointMarks({ marks, colour, isInk = false, ...look }: PointMarksProps) {
  const { size = 4.5, opacity = 1 } = look
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

/** Single ratings, each in its label's colour: one path for each label. */
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

type BeyondMarksProps = {
  /** The buckets in which something lies beyond the edge, rising. */
  columns: readonly number[]
  frame: PaneFrame
  side: 'above' | 'below'
  /** The edge, in pixels from the pane's top. */
  y: number
}

/** A tick at the edge for each bucket in which something lies beyond it: as many are seen as there are. */
export function BeyondMarks(props: BeyondMarksProps) {
  const length = props.side === 'above' ? -TICK : TICK
  const ticks = toEdgePlaces(props).map(({ x, y }) => ({ x1: x, y1: y, x2: x, y2: y + length }))
  return (
    <Curve
      className="forced-colors:[stroke:CanvasText]"
      data-mark="beyond"
      points={toSegmentPoints(ticks)}
      stroke="var(--ink-2)"
    />
  )
}

/** In pixels, away from the pane. */
const TICK = 4

/** The middle of each bucket, at the edge. */
export const toEdgePlaces = ({ columns, frame, y }: Omit<BeyondMarksProps, 'side'>) =>
  columns.map((column) => {
    const [left, right] = toSides(frame, column)
    return { x: (left + right) / 2, y }
  })

type DensityCellsProps = {
  points: readonly TimePoint[]
  frame: PaneFrame
  scale: PaneScale
}

const HALF_HEIGHT = 7
/** From this width on cells stand apart; narrower ones would be more gaps than cells. */
const WIDE = 14

/** How many ratings came, by bucket and label: one path for each label and step, however many cells there are. */
export const DensityCells = memo(function DensityCells({
  points,
  frame,
  scale,
}: DensityCellsProps) {
  const cells = toDensityCells(points)
  return RATINGS.flatMap((rating) =>
    DENSITY_STEPS.map((opacity, step) => {
      const chosen = cells.filter((cell) => cell.rating === rating && cell.step === step)
      if (chosen.length === 0) return null
      return (
        <Curve
          // biome-ignore lint/suspicious/noArrayIndexKey: the steps are a constant, each is its own index.
          key={`${rating}-${step}`}
          fill={`var(--rating-${rating})`}
          fillOpacity={opacity}
          path={toBoxesPath(chosen.map((cell) => toBox(cell, frame, scale)))}
        />
      )
    }),
  )
})

function toBox({ column, rating }: DensityCell, frame: PaneFrame, scale: PaneScale): Box {
  const [left, right] = toSides(frame, column)
  const gap = right - left >= WIDE ? 1 : 0
  const y = toY(scale, rating)
  return { left, right: right - gap, top: y - HALF_HEIGHT, bottom: y + HALF_HEIGHT }
}

type StackedBarsProps = {
  points: readonly TimePoint[]
  frame: PaneFrame
  scale: PaneScale
  unit: TrendUnit
}

const DIGIT_WIDTH = 6
const TEXT_GAP = 8
/** From this width on each bar has its own n. */
const WIDE_BAR = 22
/** A part that is lower than this is drawn without a seam, or it would be nothing but seam. */
const SEAMED = 3

/** Bars of five labels, one path for each label. */
export function StackedBars({ points, frame, scale, unit }: StackedBarsProps) {
  const parts = toStack(points, unit)
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

/** The n of as many bars as have room for it, above them and those that it reaches over. Stands by parts of the plot. */
export function BarTexts({ points, frame, scale, unit }: StackedBarsProps) {
  const { formatCount } = useFormats()
  const texts = points.map((point) => formatCount(point.active))
  const [left, right] = toSides(frame, 0)
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 1)
  const textWidth = right - left >= WIDE_BAR && longest <= 3 ? 0 : longest * DIGIT_WIDTH + TEXT_GAP
  return (
    <g
      fill="var(--ink-3)"
      fontSize={10}
      paintOrder="stroke"
      stroke="var(--surface)"
      strokeLinejoin="round"
      strokeWidth={3}
      textAnchor="middle"
    >
      {toLabelled(points.length, right - left, textWidth).map((column) => {
        const point = points[column]
        if (!point) return null
        const [from, to] = toSides(frame, column)
        const half = ((texts[column]?.length ?? 0) * DIGIT_WIDTH) / 2
        const x = Math.min(frame.width - half, (from + to) / 2)
        const [first, last] = [x - half, x + half].map((side) => toColumn(frame, side))
        const top = toHighest(points.slice(first, (last ?? column) + 1), unit)
        return (
          <text key={point.t} x={toShare(frame, x)} y={Math.round(10 * (toY(scale, top) - 4)) / 10}>
            {texts[column]}
          </text>
        )
      })}
    </g>
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
