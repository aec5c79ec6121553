'use client'

import type { RowData } from '@tanstack/react-table'
import type { CSSProperties, ReactNode } from 'react'
import { formatCount } from '#components/format/numbers.ts'
import { Instant } from '#components/time/instant.tsx'
import { classNames } from '#components/ui/class-names.ts'
import {
  type CardPlace,
  HeaderCell,
  type Leaves,
  SortHeader,
  Table,
  TableFrame,
  TableHead,
  toLeaving,
} from '#components/ui/table.tsx'
import type { AnyList, Field } from '#lib/contract/lists/define-list.ts'
import type { Sort } from '#lib/contract/query-parameters.ts'
import { toVisibleText } from '#lib/contract/visible-text.ts'
import { ColumnEdge, labelOf } from './columns/column-edge.tsx'
import { toWidths } from './columns/column-settings.ts'
import type { ColumnTable } from './columns/column-table.ts'
import { toLeastWidths, toLeaves } from './columns/leaving.ts'
import { SortControl } from './sort-control.tsx'
import type { ListTableModel, SelectableRows } from './use-list-table.ts'

export type ListCell<R> = {
  label?: string
  /** Place on a card. `sorted`: only if the table is sorted by it. Default: a labeled figure. */
  card?: CardPlace | 'sorted'
  /** Default: the label for a figure; none for a cell that has a place. */
  cardLabel?: string
  isWide?: true
  leaves?: Leaves
  /** Once columns have been resized, and to tell what has room. */
  widthPx?: number
  className?: string
  /** Beside the heading. */
  rule?: ReactNode
  toTitle?: (row: R) => string | undefined
  render?: (row: R, sort: Sort<string>) => ReactNode
}

/** If any leaves, the menu of columns says so. */
export const hasLeaving = (cells: Readonly<Record<string, { leaves?: Leaves } | undefined>>) =>
  Object.values(cells).some((cell) => cell?.leaves !== undefined)

export type ListCells<R> = Readonly<Partial<Record<keyof R & string, ListCell<R>>>>

function renderValue(value: unknown, { type }: Field): ReactNode {
  if (value === null || value === undefined) return '–'
  if (type === 'instant' && typeof value === 'number') return <Instant seconds={value} />
  if (type === 'count' && typeof value === 'number') return formatCount(value)
  return <bdi>{toVisibleText(String(value))}</bdi>
}

const readField = (row: unknown, field: string): unknown =>
  typeof row === 'object' && row !== null ? Reflect.get(row, field) : undefined

type Sorted = {
  query: { sort: Sort<string> }
  // Methods are bivariant: the sort of a list is one of its own columns.
  hrefFor(change: { sort: Sort<string> }): string
  change(change: { sort: Sort<string> }): void
}

type ListTableProps<R extends RowData, N extends string> = {
  /** Without `path`, columns have no settings. */
  list: AnyList & { path?: string; table: readonly N[]; isRanked?: true }
  name: string
  id?: string
  view: Sorted
  model: ListTableModel<R>
  selectable?: SelectableRows
  cells: Readonly<Partial<Record<N, ListCell<R>>>>
  isDimmed: boolean
}

