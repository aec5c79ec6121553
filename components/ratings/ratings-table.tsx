'use client'

import { useTable } from '@tanstack/react-table'
import { memo } from 'react'
import { SortHeader } from '#components/ui/sort-header.tsx'
import { Table } from '#components/ui/table.tsx'
import type { Facets, RatingRow, RatingsPage } from '#lib/contract/answers/ratings.ts'
import { RATING_SORTS } from '#lib/contract/ratings-query.ts'
import { type ColumnMeta, columns, features, toColumnClasses } from './columns.tsx'
import { HeaderBars, hasHeaderBars } from './header-bars.tsx'
import { type QueryProps, withSort } from './query-change.ts'
import { RatingsRows } from './ratings-rows.tsx'
import { SkeletonRows } from './skeleton-rows.tsx'

const NO_ROWS: RatingRow[] = []

type RatingsTableProps = QueryProps & {
  /** Nothing yet: rows stand in outline. */
  page: RatingsPage | undefined
  facets: Facets | undefined
  hidden: readonly string[]
  /** There is nothing to stand in outline for. */
  isBlank?: boolean
}

/** The table itself. It shows what came; order, filter and page are the server's. */
export const RatingsTable = memo(function RatingsTable(props: RatingsTableProps) {
  const { query, change, page, facets, hidden } = props
  const table = useTable({
    features,
    columns,
    data: page?.data ?? NO_ROWS,
    getRowId: (row) => String(row.id),
    manualSorting: true,
    enableSortingRemoval: false,
    enableMultiSort: false,
    meta: { asOf: page?.meta.as_of ?? 0 },
    state: {
      sorting: [{ id: query.sort.column, desc: query.sort.direction === 'desc' }],
      columnVisibility: Object.fromEntries(hidden.map((id) => [id, false])),
    },
    onSortingChange: (updater) => {
      const [next] = typeof updater === 'function' ? updater(table.state.sorting) : updater
      const column = RATING_SORTS.find((name) => name === next?.id)
      if (column) change((q) => withSort(q, { column, direction: next?.desc ? 'desc' : 'asc' }))
    },
  })
  const headers = table.getHeaderGroups().flatMap((group) => group.headers)
  const widthPx = headers.reduce((sum, { column }) => sum + toWidthPx(column.columnDef.meta), 0)
  return (
    <Table className={TABLE} style={{ minWidth: widthPx }}>
      <caption className="sr-only">Ratings</caption>
      <colgroup>
        {headers.map(({ id, column }) => (
          <col
            key={id}
            className={toColumnClasses(column.columnDef.meta)}
            style={{ width: toWidthPx(column.columnDef.meta) }}
          />
        ))}
      </colgroup>
      <thead className="[&_th]:sticky [&_th]:top-0 [&_th]:z-10 [&_th]:border-b [&_th]:bg-surface">
        <tr className="h-[56px]">
          {headers.map(({ id, column }) => (
            <SortHeader
              key={id}
              label={column.columnDef.meta?.label ?? id}
              numeric={column.columnDef.meta?.isNumeric}
              direction={column.getIsSorted() || null}
              onSort={() => column.toggleSorting()}
              above={
                hasHeaderBars(id) && (
                  <HeaderBars column={id} query={query} change={change} facets={facets} />
                )
              }
              className={toColumnClasses(column.columnDef.meta, PINNED_HEADER)}
            />
          ))}
        </tr>
      </thead>
      <tbody>
        {page === undefined && !props.isBlank && (
          <SkeletonRows columns={headers.length} rows={query.per_page} />
        )}
        <RatingsRows rows={table.getRowModel().rows} hidden={hidden} />
      </tbody>
    </Table>
  )
})

/** Narrow gaps, so that every column fits from 1280 px on. */
const TABLE =
  'table-fixed [&_td]:px-1.5 [&_th]:px-1.5 [&_:is(td,th):first-child]:pl-2.5 [&_:is(td,th):last-child]:pr-2.5'

const PINNED_HEADER = 'max-lg:left-0 max-lg:z-20!'

const toWidthPx = (meta: ColumnMeta | undefined) => meta?.widthPx ?? 0
