'use client'

import { useFormats } from '#components/format/use-formats.tsx'
import { Cell, HeaderCell, Row, Table, TableFrame, TableHead } from '#components/ui/table.tsx'
import { ActivityMap } from './activity-map.tsx'
import { type ActivityDay, toActivityTotal, toMonths } from './activity-weeks.ts'

type ActivityAreaProps = { name: string; weeks: readonly ActivityDay[][]; isTable: boolean }

/** A year of activity as a calendar, or by month as a table; what it comes to is said to whoever sees neither. */
export function ActivityArea({ name, weeks, isTable }: ActivityAreaProps) {
  return (
    <>
      <p className="sr-only">
        {name}: <ActivityTotal weeks={weeks} />.
      </p>
      {isTable ? (
        <MonthTable name={name} weeks={weeks} />
      ) : (
        <ActivityMap name={name} weeks={weeks} />
      )}
    </>
  )
}

/** `110 ratings on 92 days in 53 weeks`. */
export function ActivityTotal({ weeks }: Pick<ActivityAreaProps, 'weeks'>) {
  const { formatCounted } = useFormats()
  const { ratings, days } = toActivityTotal(weeks)
  return `${formatCounted(ratings, 'rating')} on ${formatCounted(days, 'day')} in ${formatCounted(weeks.length, 'week')}`
}

function MonthTable({ weeks, name }: Pick<ActivityAreaProps, 'weeks' | 'name'>) {
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
          {toMonths(weeks).map(({ month, ratings, days }) => (
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
