import { Curve, Dot, Surface } from 'recharts'
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

/**
 * What was predicted (across) against what came (up), on equal scales. It has one size, so that the server draws it and
 * paper and saved pages have it too.
 */
export function CalibrationChart({ groups }: CalibrationChartProps) {
  const formats = useFormats()
  const drawn = toChartGroups(groups)
  const { ticks, toPx } = toScale(drawn, PLOT_PX)
  const toX = (percent: number) => LEFT_PX + toPx(percent)
  const toY = (percent: number) => TOP_PX + PLOT_PX - toPx(percent)
  const [low = 0, high = 0] = [ticks[0], ticks.at(-1)]
  const toText = (percent: number) => formats.formatPrediction(String(percent))
  return (
    <Surface
      className="h-auto max-w-full"
      height={HEIGHT_PX}
      role="presentation"
      viewBox={{ x: 0, y: 0, width: WIDTH_PX, height: HEIGHT_PX }}
      width={WIDTH_PX}
    >
      <g className="fill-ink-3 text-xs tabular-nums">
        {ticks.map((tick) => (
          <g key={tick}>
            <Curve
              className={tick === 0 ? 'stroke-edge' : 'stroke-line'}
              points={[
                { x: toX(low), y: toY(tick) },
                { x: toX(high), y: toY(tick) },
                { x: null, y: null },
                { x: toX(tick), y: toY(low) },
                { x: toX(tick), y: toY(high) },
              ]}
            />
            <text dy="0.35em" textAnchor="end" x={LEFT_PX - 6} y={toY(tick)}>
              {toText(tick)}
            </text>
            <text textAnchor="middle" x={toX(tick)} y={TOP_PX + PLOT_PX + 15}>
              {toText(tick)}
            </text>
          </g>
        ))}
        <text textAnchor="middle" x={LEFT_PX + PLOT_PX / 2} y={HEIGHT_PX - 6}>
          Predicted on average
        </text>
        <text textAnchor="middle" transform={`translate(11 ${TOP_PX + PLOT_PX / 2}) rotate(-90)`}>
          Came on average
        </text>
      </g>
      <Curve
        className="stroke-ink-3"
        points={[
          { x: toX(low), y: toY(low) },
          { x: toX(high), y: toY(high) },
        ]}
        strokeDasharray="5 4"
      />
      <Curve
        className="stroke-accent"
        points={drawn.flatMap(({ predicted, interval }) =>
          interval === null
            ? []
            : [
                ...interval.map((end) => ({ x: toX(predicted), y: toY(end) })),
                { x: null, y: null },
              ],
        )}
        strokeWidth={2}
      />
      {drawn.map(({ place, predicted, came }) => (
        <Dot className="fill-accent" cx={toX(predicted)} cy={toY(came)} key={place} r={4} />
      ))}
    </Surface>
  )
}
