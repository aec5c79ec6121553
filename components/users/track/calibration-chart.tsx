import { Fragment } from 'react'
import { Curve } from 'recharts'
import { toDotsPath } from '#components/charts/paths.ts'
import { formatPrediction } from '#components/format/numbers.ts'
import type { Calibration } from '#lib/contract/answers/track.ts'

const PLOT_PX = 280
const LEFT_PX = 60
const TOP_PX = 8
const RIGHT_PX = 20
const BOTTOM_PX = 40
const WIDTH_PX = LEFT_PX + PLOT_PX + RIGHT_PX
const HEIGHT_PX = TOP_PX + PLOT_PX + BOTTOM_PX

type CalibrationChartProps = { groups: Calibration['groups'] }

/** Fixed size, so that the server renders it. */
export function CalibrationChart({ groups }: CalibrationChartProps) {
  const drawn = toChartGroups(groups)
  const { ticks, toPx } = toScale(drawn, PLOT_PX)
  const toX = (percent: number) => LEFT_PX + toPx(percent)
  const toY = (percent: number) => TOP_PX + PLOT_PX - toPx(percent)
  const [low = 0, high = 0] = [ticks[0], ticks.at(-1)]
  const toText = (percent: number) => formatPrediction(String(percent))
  const point = (x: number, y: number) => ({ x: toX(x), y: toY(y) })
  const gap = { x: null, y: null }
  const toCross = (tick: number) => [
    ...[point(low, tick), point(high, tick), gap],
    ...[point(tick, low), point(tick, high), gap],
  ]
  return (
    <svg
      className="h-auto max-w-full fill-ink-3 text-xs tabular-nums"
      height={HEIGHT_PX}
      role="presentation"
      viewBox={`0 0 ${WIDTH_PX} ${HEIGHT_PX}`}
      width={WIDTH_PX}
    >
      <Curve className="stroke-line" points={ticks.flatMap(toCross)} />
      <Curve className="stroke-edge" points={toCross(0)} />
      {[...new Set([low, 0, high])].map((tick) => (
        <Fragment key={tick}>
          <text dy="0.35em" textAnchor="end" x={LEFT_PX - 6} y={toY(tick)}>
            {toText(tick)}
          </text>
          <text textAnchor="middle" x={toX(tick)} y={TOP_PX + PLOT_PX + 15}>
            {toText(tick)}
          </text>
        </Fragment>
      ))}
      <text textAnchor="middle" x={LEFT_PX + PLOT_PX / 2} y={HEIGHT_PX - 6}>
        Predicted on average
      </text>
      <text textAnchor="middle" transform={`translate(11 ${TOP_PX + PLOT_PX / 2}) rotate(-90)`}>
        Came on average
      </text>
      <Curve
        className="stroke-ink-3"
        points={[point(low, low), point(high, high)]}
        strokeDasharray="5 4"
      />
      <Curve
        className="stroke-accent"
        points={drawn.flatMap(({ predicted, interval }) =>
          interval === null ? [] : [...interval.map((end) => point(predicted, end)), gap],
        )}
        strokeWidth={2}
      />
      <Curve
        className="stroke-accent"
        data-dots
        path={toDotsPath(drawn.map(({ predicted, came }) => point(predicted, came)))}
        strokeLinecap="round"
        strokeWidth={8}
      />
    </svg>
  )
}

/** Percent. */
type ChartGroup = { predicted: number; came: number; interval: [number, number] | null }

const toPercent = (fraction: string) => Number(fraction) * 100

export const toChartGroups = (groups: Calibration['groups']): ChartGroup[] =>
  groups.map(({ prediction, return: came, return_low: low, return_high: high }) => ({
    predicted: toPercent(prediction),
    came: toPercent(came),
    interval: low === null || high === null ? null : [toPercent(low), toPercent(high)],
  }))

const STEPS = [1, 2, 2.5, 5, 10]
const MOST_STEPS = 4

export function toTicks(values: readonly number[]): readonly number[] {
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)]
  const least = (high - low || 1) / MOST_STEPS
  const power = 10 ** Math.floor(Math.log10(least))
  const step = (STEPS.find((times) => times * power >= least) ?? 10) * power
  const [first, last] = [Math.floor(low / step), Math.ceil(high / step)]
  const count = Math.max(1, last - first)
  return Array.from({ length: count + 1 }, (_, index) => round((first + index) * step))
}

/** Removes floating-point noise. */
const round = (value: number) => Number(value.toPrecision(12))

/** Both axes share one scale, to which intervals are clipped. */
export function toScale(groups: readonly ChartGroup[], sizePx: number) {
  const ticks = toTicks(groups.flatMap(({ predicted, came }) => [predicted, came]))
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)]
  const toPx = (value: number) =>
    (sizePx * (Math.min(high, Math.max(low, value)) - low)) / (high - low)
  return { ticks, toPx }
}
