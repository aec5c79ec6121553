'use client'

import { type ComponentProps, useMemo } from 'react'
import { ComposedChart, Line, ReferenceLine, Scatter, Tooltip, XAxis, YAxis } from 'recharts'
import { toTimeTicks } from '#components/charts/time-ticks.ts'
import { useWidth } from '#components/charts/use-width.ts'
import type { SqlQuery } from '#lib/contract/page-addresses.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import type { Cells } from './engine.ts'
import { type Column, isNumeric, isTime } from './statement.ts'

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

type Axis = Column & { index: number }

/** `x`: a number, or seconds since 1970 for times; 0 for names. */
type ChartPoint = { x: number; y: number; label: string; value: string }

type Charted = { chart: string; rows: readonly Cells[]; x: Axis; y: Axis }

/**
 * Rows without both values are left out. Numbers and times are in order, names in that of the rows.
 * Bars stand at names: numbers would draw the outer ones over the axis.
 */
export function toChartPoints({ chart, rows, x, y }: Charted) {
  const kind = isNumeric(x.type) ? 'number' : isTime(x.type) ? 'time' : 'names'
  const toPlace = { number: Number, time: toSeconds, names: () => 0 }[kind]
  const points = rows.flatMap((row): ChartPoint[] => {
    const [label, value] = [row[x.index] ?? null, row[y.index] ?? null]
    if (label === null || value === null) return []
    const [at, up] = [toPlace(label), Number(value)]
    const isDrawn = Number.isFinite(at) && Number.isFinite(up)
    return isDrawn ? [{ x: at, y: up, label: toVisibleText(label), value }] : []
  })
  if (kind !== 'names') points.sort((a, b) => a.x - b.x)
  return { points, scale: chart === 'bar' ? 'names' : kind } as const
}

/** `2026-08-27`, `2026-08-27 10:30:00.5` or with `+00`. */
function toSeconds(text: string): number {
  const [day = '', time = '00:00:00'] = text.split(' ')
  return Date.parse(`${day}T${time.replace(/[+-]\d\d$/, '')}Z`) / 1000
}

const MOST_TICKS = 6

/** Round numbers that enclose all values. */
export function toValueTicks(points: readonly ChartPoint[], hasZero: boolean): readonly number[] {
  const values = points.map(({ y }) => y)
  const low = Math.min(...values, ...(hasZero ? [0] : []))
  const high = Math.max(...values, ...(hasZero ? [0] : []))
  if (!Number.isFinite(high - low)) return [0, 1]
  const span = high - low || Math.abs(high) || 1
  const rough = span / (MOST_TICKS - 1)
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10)
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const count = Math.max(1, last - first)
  return Array.from({ length: count + 1 }, (_, index) =>
    Number(((first + index) * step).toPrecision(12)),
  )
}
