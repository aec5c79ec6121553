'use client'

import { type ComponentProps, useMemo } from 'react'
import { ComposedChart, Line, ReferenceLine, Scatter, Tooltip, XAxis, YAxis } from 'recharts'
import type { SqlQuery } from '#components/address/sql-address.ts'
import { toTimeTicks } from '#components/charts/time-ticks.ts'
import { useWidth } from '#components/charts/use-width.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { type Axis, type ChartPoint, toChartPoints, toValueTicks } from './chart-points.ts'
import type { Cells } from './engine.ts'

type ResultChartProps = {
  chart: NonNullable<SqlQuery['chart']>
  rows: readonly Cells[]
  x: Axis
  y: Axis
  heightPx: number
}

const AXIS = { stroke: 'var(--edge)', tick: { fill: 'var(--ink-3)', fontSize: 11 } }
const TICK_PX = 110

/** Recharts' bars and grid are left out: pages that share its modules would grow by them. */
export function ResultChart({ chart, rows, x, y, heightPx }: ResultChartProps) {
  const [ref, width] = useWidth()
  const { points, scale } = useMemo(() => toChartPoints({ chart, rows, x, y }), [chart, rows, x, y])
  const ticks = useMemo(() => toValueTicks(points, chart === 'bar'), [points, chart])
  const name = `${toVisibleText(y.name)} by ${toVisibleText(x.name)}`
  const plotWidth = width - MARGIN.left - MARGIN.right - VALUES_PX
  const barShape = (place: ScatterPlace) => (
    <BarShape {...place} ticks={ticks} widthPx={(0.8 * plotWidth) / Math.max(1, points.length)} />
  )
  return (
    <figure
      aria-label={name}
      className="min-w-0 rounded-lg border bg-surface py-2"
      ref={ref}
      style={{ height: heightPx }}
    >
      {width > 0 && (
        <ComposedChart
          accessibilityLayer
          data={[...points]}
          height={CHART_PX}
          margin={MARGIN}
          title={name}
          width={width}
        >
          {ticks.map((tick) => (
            <ReferenceLine
              key={tick}
              stroke={tick === 0 ? 'var(--edge)' : 'var(--line)'}
              y={tick}
            />
          ))}
          <XAxis {...AXIS} {...toXAxis(points, scale, width)} height={NAMES_PX} />
          <YAxis
            {...AXIS}
            domain={[ticks[0] ?? 0, ticks.at(-1) ?? 1]}
            tickFormatter={toShortNumber}
            ticks={[...ticks]}
            type="number"
            width={VALUES_PX}
          />
          <Tooltip
            content={<PointCard x={x} y={y} />}
            cursor={{ stroke: 'var(--edge)' }}
            isAnimationActive={false}
          />
          {chart === 'line' && (
            <Line
              activeDot={{ r: 3 }}
              dataKey="y"
              dot={points.length < DOTTED && { r: 2, fill: 'var(--accent)' }}
              isAnimationActive={false}
              stroke="var(--accent)"
              strokeWidth={1.5}
            />
          )}
          {chart !== 'line' && (
            <Scatter
              dataKey="y"
              fill="var(--accent)"
              fillOpacity={0.75}
              isAnimationActive={false}
              {...(chart === 'bar' && { shape: barShape })}
            />
          )}
        </ComposedChart>
      )}
    </figure>
  )
}

const CHART_PX = 302
const NAMES_PX = 28
const VALUES_PX = 56
const MARGIN = { top: 8, right: 20, bottom: 4, left: 4 }
const PLOT_PX = CHART_PX - MARGIN.top - MARGIN.bottom - NAMES_PX

type ScatterPlace = { cx?: number; cy?: number }

function BarShape({
  cx = 0,
  cy = 0,
  ticks,
  widthPx,
}: ScatterPlace & { ticks: readonly number[]; widthPx: number }) {
  const [low, high] = [ticks[0] ?? 0, ticks.at(-1) ?? 1]
  const zero = MARGIN.top + (PLOT_PX * high) / (high - low)
  return (
    <rect
      fill="var(--accent)"
      height={Math.max(1, Math.abs(zero - cy))}
      width={Math.max(1, widthPx)}
      x={cx - widthPx / 2}
      y={Math.min(zero, cy)}
    />
  )
}

const DOTTED = 60

function toXAxis(
  points: readonly ChartPoint[],
  scale: 'number' | 'time' | 'names',
  width: number,
): ComponentProps<typeof XAxis> {
  if (scale === 'names') {
    return {
      dataKey: 'label',
      allowDuplicatedCategory: true,
      interval: 'preserveStartEnd',
      tickFormatter: toShortText,
    }
  }
  const shared = { dataKey: 'x', type: 'number', domain: ['dataMin', 'dataMax'] } as const
  if (scale === 'number') return { ...shared, tickFormatter: toShortNumber, padding: PADDING }
  const [from, to] = [points[0]?.x ?? 0, points.at(-1)?.x ?? 0]
  const ticks = from < to ? toTimeTicks(from, to, Math.max(2, Math.floor(width / TICK_PX))) : []
  const labels = new Map(ticks.map(({ at, label }) => [at, label]))
  return {
    ...shared,
    ticks: ticks.map(({ at }) => at),
    tickFormatter: (at: number) => labels.get(at) ?? '',
    padding: PADDING,
  }
}

const PADDING = { left: 8, right: 8 }
const NAME_LENGTH = 16

const toShortText = (text: string) =>
  text.length > NAME_LENGTH ? `${text.slice(0, NAME_LENGTH - 1)}…` : text

const toShortNumber = (value: number) =>
  new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 2 })
    .format(value)
    .replace('-', '−')

type PointCardProps = {
  x: Axis
  y: Axis
  active?: boolean
  payload?: readonly { payload?: ChartPoint }[]
}

function PointCard({ x, y, active = false, payload }: PointCardProps) {
  const point = payload?.at(-1)?.payload
  if (!active || !point) return null
  return (
    <div className="rounded-md border border-line-2 bg-surface px-2.5 py-1.5 text-sm">
      <p>
        {toVisibleText(x.name)} <span className="font-medium">{point.label}</span>
      </p>
      <p>
        {toVisibleText(y.name)} <span className="font-medium">{point.value}</span>
      </p>
    </div>
  )
}
