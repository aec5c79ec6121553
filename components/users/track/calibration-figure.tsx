'use client'

import { LazyDrawing, lazyDrawing } from '#components/charts/lazy-drawing.tsx'
import { formatCount, formatCounted } from '#components/format/numbers.ts'
import { toSignedPercent } from '#components/format/texts.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Fold } from '#components/ui/fold.tsx'
import { HelpPopover } from '#components/ui/popover.tsx'
import { Cell, HeaderCell, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { Calibration } from '#lib/contract/answers/track.ts'
import { toCalibrationText, toSpan } from './track-texts.ts'

const GROUPS_DRAWN = 3

/** Must match `calibration-chart.tsx`. */
const CHART_SIZE = 'aspect-[360/328] w-90 max-w-full'

const calibrationChart = lazyDrawing(
  async () => (await import('./calibration-chart.tsx')).CalibrationChart,
  'The chart',
)

type CalibrationFigureProps = { calibration: Calibration; name: string }

export function CalibrationFigure({ calibration, name }: CalibrationFigureProps) {
  const { groups, zero } = calibration
  const isDrawn = groups.length >= GROUPS_DRAWN
  return (
    <figure
      aria-label={name}
      className={classNames(
        'grid min-w-0 gap-x-8 gap-y-2',
        isDrawn && 'lg:grid-cols-[auto_minmax(0,1fr)] lg:grid-rows-[auto_1fr]',
      )}
    >
      <div className="lg:col-start-[-2]">
        <h3 className="flex items-center text-sm font-medium text-ink-3">
          Predictions against what came
          <HelpPopover label="About predictions against what came">
            Calls that count and have a prediction other than 0, in ten equal groups by prediction,
            the lowest first: what was predicted on average against what the symbols returned on
            average, with the interval (95%) of that. On the dashed line both would be the same.
            Returns are whole ones, with nothing taken off for the market.
          </HelpPopover>
        </h3>
        <p className="max-w-text">
          {toCalibrationText(calibration)}
          {zero > 0 &&
            ` ${formatCounted(zero, 'prediction')} of exactly 0 ${zero === 1 ? 'is' : 'are'} left out.`}
        </p>
      </div>
      {isDrawn && (
        <div aria-hidden className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          <LazyDrawing
            drawing={calibrationChart}
            drawn={{ groups }}
            host={{ className: CHART_SIZE }}
            of={groups}
          />
        </div>
      )}
      {groups.length > 0 && (
        <Fold className="lg:col-start-[-2]" title="All groups as a table">
          <CalibrationTable groups={groups} name={name} />
        </Fold>
      )}
    </figure>
  )
}

function CalibrationTable({ groups, name }: { groups: Calibration['groups']; name: string }) {
  return (
    <TableFrame aria-label={name}>
      <Table compact aria-label={name}>
        <TableHead>
          <HeaderCell>Group</HeaderCell>
          <HeaderCell numeric>Calls</HeaderCell>
          <HeaderCell numeric>Predicted</HeaderCell>
          <HeaderCell numeric>Came</HeaderCell>
          <HeaderCell numeric>Between</HeaderCell>
        </TableHead>
        <tbody>
          {numbered(groups).map(({ number, group }) => (
            <tr key={number}>
              <th scope="row">{formatCount(number)}</th>
              <Cell numeric>{formatCount(group.calls)}</Cell>
              <Cell numeric>{toSignedPercent(group.prediction)}</Cell>
              <Cell numeric>{toSignedPercent(group.return)}</Cell>
              <Cell muted numeric>
                {toSpan(group.return_low, group.return_high, toSignedPercent) ?? '–'}
              </Cell>
            </tr>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}

const numbered = (groups: Calibration['groups']) =>
  groups.map((group, index) => ({ number: index + 1, group }))
