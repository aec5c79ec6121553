import type { PaneFrame } from './pane-frame.ts'
import { type PaneScale, TIME_AXIS_HEIGHT, toY } from './pane-scale.ts'
import { toX } from './time-frame.ts'

const GAP = 8

/** The frame of an axis whose drawing begins where the plot does; names that find no room are hidden by their class. */
export const AT_PLOT = { left: 0, width: Number.POSITIVE_INFINITY }

type GridProps = { frame: PaneFrame; scale: PaneScale; ticks: readonly number[] }

/** A hairline at each value that the axis names. */
export const GridLines = ({ frame, scale, ticks }: GridProps) => (
  <path
    className="forced-colors:[stroke:GrayText]"
    d={ticks
      .map((tick) => `M${frame.left} ${toY(scale, tick)}H${frame.width - frame.right}`)
      .join('')}
    stroke="var(--line)"
  />
)

type ValueTextsProps = Omit<GridProps, 'frame'> & {
  frame: Pick<PaneFrame, 'left'>
  format: (value: number) => string
}

/** The values of a pane's own axis, left of it. */
export const ValueTexts = ({ frame, scale, ticks, format }: ValueTextsProps) => (
  <g fill="var(--ink-3)" fontSize={11} textAnchor="end">
    {ticks.map((tick) => (
      <text key={tick} dy="0.355em" x={frame.left - GAP} y={toY(scale, tick)}>
        {format(tick)}
      </text>
    ))}
  </g>
)

type TimeTextsProps = {
  frame: PaneFrame
  height: number
  /** Where a place of the frame (pixels) is written. */
  toPlace?: (x: number) => number | string
}

/** The instants of the time axis, below a pane that is so high (pixels). */
export const TimeTexts = ({ frame, height, toPlace = (x) => x }: TimeTextsProps) => (
  <g fill="var(--ink-3)" fontSize={11} textAnchor="middle">
    {frame.ticks.map(({ at, label }) => (
      <text key={at} dy="0.71em" x={toPlace(toX(frame, at))} y={height - TIME_AXIS_HEIGHT + GAP}>
        {label}
      </text>
    ))}
  </g>
)
