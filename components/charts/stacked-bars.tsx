import { useFormats } from '#components/format/use-formats.tsx'
import { RATINGS } from './density.ts'
import type { PaneFrame } from './pane-frame.ts'
import { type PaneScale, toY } from './pane-scale.ts'
import { toShare } from './pane-view.ts'
import { type Box, toBoxesPath } from './path-text.ts'
import { type StackPart, toHighest, toLabelled, toStack } from './stack.ts'
import { toColumn, toSides } from './time-frame.ts'
import type { TimePoint, TrendUnit } from './time-point.ts'

type StackedBarsProps = {
  points: readonly TimePoint[]
  frame: PaneFrame
  scale: PaneScale
  unit: TrendUnit
}

const DIGIT_WIDTH = 6
const TEXT_GAP = 8
/** From this width on each bar has its own n. */
const WIDE = 22
/** A part that is lower than this is drawn without a seam, or it would be nothing but seam. */
const SEAMED = 3

/** Bars of five labels, one path for each label. */
export function StackedBars({ points, frame, scale, unit }: StackedBarsProps) {
  const parts = toStack(points, unit)
  return RATINGS.map((rating) => (
    <path
      key={rating}
      d={toBoxesPath(
        parts.filter((part) => part.rating === rating).map((part) => toBox(part, frame, scale)),
      )}
      data-mark="bars"
      fill={`var(--rating-${rating})`}
    />
  ))
}

/** The n of as many bars as have room for it, above them and those that it reaches over. Stands by parts of the plot. */
export function BarTexts({ points, frame, scale, unit }: StackedBarsProps) {
  const { formatCount } = useFormats()
  const texts = points.map((point) => formatCount(point.active))
  const [left, right] = toSides(frame, 0)
  const longest = texts.reduce((most, text) => Math.max(most, text.length), 1)
  const textWidth = right - left >= WIDE && longest <= 3 ? 0 : longest * DIGIT_WIDTH + TEXT_GAP
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
          <text key={point.t} x={toShare(frame, x)} y={toY(scale, top) - 4}>
            {texts[column]}
          </text>
        )
      })}
    </g>
  )
}

function toBox({ column, from, to }: StackPart, frame: PaneFrame, scale: PaneScale): Box {
  const [left, right] = toSides(frame, column)
  const width = right - left
  const gap = width >= 4 ? Math.min(3, Math.max(1, width * 0.14)) : 0
  const [low, high] = [toY(scale, from), toY(scale, to)]
  const seam = low - high >= SEAMED && width >= 4 ? 1 : 0
  return { left: left + gap / 2, right: right - gap / 2, top: high + seam, bottom: low }
}
