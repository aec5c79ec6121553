'use client'

import {
  type ColumnDef,
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  type ReactTable,
  type RowData,
  type RowSelectionState,
  type rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  type TableOptions,
  type Row as TableRow,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import type { AnyList } from '#lib/contract/lists/define-list.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { type Columns, useColumns } from './columns/use-columns.ts'

export const listFeatures = tableFeatures({
  columnOrderingFeature,
  columnResizingFeature,
  columnSizingFeature,
  columnVisibilityFeature,
  rowSortingFeature,
})

type ListFeatures = typeof listFeatures & {
  rowSelectionFeature?: typeof rowSelectionFeature
}

export type ListRow<R extends RowData> = TableRow<ListFeatures, R>

export type ListTableModel<R extends RowData> = {
  table: ReactTable<ListFeatures, R>
  columns: Columns
}

/** Keys of rows in the order of selection. */
export type Selection = {
  selected: readonly string[]
  most: number
  select: (names: readonly string[]) => void
}

type SelectionOptions<R extends RowData> = Pick<
  TableOptions<ListFeatures, R>,
  'enableRowSelection' | 'onRowSelectionChange'
> & { state: { rowSelection: RowSelectionState } }

/** Only lists whose rows can be selected load this. */
export type SelectableRows = {
  features: ListFeatures
  toOptions: <R extends RowData>(selection: Selection) => SelectionOptions<R>
  RowCheck: <R extends RowData>(props: { row: ListRow<R> }) => ReactNode
}

type ListTableOptions<R extends RowData, N extends string> = {
  /** Without `path`, columns have no settings. */
  list: AnyList & { path?: string; table: readonly N[] }
  view: { query: { sort: Sort<string> } }
  selection?: Selection
  selectable?: SelectableRows
  rows: readonly R[] | undefined
  /** Rows may be identical; unique within a page. */
  toKey: (row: R, index: number) => string
  cells: Readonly<Partial<Record<N, { label?: string; isWide?: true; widthPx?: number }>>>
}

const WIDTH_PX = 110
const INSTANT_PX = 140
const WIDE_PX = 320

/** `list` and `cells` should be stable. */
export function useListTable<R extends RowData, N extends string>(
  props: ListTableOptions<R, N>,
): ListTableModel<R> {
  const { list, view, selection, selectable, rows, toKey, cells } = props
  const { column, direction } = view.query.sort
  const sorting = useMemo(
    (): SortingState => [{ id: column, desc: direction === 'desc' }],
    [column, direction],
  )
  const named = useMemo(() => ({ path: list.path ?? '', table: list.table }), [list])
  const { options: chosen, columns } = useColumns(named)
  const definitions = useMemo(
    () =>
      list.table.map((field): ColumnDef<ListFeatures, R> => {
        const known = list.fields[field]
        const { label = known?.label ?? field, isWide, widthPx } = cells[field] ?? {}
        const usualPx = known?.type === 'instant' ? INSTANT_PX : WIDTH_PX
        return {
          id: field,
          header: label,
          size: widthPx ?? (isWide ? WIDE_PX : usualPx),
          accessorFn: () => null,
          enableHiding: known?.type !== 'drawing',
          enableSorting: known?.sort !== undefined,
          sortDescFirst: known?.sort === 'desc',
        }
      }),
    [list, cells],
  )
  const selecting = useMemo(
    () => (selection ? selectable?.toOptions<R>(selection) : undefined),
    [selection, selectable],
  )
  const options = useMemo(
    (): TableOptions<ListFeatures, R> => ({
      ...chosen,
      ...selecting,
      features: selectable?.features ?? listFeatures,
      columns: definitions,
      data: rows ?? [],
      getRowId: toKey,
      state: { ...chosen.state, ...selecting?.state, sorting },
      manualSorting: true,
      enableSortingRemoval: false,
      enableMultiSort: false,
    }),
    [chosen, selectable, definitions, rows, toKey, sorting, selecting],
  )
  return { table: useTable(options), columns }
}
