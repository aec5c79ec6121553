'use client'

import {
  type ColumnDef,
  functionalUpdate,
  type RowData,
  type RowSelectionState,
  rowSelectionFeature,
  rowSortingFeature,
  type SortingState,
  type TableOptions,
  type Row as TableRow,
  tableFeatures,
  type Updater,
  useTable,
} from '@tanstack/react-table'
import { type ReactNode, useMemo } from 'react'
import { type Selection, toSelected } from '#components/address/selection.ts'
import type { Formats } from '#components/format/numbers.ts'
import { useFormats } from '#components/format/use-formats.tsx'
import { ZonedInstant } from '#components/time/instant.tsx'
import { Button } from '#components/ui/button.tsx'
import { classNames } from '#components/ui/class-names.ts'
import { Select } from '#components/ui/fields.tsx'
import {
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

export type ListCell<R> = {
  label?: string
  /** Place on a card. `sorted`: only if the table is sorted by it. Default: a labeled figure. */
  card?: 'name' | 'end' | 'wide' | 'sorted'
  /** Default: the label, except at the end of a card. */
  cardLabel?: string
  isWide?: true
  leaves?: Leaves
  className?: string
  headClassName?: string
  /** Beside the heading. */
  rule?: ReactNode
  toTitle?: (row: R, formats: Formats) => string | undefined
  render?: (row: R, formats: Formats, sort: Sort<string>) => ReactNode
}

export type ListCells<R> = Readonly<Partial<Record<keyof R & string, ListCell<R>>>>

function renderValue(value: unknown, { type }: Field, { formatCount }: Formats): ReactNode {
  if (value === null || value === undefined) return '–'
  if (type === 'instant' && typeof value === 'number') return <ZonedInstant seconds={value} />
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
  list: AnyList & { table: readonly N[]; isRanked?: true }
  name: string
  id?: string
  view: Sorted & { selection?: Selection | null }
  rows: readonly R[]
  /** Rows may be identical; unique within a page. */
  toKey: (row: R, index: number) => string
  cells: Readonly<Partial<Record<N, ListCell<R>>>>
  isDimmed: boolean
}

/**
 * Ranked lists are styled by table and column classes: attributes on hundreds of cells would bloat
 * the page. Their headings have the rules, so they stay on a phone.
 */
export function ListTable<R extends RowData, N extends string>(props: ListTableProps<R, N>) {
  const { list, name, id, view, isDimmed } = props
  const table = useListTable(props)
  const formats = useFormats()
  const columns = toColumns(props)
  const { sort } = view.query
  const { isRanked } = list
  const className = classNames(
    'list-table',
    isRanked && 'list-ranked',
    view.selection && 'list-selectable',
  )
  return (
    <>
      {!isRanked && (
        <SortControl columns={columns.filter((column) => column.sort !== undefined)} view={view} />
      )}
      <TableFrame aria-label={name}>
        <Table aria-busy={isDimmed} aria-label={name} className={className}>
          <TableHead>
            {columns.map((column) => {
              const known = table.getColumn(column.field)
              const direction = known?.getCanSort() ? known.getNextSortingOrder() || 'desc' : null
              return (
                <Heading
                  key={column.field}
                  column={column}
                  next={direction && { column: column.field, direction }}
                  view={view}
                />
              )
            })}
          </TableHead>
          <tbody id={id} tabIndex={-1}>
            {table.getRowModel().rows.map((row) => (
              <tr key={row.id} data-selected={row.getIsSelected() || undefined}>
                {columns.map(({ field, cell, toTitle, render }, index) => (
                  <td key={field} title={toTitle?.(row.original, formats)} {...cell}>
                    {index === 0 && view.selection && <RowCheck row={row} />}
                    {render(row.original, formats, sort)}
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

function toColumns<R extends RowData, N extends string>({
  list,
  view,
  cells,
}: Pick<ListTableProps<R, N>, 'list' | 'view' | 'cells'>) {
  return list.table.map((field) => {
    const known: Field = list.fields[field] ?? { label: field, type: 'text' }
    const { label = known.label, ...own }: ListCell<R> = cells[field] ?? {}
    const isSorted = view.query.sort.column === field
    const column = {
      render: (row: R, formats: Formats) => renderValue(readField(row, field), known, formats),
      ...known,
      ...own,
      field,
      label,
      numeric: isNumeric(known),
      leaving: toLeaving(own.leaves, isSorted),
    }
    return { ...column, cell: toCellProps(column, { isSorted, isRanked: list.isRanked }) }
  })
}

const isNumeric = ({ numeric, type }: Field) => numeric ?? (type === 'count' || type === 'figure')

type Column<R extends RowData> = ReturnType<typeof toColumns<R, string>>[number]
type CellColumn = Omit<ListCell<never>, 'render'> & {
  label: string
  numeric: boolean
  leaving: string | false
}

function toCellProps(
  { label, card, cardLabel, numeric, isWide, className, leaving }: CellColumn,
  { isSorted, isRanked = false }: { isSorted: boolean; isRanked?: boolean },
) {
  const isFigure = card === undefined || (card === 'sorted' && isSorted)
  const classes = classNames(
    numeric && !isRanked && 'number',
    isWide && 'list-wide',
    className,
    leaving,
  )
  return {
    className: classes === '' ? undefined : classes,
    'data-card': card === 'sorted' ? undefined : card,
    'data-label': isFigure ? (cardLabel ?? label) : card === 'end' ? cardLabel : undefined,
    'data-sorted': (isRanked && isSorted) || undefined,
  }
}

type HeadingProps<R extends RowData> = {
  column: Column<R>
  next: Sort<string> | null
  view: Sorted
}

function Heading<R extends RowData>({ column, next, view }: HeadingProps<R>) {
  const { field, label, numeric, isWide, headClassName, leaving, rule } = column
  const className = classNames(isWide && 'w-full', headClassName, leaving)
  if (next === null) {
    return (
      <HeaderCell className={className} numeric={numeric}>
        {label}
      </HeaderCell>
    )
  }
  const { sort } = view.query
  return (
    <SortHeader
      className={className}
      direction={sort.column === field ? sort.direction : null}
      edge={rule}
      href={view.hrefFor({ sort: next })}
      label={label}
      numeric={numeric}
      onSort={() => view.change({ sort: next })}
    />
  )
}

function RowCheck<R extends RowData>({ row }: { row: TableRow<typeof features, R> }) {
  const canSelect = row.getCanSelect()
  return (
    <input
      type="checkbox"
      className="row-check"
      aria-label={`Select ${toVisibleText(row.id)}`}
      checked={row.getIsSelected()}
      disabled={!canSelect}
      onChange={row.getToggleSelectedHandler()}
      title={canSelect ? undefined : 'No more can be selected'}
      // Browsers restore checkboxes when navigating back.
      autoComplete="off"
    />
  )
}

type SortControlProps = {
  columns: readonly { field: string; label: string; sort?: Sort<string>['direction'] }[]
  view: Sorted
}

const DIRECTION_WORDS = { asc: 'ascending', desc: 'descending' } as const
const TURNED = { asc: 'desc', desc: 'asc' } as const

function SortControl({ columns, view }: SortControlProps) {
  const { sort } = view.query
  return (
    <div className="list-sort">
      <Select
        label="Sort by"
        onChange={({ target }) => {
          const { field, sort: direction = 'desc' } =
            columns.find((column) => column.field === target.value) ?? {}
          if (field !== undefined) view.change({ sort: { column: field, direction } })
        }}
        options={columns.map(({ field, label }) => ({ value: field, label }))}
        value={sort.column}
      />
      <Button
        aria-label={`Sorted ${DIRECTION_WORDS[sort.direction]}. Reverse the order`}
        onClick={() =>
          view.change({ sort: { column: sort.column, direction: TURNED[sort.direction] } })
        }
        variant="outline"
      >
        {sort.direction === 'asc' ? '↑' : '↓'}
      </Button>
    </div>
  )
}

const features = tableFeatures({ rowSortingFeature, rowSelectionFeature })

function useListTable<R extends RowData, N extends string>(props: ListTableProps<R, N>) {
  const { list, view, rows, toKey } = props
  const { column, direction } = view.query.sort
  const sorting = useMemo(
    (): SortingState => [{ id: column, desc: direction === 'desc' }],
    [column, direction],
  )
  const columns = useMemo(
    () =>
      list.table.map((field): ColumnDef<typeof features, R> => {
        const sort = list.fields[field]?.sort
        return {
          id: field,
          accessorFn: () => null,
          enableSorting: sort !== undefined,
          sortDescFirst: sort === 'desc',
        }
      }),
    [list],
  )
  const selecting = useSelecting<R>(view.selection ?? null)
  const options = useMemo(
    (): TableOptions<typeof features, R> => ({
      ...selecting,
      features,
      columns,
      data: rows,
      getRowId: toKey,
      state: { ...selecting.state, sorting },
      manualSorting: true,
      enableSortingRemoval: false,
      enableMultiSort: false,
    }),
    [columns, rows, toKey, sorting, selecting],
  )
  return useTable(options)
}

function useSelecting<R extends RowData>(selection: Selection | null) {
  return useMemo(() => {
    const { selected = [], most = 0, select } = selection ?? {}
    const rowSelection: RowSelectionState = Object.fromEntries(
      selected.map((name) => [name, true as const]),
    )
    return {
      state: { rowSelection },
      // Selected rows can always be deselected.
      enableRowSelection: ({ id }: TableRow<typeof features, R>) =>
        selected.length < most || selected.includes(id),
      onRowSelectionChange: (updater: Updater<RowSelectionState>) =>
        select?.(toSelected(functionalUpdate(updater, rowSelection), selected)),
    }
  }, [selection])
}
