import { Fragment } from 'react'
import { Curve } from 'recharts'
import { toDotsPath } from '#components/charts/paths.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Calibration } from '#lib/contract/answers/track.ts'
import { toChartGroups, toScale } from './calibration-scales.ts'

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
  const formats = useFormats()
  const drawn = toChartGroups(groups)
  const { ticks, toPx } = toScale(drawn, PLOT_PX)
  const toX = (percent: number) => LEFT_PX + toPx(percent)
  const toY = (percent: number) => TOP_PX + PLOT_PX - toPx(percent)
  const [low = 0, high = 0] = [ticks[0], ticks.at(-1)]
  const toText = (percent: number) => formats.formatPrediction(String(percent))
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
