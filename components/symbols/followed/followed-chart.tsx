'use client'

import { useMemo } from 'react'
import { ComposedChart, Line, ReferenceLine, Scatter, Tooltip, XAxis, YAxis } from 'recharts'
import { useWidth } from '#components/charts/use-width.ts'
import { formatConsensus, formatCount, formatShare } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import type { Followed, FollowedMonth } from '#lib/contract/answers/prices.ts'

const FOLLOWED_HEIGHT = 320

type Dot = { x: number; y: number; month: FollowedMonth }

/** The line is the slope, dashed if its interval includes zero. */
export function FollowedChart({ followed, name }: { followed: Followed; name: string }) {
  const [ref, width] = useWidth()
  const dots = useMemo(() => toDots(followed), [followed])
  const line = useMemo(() => toLine(followed, dots), [followed, dots])
  const ticks = useMemo(() => toTicks(dots), [dots])
  const bound = useMemo(() => toBound(dots), [dots])
  const isTold =
    followed.slope_low !== null && Number(followed.slope_low) * Number(followed.slope_high) > 0
  const axis = { stroke: 'var(--edge)', tick: { fill: 'var(--ink-3)', fontSize: 11 } }
  return (
    <div ref={ref} className="min-w-0" style={{ height: FOLLOWED_HEIGHT }}>
      {width > 0 && (
        <ComposedChart
          accessibilityLayer
          height={FOLLOWED_HEIGHT}
          margin={{ top: 8, right: 12, bottom: 22, left: 8 }}
          title={name}
          width={width}
        >
          <XAxis
            {...axis}
            dataKey="x"
            domain={[ticks.at(0) ?? 1, ticks.at(-1) ?? 5]}
            ticks={ticks}
            label={{
              value: 'Consensus at the month’s end, 1–5',
              position: 'bottom',
              fill: 'var(--ink-3)',
              fontSize: 12,
            }}
            tickFormatter={(value: number) => formatConsensus(value.toFixed(4))}
            type="number"
          />
          <YAxis
            {...axis}
            dataKey="y"
            domain={[-bound, bound]}
            ticks={[-bound, -bound / 2, 0, bound / 2, bound]}
            tickFormatter={(value: number) => formatShare(Math.round(value * 100))}
            type="number"
            width={52}
          />
          <ReferenceLine stroke="var(--edge)" y={0} />
          <Tooltip
            content={<MonthCard />}
            cursor={{ stroke: 'var(--edge)' }}
            isAnimationActive={false}
          />
          <Line
            activeDot={false}
            data={line}
            dataKey="y"
            dot={false}
            isAnimationActive={false}
            stroke="var(--ink)"
            strokeWidth={1.5}
            tooltipType="none"
            {...(!isTold && { strokeDasharray: '4 3' })}
          />
          <Scatter
            data={dots}
            dataKey="y"
            fill="var(--accent)"
            fillOpacity={0.75}
            isAnimationActive={false}
          />
        </ComposedChart>
      )}
    </div>
  )
}

type MonthCardProps = { active?: boolean; payload?: readonly { payload?: Dot }[] }

function MonthCard({ active = false, payload }: MonthCardProps) {
  const dot = payload?.at(-1)?.payload
  if (!active || dot?.month === undefined) return null
  const { month, consensus, active: n, excess, entry_date, exit_date } = dot.month
  return (
    <div className="rounded-md border border-line-2 bg-surface px-2.5 py-1.5 text-sm">
      <p className="font-medium">{month}</p>
      <p>
        Consensus {formatConsensus(consensus)} (n={formatCount(n)})
      </p>
      <p>
        Then {toSignedPercent(excess)} against the others, {entry_date} to {exit_date}
      </p>
    </div>
  )
}

const toDots = ({ months }: Followed): Dot[] =>
  months.flatMap((month) =>
    month.excess === null ? [] : [{ x: Number(month.consensus), y: Number(month.excess), month }],
  )

function toLine({ mean, slope }: Followed, dots: readonly Dot[]) {
  if (mean === null || slope === null || dots.length < 3) return []
  const xs = dots.map(({ x }) => x)
  const middle = xs.reduce((sum, x) => sum + x, 0) / xs.length
  const at = (x: number) => ({ x, y: Number(mean) + Number(slope) * (x - middle) })
  return [at(Math.min(...xs)), at(Math.max(...xs))]
}

const STEPS = [0.05, 0.1, 0.2, 0.5, 1]
const TICKS_MAX = 7

function toTicks(dots: readonly Dot[]): number[] {
  const xs = dots.map(({ x }) => x)
  const [low, high] = [Math.min(...xs), Math.max(...xs)]
  const toEnds = (step: number) => [Math.floor(low / step), Math.ceil(high / step)] as const
  const step = STEPS.find((one) => toEnds(one)[1] - toEnds(one)[0] < TICKS_MAX) ?? 1
  const [first, last] = toEnds(step)
  const count = Math.max(2, last - first + 1)
  return Array.from({ length: count }, (_, index) => Math.round((first + index) * step * 100) / 100)
}

function toBound(dots: readonly Dot[]): number {
  return Math.max(1, Math.ceil(Math.max(...dots.map(({ y }) => Math.abs(y))) * 10)) / 10
}
