'use client'

import { useTable } from '@tanstack/react-table'
import { memo, type RefObject, useMemo } from 'react'
import { useZone } from '#components/address/outlook.tsx'
import { toWidths } from '#components/columns/column-widths.ts'
import { useHeaderEvents } from '#components/columns/header-events.ts'
import type { Columns } from '#components/columns/use-columns.ts'
import { useRowEvents } from '#components/rows/row-events.ts'
import type { RowSession } from '#components/rows/row-session.ts'
import { classNames } from '#components/ui/class-names.ts'
import { Table } from '#components/ui/table.tsx'
import type { Facets, RatingRow, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { RATING_SORTS } from '#lib/contract/ratings-query.ts'
import { columnsOf, features } from './columns.tsx'
import { HeaderCells } from './header-cells.tsx'
import { type QueryProps, withSort } from './query-change.ts'
import { RatingsRows } from './ratings-rows.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'

const NO_ROWS: RatingRow[] = []

type RatingsTableProps = QueryProps & {
  /** Nothing yet: rows stand in outline. */
  page: RatingsPage | undefined
  facets: Facets | undefined
  columns: Columns
  session: RowSession
  /** What scrolls. */
  frame: RefObject<HTMLElement | null>
  /** There is nothing to stand in outline for. */
  isBlank?: boolean
}

/** The table itself. It shows what came; order, filter and page are the server's. */
export const RatingsTable = memo(function RatingsTable(props: RatingsTableProps) {
  const { query, change, page, facets, columns, session, frame } = props
  const { shown, sizes, density } = columns
  const data = page?.data ?? NO_ROWS
  const table = useRatingsTable(props, data)
  const headers = table.getHeaderGroups().flatMap((group) => group.headers)
  const { widths, leastPx } = toWidths(shown, sizes)
  const rowEvents = useRowEvents({ session, rows: data, shown, change, zone: useZone(), frame })
  return (
    <Table
      className={classNames('ratings', density === 'compact' && 'ratings-compact')}
      style={{ minWidth: leastPx }}
      aria-rowcount={page && page.page.total + 1}
    >
      <caption className="sr-only">Ratings</caption>
      <colgroup>
        {headers.map(({ id }, place) => (
          <col key={id} style={{ width: widths[place] ?? undefined }} />
        ))}
      </colgroup>
      <thead {...useHeaderEvents(columns)}>
        <tr aria-rowindex={1} className="h-[56px]">
          <HeaderCells {...{ headers, sizes, query, change, facets }} />
        </tr>
      </thead>
      <tbody {...rowEvents}>
        {page === undefined && !props.isBlank && (
          <SkeletonRows columns={headers.length} rows={query.per_page} />
        )}
        <RatingsRows
          rows={table.getRowModel().rows}
          before={page ? (page.page.number - 1) * page.page.size : 0}
          isCompact={density === 'compact'}
          {...{ shown, session, frame }}
        />
      </tbody>
    </Table>
  )
})

function useRatingsTable({ query, change, page, columns }: RatingsTableProps, data: RatingRow[]) {
  const table = useTable({
    features,
    columns: useMemo(() => columnsOf(columns.shown), [columns.shown]),
    data,
    getRowId: (row) => String(row.id),
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    meta: { asOf: page?.meta.as_of ?? 0 },
    state: { sorting: [{ id: query.sort.column, desc: query.sort.direction === 'desc' }] },
    onSortingChange: (updater) => {
      const [next] = typeof updater === 'function' ? updater(table.state.sorting) : updater
      const column = RATING_SORTS.find((name) => name === next?.id)
      if (column) change((q) => withSort(q, { column, direction: next?.desc ? 'desc' : 'asc' }))
    },
  })
  return table
}
