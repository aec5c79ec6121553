'use client'

import { useId } from 'react'
import { SaveChart } from '#components/chart-files/save-chart.tsx'
import { useFormats } from '#components/format/use-formats.tsx'
import { RuleNote } from '#components/symbols/rule-note.tsx'
import { Button } from '#components/ui/button.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import type { RecordAnswer } from '#lib/contract/answers/record.ts'
import { ACTIVITY_RULE, toActivityFacts } from './activity-facts.ts'
import { ActivityMap } from './activity-map.tsx'
import { toMonths, toWeeks } from './activity-weeks.ts'
import type { ChangeUserView } from './use-user-view.ts'
import type { UserView } from './user-view.ts'

type ActivityFigureProps = {
  userId: number
  answer: RecordAnswer
  view: UserView
  change: ChangeUserView
}

/** A year of activity as a calendar, or by month as a table. */
export function ActivityFigure({ userId, answer, view, change }: ActivityFigureProps) {
  const areaId = useId()
  const { formatCounted } = useFormats()
  const name = `Activity by day, user ${userId}`
  const weeks = toWeeks(answer.data.activity, answer.meta.as_of)
  const months = toMonths(weeks)
  const total = months.reduce((sum, { ratings }) => sum + ratings, 0)
  const active = months.reduce((sum, { days }) => sum + days, 0)
  const isTable = view.activity === 'table'
  const summary = `${formatCounted(total, 'rating')} on ${formatCounted(active, 'day')} in 53 weeks`
  return (
    <figure aria-label={name} className="flex min-w-0 flex-col gap-2 border-t py-3">
      <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <h3 className="flex items-center text-sm font-medium text-ink-3">
          Activity
          <RuleNote about="activity: why this number">
            <p>{ACTIVITY_RULE}</p>
          </RuleNote>
        </h3>
        <p className="text-sm text-ink-3">{summary}</p>
        <Button
          aria-controls={areaId}
          className="ml-auto w-28"
          onClick={() => change({ activity: isTable ? null : 'table' })}
          size="small"
        >
          {isTable ? 'Show as chart' : 'Show as table'}
        </Button>
        <SaveChart toFacts={() => toActivityFacts({ userId, weeks, meta: answer.meta })} />
      </div>
      <div id={areaId} className="min-w-0">
        {isTable ? (
          <MonthTable months={months} name={name} />
        ) : (
          <ActivityMap name={name} weeks={weeks} />
        )}
      </div>
    </figure>
  )
}

function MonthTable({ months, name }: { months: ReturnType<typeof toMonths>; name: string }) {
  const { formatCount } = useFormats()
  return (
    <TableFrame aria-label={`${name}, scrollable`} className="max-h-64 overflow-y-auto">
      <Table aria-label={name}>
        <TableHead className="sticky top-0 bg-surface">
          <HeaderCell>Month, UTC</HeaderCell>
          <HeaderCell numeric>Ratings</HeaderCell>
          <HeaderCell numeric>Days with ratings</HeaderCell>
        </TableHead>
        <tbody>
          {months.map(({ month, ratings, days }) => (
            <Row key={month} compact>
              <th className="pr-2.5 pl-4 text-left font-normal" scope="row">
                {month}
              </th>
              <Cell numeric>{formatCount(ratings)}</Cell>
              <Cell numeric>{formatCount(days)}</Cell>
            </Row>
          ))}
        </tbody>
      </Table>
    </TableFrame>
  )
}
