'use client'

import type { ReactNode } from 'react'
import { ComposedChart, XAxis, YAxis } from 'recharts'
import { GridLines, TimeTexts, ValueTexts } from './axis-texts.tsx'
import type { PaneFrame } from './pane-frame.ts'
import { NO_AXIS_HEIGHT, PANE_TOP, type PaneScale, TIME_AXIS_HEIGHT } from './pane-scale.ts'
import type { StepRow } from './step-rows.ts'

type TimePaneProps = {
  frame: PaneFrame
  scale: PaneScale
  height: number
  /** The values that the grid and the axis name. */
  ticks: number[]
  /** Left out where the pane writes the axis' texts itself. */
  format?: (value: number) => string
  /** What Recharts' own lines and areas are drawn from. */
  rows?: readonly StepRow[]
  /** The lowest pane names the times. */
  showsTime?: boolean
  children: ReactNode
}

/**
 * One pane: grid, scale and time axis around whatever it draws. It answers to nothing: pointer and keys are the
 * business of the overlay that lies over all panes, so no movement draws a pane anew.
 */
export function TimePane({ frame, scale, height, ticks, format, ...rest }: TimePaneProps) {
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
        <GridLines frame={frame} scale={scale} ticks={ticks} />
        <XAxis
          axisLine={false}
          dataKey="t"
          domain={[...frame.span]}
          height={showsTime ? TIME_AXIS_HEIGHT : NO_AXIS_HEIGHT}
          scale="linear"
          tick={false}
          tickLine={false}
          type="number"
        />
        <YAxis
          // The scale is ours: it stands, and what is drawn by hand with it, where no line has a value to draw.
          allowDataOverflow
          axisLine={false}
          domain={[...scale.domain]}
          padding={scale.padding}
          tick={false}
          tickLine={false}
          width={frame.left}
        />
        {format && <ValueTexts format={format} frame={frame} scale={scale} ticks={ticks} />}
        {showsTime && <TimeTexts frame={frame} height={height} />}
        {children}
      </ComposedChart>
    </div>
  )
}

/** Recharts draws a time axis only where it has been given times. */
const toSpanRows = ({ span }: PaneFrame): StepRow[] => span.map((t) => ({ t }))
