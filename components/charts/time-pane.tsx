'use client'

import type { ReactNode } from 'react'
import { CartesianGrid, ComposedChart, XAxis, YAxis, type YAxisProps } from 'recharts'
import type { PaneFrame } from './pane-frame.ts'
import { NO_AXIS_HEIGHT, PANE_TOP, type PaneScale, TIME_AXIS_HEIGHT, toY } from './pane-scale.ts'
import type { StepRow } from './steps.ts'

type TimePaneProps = {
  frame: PaneFrame
  scale: PaneScale
  height: number
  /** The values that the grid and the axis name. */
  ticks: number[]
  /** False where the pane writes the axis' texts itself. */
  tickFormatter?: YAxisProps['tickFormatter'] | false
  /** What Recharts' own lines and areas are drawn from. */
  rows?: readonly StepRow[]
  /** The lowest pane names the times. */
  showsTime?: boolean
  children: ReactNode
}

/**
 * What all of Recharts' lines and areas are drawn with. Without a layer of their own they stand in the order in which
 * they are written, so that what we draw may lie above them or below.
 */
export const STILL_LINE = {
  activeDot: false,
  dot: false,
  isAnimationActive: false,
  zIndex: 0,
} as const

const TICK = { fill: 'var(--ink-3)', fontSize: 11 }

/**
 * One pane: grid, scale and time axis around whatever it draws. It answers to nothing: pointer and keys are the
 * business of the overlay that lies over all panes, so no movement draws a pane anew.
 */
export function TimePane({ frame, scale, height, ticks, tickFormatter, ...rest }: TimePaneProps) {
  const { rows = toSpanRows(frame), showsTime = false, children } = rest
  return (
    <div aria-hidden>
      <ComposedChart
        accessibilityLayer={false}
        data={[...rows]}
        height={height}
        margin={{ top: PANE_TOP, right: frame.right, bottom: 0, left: 0 }}
        width={frame.width}
      >
        <CartesianGrid
          className="forced-colors:[&_line]:[stroke:GrayText]"
          stroke="var(--line)"
          horizontalPoints={ticks.map((tick) => toY(scale, tick))}
          zIndex={0}
          vertical={false}
        />
        <XAxis
          axisLine={false}
          dataKey="t"
          domain={[...frame.span]}
          height={showsTime ? TIME_AXIS_HEIGHT : NO_AXIS_HEIGHT}
          interval={0}
          scale="linear"
          tick={showsTime ? TICK : false}
          tickFormatter={(at: number) => frame.ticks.find((tick) => tick.at === at)?.label ?? ''}
          tickLine={false}
          ticks={frame.ticks.map((tick) => tick.at)}
          type="number"
        />
        <YAxis
          // The scale is ours: it stands, and what is drawn by hand with it, where no line has a value to draw.
          allowDataOverflow
          axisLine={false}
          domain={[...scale.domain]}
          interval={0}
          padding={scale.padding}
          tick={tickFormatter === false ? false : TICK}
          tickLine={false}
          ticks={ticks}
          width={frame.left}
          {...(tickFormatter ? { tickFormatter } : {})}
        />
        {children}
      </ComposedChart>
    </div>
  )
}

/** Recharts draws a time axis only where it has been given times. */
const toSpanRows = ({ span }: PaneFrame): StepRow[] => span.map((t) => ({ t }))
