import type { PaneFrame } from './pane-frame.ts'
import { type PaneScale, TIME_AXIS_HEIGHT, toY } from './pane-scale.ts'
import { toShare } from './pane-view.ts'
import { toX } from './time-frame.ts'

const GAP = 8

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

type ValueTextsProps = Omit<GridProps, 'frame'> & { format: (value: number) => string }

/** The values of a pane's own axis, left of the plot, which begins at 0. */
export const ValueTexts = ({ scale, ticks, format }: ValueTextsProps) => (
  <g fill="var(--ink-3)" fontSize={11} textAnchor="end">
    {ticks.map((tick) => (
      <text key={tick} dy="0.355em" x={-GAP} y={toY(scale, tick)}>
        {format(tick)}
      </text>
    ))}
  </g>
)

/** The instants of the time axis, by parts of the plot, below a pane that is so high (pixels). */
export const TimeTexts = ({ frame, height }: { frame: PaneFrame; height: number }) => (
  <g fill="var(--ink-3)" fontSize={11} textAnchor="middle">
    {frame.ticks.map(({ at, label }) => (
      <text
        key={at}
        dy="0.71em"
        x={toShare(frame, toX(frame, at))}
        y={height - TIME_AXIS_HEIGHT + GAP}
      >
        {label}
      </text>
    ))}
  </g>
)