/** Ranked lists are styled by table and column: classes on all cells would bloat the page. */
export function ListTable<R extends RowData, N extends string>(props: ListTableProps<R, N>) {
  const { list, name, id, view, model, selectable, isDimmed } = props
  const { table } = model
  const columns = selectShown(props)
  const { sort } = view.query
  const { isRanked } = list
  const hasSettings = list.path !== undefined
  const sizes = table.atoms.columnSizing.get()
  const isSized = columns.some(({ field }) => sizes[field] !== undefined)
  const { widths } = toWidths(table.getVisibleLeafColumns(), sizes)
  const className = classNames(
    'list-table',
    isRanked && 'list-ranked',
    isSortedAtEnd(columns) && 'list-sorted-end',
    columns.some(({ isWide }) => isWide) && 'list-tall',
    selectable && 'list-selectable',
  )
  return (
    <>
      <SortControl
        columns={toSortable(table)}
        onSort={(next) => view.change({ sort: next })}
        rule={columns.find(({ field }) => field === sort.column)?.rule}
        sort={sort}
      />
      <TableFrame aria-label={name}>
        <Table
          aria-busy={isDimmed}
          aria-label={name}
          cards
          className={className}
          compact={model.columns.density === 'compact'}
          data-sized={isSized ? '' : undefined}
          style={isSized ? toLeastWidths(columns) : undefined}
        >
          {hasSettings && (
            <colgroup>
              {columns.map(({ field, leaves }, place) => (
                <col
                  key={field}
                  className={toLeaving(leaves) || undefined}
                  style={toWidthStyle(widths[place])}
                />
              ))}
            </colgroup>
          )}
          <TableHead>
            {columns.map((column) => (
              <Heading
                key={column.field}
                column={column}
                resized={hasSettings ? table : null}
                view={view}
              />
            ))}
          </TableHead>
          <tbody id={id} tabIndex={-1}>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} data-selected={(selectable && row.getIsSelected()) || undefined}>
                {columns.map(({ field, cell, toTitle, render }, index) => (
                  <td key={field} title={toTitle?.(row.original)} {...cell}>
                    {index === 0 && selectable && <selectable.RowCheck row={row} />}
                    {render(row.original, sort)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </Table>
      </TableFrame>
    </>
  )
}

const toSortable = <R extends RowData>(table: ListTableModel<R>['table']) =>
  table
    .getAllLeafColumns()
    .filter((column) => column.getCanSort())
    .map((column) => ({ id: column.id, label: labelOf(column), first: column.getFirstSortDir() }))

const isSortedAtEnd = (columns: readonly { cell: ReturnType<typeof toCellProps> }[]) =>
  columns.some(({ cell }) => cell['data-sorted'] && cell['data-card'] === 'end')

const toWidthStyle = (px: number | null | undefined) =>
  (px == null ? undefined : { '--width': `${px}px` }) as CSSProperties | undefined

type ColumnsProps<R extends RowData, N extends string> = Pick<
  ListTableProps<R, N>,
  'list' | 'view' | 'cells' | 'model'
>

/** In the reader's order. */
function selectShown<R extends RowData, N extends string>(props: ColumnsProps<R, N>) {
  const { list, view, model } = props
  const all = toColumns(props)
  const shown = model.table.getVisibleLeafColumns().flatMap((tableColumn) => {
    const column = all.find(({ field }) => field === tableColumn.id)
    return column ? [{ ...column, tableColumn, px: tableColumn.getSize() }] : []
  })
  const leaves = toLeaves(all, shown)
  return shown.map((each, place) => {
    const isSorted = view.query.sort.column === each.field
    const column = {
      ...each,
      leaves: isSorted ? undefined : leaves[place],
      isBesideRule: shown[place - 1]?.rule !== undefined,
    }
    const look = { isSorted, isFirst: place === 0, isRanked: list.isRanked }
    return { ...column, cell: toCellProps(column, look) }
  })
}

const toColumns = <R extends RowData, N extends string>({
  list,
  cells,
  model: { table },
}: ColumnsProps<R, N>) =>
  list.table.map((field) => {
    const known: Field = list.fields[field] ?? { label: field, type: 'text' }
    const { label = known.label, ...own }: ListCell<R> = cells[field] ?? {}
    return {
      render: (row: R) => renderValue(readField(row, field), known),
      ...known,
      ...own,
      field,
      label,
      numeric: isNumeric(known),
      px: table.getColumn(field)?.columnDef.size ?? 0,
    }
  })

const isNumeric = ({ numeric, type }: Field) => numeric ?? (type === 'count' || type === 'figure')

type Column<R extends RowData> = ReturnType<typeof selectShown<R, string>>[number]
type CellColumn = Omit<ListCell<never>, 'render'> & { label: string; numeric: boolean }
type CellLook = { isSorted: boolean; isFirst: boolean; isRanked: boolean | undefined }

/** The first column is always on a card. */
function toCellProps(
  { label, card, cardLabel, numeric, isWide, className, leaves }: CellColumn,
  { isSorted, isFirst, isRanked = false }: CellLook,
) {
  const isFigure = card === undefined || (card === 'sorted' && (isSorted || isFirst))
  const classes = classNames(
    numeric && !isRanked && 'number',
    isWide && 'list-wide',
    className,
    toLeaving(leaves),
  )
  return {
    className: classes === '' ? undefined : classes,
    'data-card': card === 'sorted' ? undefined : card,
    'data-label': isFigure ? (cardLabel ?? label) : cardLabel,
    'data-sorted': (isRanked && isSorted) || undefined,
  }
}

type HeadingProps<R extends RowData> = {
  column: Column<R>
  view: Sorted
  /** Null: the columns have no settings. */
  resized: ColumnTable | null
}

function Heading<R extends RowData>({ column, view, resized }: HeadingProps<R>) {
  const { field, label, numeric, isWide, leaves, rule, tableColumn } = column
  const { sort } = view.query
  const className = classNames(
    isWide && 'list-wide',
    column.isBesideRule && 'pl-7',
    toLeaving(leaves),
  )
  const edge = resized && <ColumnEdge column={tableColumn} table={resized} />
  if (!tableColumn.getCanSort()) {
    return (
      <HeaderCell
        // Excludes the edge from the column's name.
        aria-label={resized ? label : undefined}
        className={className}
        data-column={resized ? field : undefined}
        numeric={numeric}
      >
        {label}
        {edge}
      </HeaderCell>
    )
  }
  const next = { column: field, direction: tableColumn.getNextSortingOrder() || 'desc' }
  return (
    <SortHeader
      className={className}
      column={resized ? field : undefined}
      direction={sort.column === field ? sort.direction : null}
      edge={
        (rule || edge) && (
          <>
            {rule}
            {edge}
          </>
        )
      }
      href={view.hrefFor({ sort: next })}
      label={label}
      numeric={numeric}
      onSort={() => view.change({ sort: next })}
    />
  )
}
