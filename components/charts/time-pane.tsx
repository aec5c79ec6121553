'use client'

import type { ReactNode } from 'react'
import { CartesianGrid, ComposedChart, Tooltip, XAxis, YAxis, type YAxisProps } from 'recharts'
import type { PaneFrame, PaneName } from './pane-frame.ts'
import { PaneReading } from './pane-reading.tsx'
import { AXIS_WIDTH } from './pane-sizes.ts'

type TimePaneProps = {
  frame: PaneFrame
  name: PaneName
  /** The accessible name of the drawing. */
  label: string
  height: number
  yAxis: Pick<YAxisProps, 'domain' | 'ticks' | 'tickFormatter' | 'tickCount' | 'padding'>
  /** Points in another form than the frame's, one for each of them. */
  data?: readonly object[]
  /** The lowest pane names the times. */
  showsTime?: boolean
  children: ReactNode
}

const TICK = { fill: 'var(--ink-3)', fontSize: 11 }
const MARGIN = { top: 4, right: 10, bottom: 0, left: 0 }
const CURSOR = { stroke: 'var(--edge)', strokeDasharray: '2 3' }

/** One pane: grid, scale and time axis around whatever it draws, and what it says under the pointer. */
export function TimePane({ frame, name, label, height, yAxis, ...rest }: TimePaneProps) {
  const { data = frame.points, showsTime = false, children } = rest
  return (
    <ComposedChart
      accessibilityLayer
      aria-label={label}
      data={[...data]}
      height={height}
      margin={MARGIN}
      syncId={frame.syncId}
      width={frame.width}
    >
      <CartesianGrid stroke="var(--line)" syncWithTicks vertical={false} />
      {children}
      <XAxis
        axisLine={false}
        dataKey="t"
        domain={frame.span}
        height={showsTime ? 24 : 1}
        interval={0}
        scale="linear"
        tick={showsTime ? TICK : false}
        tickFormatter={(at: number) => frame.ticks.find((tick) => tick.at === at)?.label ?? ''}
        tickLine={false}
        ticks={frame.ticks.map((tick) => tick.at)}
        type="number"
      />
      <YAxis
        // The scale is ours: it stands, and the dots with it, where no line has a value to draw.
        allowDataOverflow
        axisLine={false}
        interval={0}
        tick={TICK}
        tickLine={false}
        width={AXIS_WIDTH}
        {...yAxis}
      />
      <Tooltip
        content={({ active, activeIndex }) => (
          <PaneReading frame={frame} index={active ? Number(activeIndex) : null} name={name} />
        )}
        cursor={CURSOR}
        filterNull={false}
        isAnimationActive={false}
        wrapperStyle={{ zIndex: 10 }}
      />
    </ComposedChart>
  )
}
