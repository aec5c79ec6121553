'use client'

import {
  CartesianGrid,
  ErrorBar,
  Label,
  ReferenceLine,
  Scatter,
  ScatterChart,
  Tooltip,
  XAxis,
  YAxis,
} from 'recharts'
import { useWidth } from '#components/charts/use-width.ts'
import type { Formats } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import type { Calibration } from '#lib/contract/answers/track.ts'
import { CHART_PX, selectLine, toChartGroups, toTicks } from './calibration-scales.ts'
import { toSpan } from './track-texts.ts'

/** On paper, whose width nobody knows. */
const WIDTH_PX = 460
const TICK = { fill: 'var(--ink-3)', fontSize: 11 }
const MARGIN = { top: 8, right: 16, bottom: 22, left: 14 }

type CalibrationChartProps = { groups: Calibration['groups'] }

/** What was predicted (across) against what came (up), with the line on which both are the same. */
export function CalibrationChart({ groups }: CalibrationChartProps) {
  const [ref, measured] = useWidth()
  const formats = useFormats()
  const points = toChartGroups(groups)
  const across = toTicks(points.map(({ x }) => x))
  const up = toTicks(points.flatMap(({ y, error: [below, above] }) => [y - below, y + above]))
  const line = selectLine(across, up)
  const toText = (percent: number) => toTickText(percent, formats)
  return (
    <div ref={ref} style={{ height: CHART_PX }}>
      <ScatterChart
        accessibilityLayer={false}
        height={CHART_PX}
        margin={MARGIN}
        width={measured || WIDTH_PX}
      >
        <CartesianGrid stroke="var(--line)" />
        <XAxis
          axisLine={{ stroke: 'var(--line-2)' }}
          dataKey="x"
          domain={[across[0] ?? 0, across.at(-1) ?? 1]}
          tick={TICK}
          tickFormatter={toText}
          tickLine={false}
          ticks={[...across]}
          type="number"
        >
          <Label
            fill="var(--ink-3)"
            fontSize={11}
            offset={8}
            position="bottom"
            value="Predicted on average"
          />
        </XAxis>
        <YAxis
          axisLine={{ stroke: 'var(--line-2)' }}
          dataKey="y"
          domain={[up[0] ?? 0, up.at(-1) ?? 1]}
          tick={TICK}
          tickFormatter={toText}
          tickLine={false}
          ticks={[...up]}
          type="number"
          width={52}
        >
          <Label
            angle={-90}
            fill="var(--ink-3)"
            fontSize={11}
            offset={0}
            position="insideLeft"
            style={{ textAnchor: 'middle' }}
            value="Came on average"
          />
        </YAxis>
        <ReferenceLine stroke="var(--line-2)" y={0} />
        {line && <ReferenceLine segment={line} stroke="var(--ink-3)" strokeDasharray="5 4" />}
        <Tooltip content={<Reading groups={groups} />} cursor={false} isAnimationActive={false} />
        <Scatter data={points} fill="var(--accent)" isAnimationActive={false}>
          <ErrorBar dataKey="error" direction="y" stroke="var(--accent)" width={5} />
        </Scatter>
      </ScatterChart>
    </div>
  )
}

const toTickText = (percent: number, { formatPrediction }: Formats) =>
  formatPrediction(String(Math.round(percent * 100) / 100))

type ReadingProps = {
  groups: Calibration['groups']
  /** What the chart hands over. */
  active?: boolean
  payload?: readonly { payload?: { index?: number } }[]
}

/** The group that is pointed at, in full. */
function Reading({ groups, active, payload }: ReadingProps) {
  const formats = useFormats()
  const index = payload?.[0]?.payload?.index
  const group = index === undefined ? undefined : groups[index]
  if (!active || !group) return null
  const percent = (fraction: string | null) => toSignedPercent(fraction, formats)
  const span = toSpan(group.return_low, group.return_high, percent)
  return (
    <p className="rounded-md border border-line-2 bg-surface px-2 py-1 text-sm shadow-sm">
      Predicted {percent(group.prediction)}, came {percent(group.return)}
      {span && <span className="block text-ink-3">between {span}</span>}
      <span className="block text-ink-3">{formats.formatCounted(group.calls, 'call')}</span>
    </p>
  )
}
