'use client'

import dynamic from 'next/dynamic'
import { toSignedPercent } from '#components/format/texts.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { RuleNote } from '#components/ui/help-popover.tsx'
import { Skeleton } from '#components/ui/loading.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { WhenSeen } from '#components/ui/when-seen.tsx'
import type { Calibration } from '#lib/contract/answers/track.ts'
import { CHART_PX } from './calibration-scales.ts'
import { toCalibrationText, toSpan } from './track-texts.ts'

/** Fewer groups draw no line that anything could lie on. */
const GROUPS_DRAWN = 3

const ChartSkeleton = () => <Skeleton className="rounded-lg" height={CHART_PX} />

const CalibrationChart = dynamic(
  async () => (await import('./calibration-chart.tsx')).CalibrationChart,
  { loading: ChartSkeleton, ssr: false },
)

type CalibrationFigureProps = { calibration: Calibration; name: string }

/** Predictions against what came: ten equal groups, as a chart and as the table of the same figures. */
export function CalibrationFigure({ calibration, name }: CalibrationFigureProps) {
  const formats = useFormats()
  const { groups, zero } = calibration
  const isDrawn = groups.length >= GROUPS_DRAWN
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2">
      <div>
        <h3 className="flex items-center text-sm font-medium text-ink-3">
          Predictions against what came
          <RuleNote about="predictions against what came">
            Calls that count and have a prediction other than 0, in ten equal groups by prediction,
            the lowest first: what was predicted on average beside what the symbols returned on
            average, with the interval (95%) of that. On the dashed line both would be the same.
            Returns are whole ones, with nothing taken off for the market.
          </RuleNote>
        </h3>
        <p className="max-w-text">
          {toCalibrationText(calibration, formats)}
          {zero > 0 &&
            ` ${formats.formatCounted(zero, 'prediction')} of exactly 0 ${zero === 1 ? 'is' : 'are'} left out.`}
        </p>
      </div>
      {groups.length > 0 && (
        <div className="grid min-w-0 gap-x-8 gap-y-3 lg:grid-cols-[minmax(0,1fr)_minmax(0,1fr)]">
          {isDrawn && (
            <div aria-hidden className="min-w-0">
              <WhenSeen before={<ChartSkeleton />}>
                <CalibrationChart groups={groups} />
              </WhenSeen>
            </div>
          )}
          <CalibrationTable groups={groups} name={name} />
        </div>
      )}
    </figure>
  )
}

function CalibrationTable({ groups, name }: { groups: Calibration['groups']; name: string }) {
  const formats = useFormats()
  const percent = (fraction: string | null) => toSignedPercent(fraction, formats)
  return (
    <TableFrame aria-label={name}>
      <Table aria-label={name}>
        <TableHead>
          <HeaderCell>Group</HeaderCell>
          <HeaderCell numeric>Calls</HeaderCell>
          <HeaderCell numeric>Predicted</HeaderCell>
          <HeaderCell numeric>Came</HeaderCell>
          <HeaderCell numeric>Between</HeaderCell>
        </TableHead>
        <tbody>
          {numbered(groups).map(({ number, group }) => (
            <Row key={number} compact>
              <th scope="row">{formats.formatCount(number)}</th>
              <Cell numeric>{formats.formatCount(group.calls)}</Cell>
              <Cell numeric>{percent(group.prediction)}</Cell>
              <Cell numeric>{percent(group.return)}</Cell>
              <Cell muted numeric>
                {toSpan(group.return_low, group.return_high, percent) ?? '–'}
              </Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

/** Groups have no name but their place. */
const numbered = (groups: Calibration['groups']) =>
  groups.map((group, index) => ({ number: index + 1, group }))
